import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiFailure, call } from '../../../platform/web/api.ts'
import { toast } from '../../../platform/web/ui/toast.tsx'
import {
  type AskedTime,
  changeTime,
  giveMinutes,
  previewMinutes,
  previewTime,
  type TimePreview,
  undoTime,
} from '../../contract/acts.ts'
import { useSociety } from '../console/console.tsx'
import { assessmentKey } from '../console/queries.ts'
import { sentenceOf, usePlace } from '../console/use-act.ts'

/** How often an open dialog is computed again, milliseconds: others act too. */
const LOOK_MS = 5_000

type Done = Awaited<ReturnType<typeof call<typeof changeTime>>>

/**
 * The preview of an act on time, and the act: it carries the key that was made when the dialog opened, and what
 * the preview said; where that would be another now, the new preview is shown and nothing was done.
 * @param asked null while what was typed is no act yet
 * @param said what the toast says of it
 */
export function useTimeAct(
  asked: AskedTime | null,
  { said, onDone }: { said: (done: Done) => string; onDone: () => void },
) {
  const place = usePlace()
  const { may } = useSociety()
  const client = useQueryClient()
  const [key] = useState(() => crypto.randomUUID())
  // An invigilator gives one candidate minutes, by a call of its own.
  const one = may('give_any_time') ? null : (asked?.to.candidates?.[0] ?? null)
  const queryKey = [...assessmentKey(place.society, place.code), 'time-preview', key, asked]
  const preview = useQuery<TimePreview>({
    queryKey,
    queryFn: ({ signal }) => {
      const given = asked as AskedTime
      return one === null
        ? call(previewTime, { params: place, body: given }, { signal })
        : call(
            previewMinutes,
            { params: { ...place, candidate: one }, body: { seconds: given.seconds ?? 0 } },
            { signal },
          )
    },
    enabled: asked !== null,
    placeholderData: keepPreviousData,
    refetchInterval: LOOK_MS,
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })
  const undo = useMutation({
    mutationFn: () => call(undoTime, { params: place, body: { key } }),
    onSuccess: () => toast.success('Taken back'),
    onError: (error) => toast.error('Not taken back', sentenceOf(error)),
    onSettled: onDone,
  })
  const act = useMutation({
    mutationFn: ({ reason, seen }: { reason: string; seen: TimePreview }) => {
      const given = asked as AskedTime
      const { version, asOf } = seen
      return one === null
        ? call(changeTime, { params: place, body: { ...given, version, asOf, key, reason } })
        : call(giveMinutes, {
            params: { ...place, candidate: one },
            body: { seconds: given.seconds ?? 0, version, asOf, key, reason },
          })
    },
    onSuccess: (done) => {
      const left =
        done.left > 0
          ? `${done.left} handed in or started meanwhile and are not touched.`
          : undefined
      if (done.canBeUndone) toast.undoable(said(done), () => undo.mutate(), left)
      else toast.success(said(done), left)
      onDone()
    },
    onError: (error) => {
      if (error instanceof ApiFailure && error.code === 'changed') {
        client.setQueryData(queryKey, error.details.preview as TimePreview)
      }
    },
  })
  const isCurrent = asked !== null && !preview.isPlaceholderData && preview.isSuccess
  return {
    place,
    preview: asked === null ? undefined : preview.data,
    isCurrent,
    problem: act.error
      ? sentenceOf(act.error)
      : asked !== null && preview.error
        ? sentenceOf(preview.error)
        : null,
    isBusy: act.isPending,
    refresh: () => void preview.refetch(),
    run: (reason: string) => {
      if (preview.data && isCurrent) act.mutate({ reason, seen: preview.data })
    },
  }
}
