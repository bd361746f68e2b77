import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { call } from '../../../platform/web/api.ts'
import { endpointKey } from '../../../platform/web/use-endpoint.ts'
import { isStale } from '../../kit/web/console/changed-meanwhile.tsx'
import { sentenceOf } from '../../kit/web/loaded.tsx'
import { usePlace } from '../../kit/web/use-act.tsx'
import { getResults, type ResultLine, setResultLine } from '../contract.ts'
import type { Results } from './view.ts'

/** A typed or stepped cut score is saved after this pause. */
const SETTLED_MS = 700
const KEEPING = ['result-line']

/**
 * The cut score: a draft on this page while it is typed or stepped, then saved for all members. Members who may not
 * save it only move their own draft.
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
  // Read when needed, because the last render may be older than the cache.
  const kept = () => client.getQueryData<Results>(key)?.line ?? null
  // The version at the start of the draft. If another owner saves meanwhile, this page says so instead of
  // overwriting it.
  const held = useRef(0)
  const take = (points: number) => {
    clearTimeout(timer.current)
    keeping.reset()
    if (draft === null) held.current = kept()?.version ?? 0
    setDraft(points)
  }
  const keeping = useMutation({
    mutationKey: KEEPING,
    // One after the other, so that each sends the version that the previous one made.
    scope: { id: `line of ${place.code}` },
    mutationFn: ({ points }: { points: number }) =>
      call(setResultLine, { params: place, body: { version: held.current, points } }),
    onSuccess: (line) => {
      held.current = line.version
      put(line)
      // It may have been moved again meanwhile.
      setDraft((now) => (now === line.points ? null : now))
      // The obstacles say how many candidates a ruling would move across it.
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
    /** sets and saves it at once */
    set: (points: number) => {
      take(points)
      keep(points)
    },
    /** types or steps it; saved after a pause */
    step: (points: number) => {
      take(points)
      timer.current = setTimeout(() => keep(points), SETTLED_MS)
    },
    isReasonAsked,
    /** what the draft began with: the version to replace */
    heldVersion: () => held.current,
    put,
    /** back to the saved one */
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
