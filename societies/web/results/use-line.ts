import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { ApiFailure, call } from '../../../platform/web/api.ts'
import { type ResultLine, setResultLine } from '../../contract/results.ts'
import { sentenceOf, usePlace } from '../candidates/use-act.ts'
import { type Results, resultsKey } from './queries.ts'

/** A line that is being typed or stepped is kept when nothing was pressed for so long. */
const SETTLED_MS = 700

/**
 * The line as it is drawn here, and kept: while it is dragged only here, then for everybody. Who may not keep
 * it moves it on the own page alone.
 */
export function useLine({ line: stored }: Pick<Results, 'line'>, mayKeep: boolean) {
  const place = usePlace()
  const client = useQueryClient()
  const [draft, setDraft] = useState<number | null>(null)
  const [isReasonAsked, setIsReasonAsked] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])

  const put = (line: ResultLine | null) =>
    client.setQueryData<Results>(resultsKey(place), (known) => known && { ...known, line })
  const keeping = useMutation({
    mutationFn: ({
      points,
      reason,
      version,
    }: {
      points: number
      reason?: string
      version: number
    }) =>
      call(setResultLine, {
        params: place,
        body: { version, points, ...(reason ? { reason } : {}) },
      }),
    onSuccess: (line) => {
      put(line)
      setDraft(null)
      setIsReasonAsked(false)
      // Who would cross the line by a ruling depends on where it is.
      void client.invalidateQueries({ queryKey: resultsKey(place), exact: true })
    },
    onError: (error) => {
      if (isStale(error)) put(error.details.line as ResultLine | null)
    },
  })

  const version = stored?.version ?? 0
  function keep(points: number): void {
    clearTimeout(timer.current)
    if (!mayKeep) return
    if (points === stored?.points) setDraft(null)
    else if (stored?.fixedAt) setIsReasonAsked(true)
    else keeping.mutate({ points, version })
  }
  return {
    points: draft ?? stored?.points ?? null,
    isDraft: draft !== null,
    isBusy: keeping.isPending,
    /** drags it: nothing is kept yet */
    drag: (points: number) => {
      clearTimeout(timer.current)
      keeping.reset()
      setDraft(points)
    },
    drop: keep,
    /** types or steps it: kept when that has settled */
    step: (points: number) => {
      clearTimeout(timer.current)
      keeping.reset()
      setDraft(points)
      timer.current = setTimeout(() => keep(points), SETTLED_MS)
    },
    isReasonAsked,
    keepWith: (reason: string) => {
      if (draft !== null) keeping.mutate({ points: draft, reason, version })
    },
    /** back to what is kept */
    leave: () => {
      clearTimeout(timer.current)
      keeping.reset()
      setDraft(null)
      setIsReasonAsked(false)
    },
    isStale: isStale(keeping.error),
    problem: keeping.error ? sentenceOf(keeping.error) : null,
  }
}
export type Line = ReturnType<typeof useLine>

const isStale = (error: unknown): error is ApiFailure =>
  error instanceof ApiFailure && error.code === 'stale'
