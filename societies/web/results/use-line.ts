import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { call } from '../../../platform/web/api.ts'
import { endpointKey } from '../../../platform/web/use-endpoint.ts'
import { getResults, type ResultLine, setResultLine } from '../../contract/results.ts'
import { isStale } from '../console/changed-meanwhile.tsx'
import { sentenceOf } from '../kit/loaded.tsx'
import { usePlace } from '../kit/use-act.tsx'
import type { Results } from './view.ts'

/** A line that is typed or stepped is kept when nothing was pressed for so long. */
const SETTLED_MS = 700
const KEEPING = ['result-line']

/**
 * The line as it is drawn here, and kept: while it is typed or stepped only here, then for everybody. Who may
 * not keep it moves it on the own page alone.
 */
export function useLine({ line: stored }: Pick<Results, 'line'>, mayKeep: boolean) {
  const place = usePlace()
  const client = useQueryClient()
  const key = endpointKey(getResults, { params: place })
  const [draft, setDraft] = useState<number | null>(null)
  const [isReasonAsked, setIsReasonAsked] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])

  const put = (line: ResultLine | null) =>
    client.setQueryData<Results>(key, (known) => known && { ...known, line })
  // Asked for when it is needed: what was drawn may be some moments older than what is kept.
  const kept = () => client.getQueryData<Results>(key)?.line ?? null
  // The version that was seen when the line was taken hold of: what somebody else makes of it meanwhile, and a
  // read brings, is told and not written over.
  const held = useRef(0)
  const take = () => {
    if (draft === null) held.current = kept()?.version ?? 0
  }
  const keeping = useMutation({
    mutationKey: KEEPING,
    // One after the other, so that each knows the version that the one before made.
    scope: { id: `line of ${place.code}` },
    mutationFn: ({ points }: { points: number }) =>
      call(setResultLine, { params: place, body: { version: held.current, points } }),
    onSuccess: (line) => {
      held.current = line.version
      put(line)
      // It may have been moved on meanwhile.
      setDraft((now) => (now === line.points ? null : now))
      // Who would cross the line by a ruling depends on where it is.
      void client.invalidateQueries({ queryKey: key, exact: true })
    },
    onError: (error) => {
      if (!isStale(error)) return
      const line = error.details.line as ResultLine | null
      held.current = line?.version ?? 0
      put(line)
    },
  })

  function keep(points: number): void {
    clearTimeout(timer.current)
    if (!mayKeep) return
    const line = kept()
    const isWhereItWas =
      line?.points === points && client.isMutating({ mutationKey: KEEPING }) === 0
    if (isWhereItWas) setDraft(null)
    else if (line?.fixedAt && line.points !== points) setIsReasonAsked(true)
    else keeping.mutate({ points })
  }
  return {
    points: draft ?? stored?.points ?? null,
    isDraft: draft !== null,
    isBusy: keeping.isPending,
    /** sets it at once */
    set: (points: number) => {
      keeping.reset()
      take()
      setDraft(points)
      keep(points)
    },
    /** types or steps it: kept when that has settled */
    step: (points: number) => {
      clearTimeout(timer.current)
      keeping.reset()
      take()
      setDraft(points)
      timer.current = setTimeout(() => keep(points), SETTLED_MS)
    },
    isReasonAsked,
    put,
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
