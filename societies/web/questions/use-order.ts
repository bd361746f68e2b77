import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { call } from '../../../platform/web/api.ts'
import { endpointQuery } from '../../../platform/web/use-endpoint.ts'
import { listQuestions, orderQuestions } from '../../contract/questions.ts'
import { usePlace } from '../kit/use-act.tsx'
import type { ListOfQuestions } from './listed-question.ts'

/**
 * The questions in the order that one is putting them in: shown at once, sent one after the other, so that
 * fast presses never meet a list that their own step before has changed.
 */
export function useOrder({ items, listVersion }: ListOfQuestions) {
  const place = usePlace()
  const client = useQueryClient()
  const [order, setOrder] = useState<readonly string[] | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const wanted = useRef<string[] | null>(null)
  const isSending = useRef(false)
  const placeOf = new Map(order?.map((id, index) => [id, index]))
  const ordered = order
    ? items.toSorted((a, b) => (placeOf.get(a.questionId) ?? 0) - (placeOf.get(b.questionId) ?? 0))
    : items

  async function send(): Promise<void> {
    isSending.current = true
    let version = listVersion
    try {
      while (wanted.current) {
        const body = { order: wanted.current, listVersion: version }
        wanted.current = null
        version = (await call(orderQuestions, { params: place, body })).listVersion
      }
    } catch (error) {
      setProblem(error instanceof Error ? error.message : 'The order could not be saved.')
    } finally {
      wanted.current = null
      isSending.current = false
      await client.invalidateQueries(endpointQuery(listQuestions, { params: place }))
      if (!isSending.current) setOrder(null)
    }
  }

  /** @returns whether there is anywhere to go. @param to its place then, from 0 */
  function move(question: string, to: number): boolean {
    const ids = ordered.map(({ questionId }) => questionId)
    const from = ids.indexOf(question)
    if (from < 0 || to < 0 || to >= ids.length || to === from) return false
    ids.splice(to, 0, ...ids.splice(from, 1))
    setProblem(null)
    setOrder(ids)
    wanted.current = ids
    if (!isSending.current) void send()
    return true
  }

  return { items: ordered, move, problem }
}
