import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { call } from '../../../platform/web/api.ts'
import { orderQuestions } from '../../contract/questions.ts'
import { type Desk, type ListedQuestion, questionsQuery } from './queries.ts'

/**
 * The questions in the order that one is putting them in: shown at once, sent one after the other, so that
 * fast presses never meet a list that their own step before has changed.
 */
export function useOrder(
  desk: Desk,
  { items, listVersion }: { items: readonly ListedQuestion[]; listVersion: string },
) {
  const client = useQueryClient()
  const [order, setOrder] = useState<readonly string[] | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const wanted = useRef<string[] | null>(null)
  const isSending = useRef(false)
  const place = new Map(order?.map((id, index) => [id, index]))
  const ordered = order
    ? items.toSorted((a, b) => (place.get(a.questionId) ?? 0) - (place.get(b.questionId) ?? 0))
    : items

  async function send(): Promise<void> {
    isSending.current = true
    let version = listVersion
    try {
      while (wanted.current) {
        const body = { order: wanted.current, listVersion: version }
        wanted.current = null
        version = (await call(orderQuestions, { params: { ...desk }, body })).listVersion
      }
    } catch (error) {
      setProblem(error instanceof Error ? error.message : 'The order could not be saved.')
    } finally {
      wanted.current = null
      isSending.current = false
      await client.invalidateQueries(questionsQuery(desk))
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
