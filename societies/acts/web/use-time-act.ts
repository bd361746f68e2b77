import { keepPreviousData } from '@tanstack/react-query'
import { call } from '../../../platform/web/api.ts'
import { toast } from '../../../platform/web/ui/toast.tsx'
import { useEndpoint } from '../../../platform/web/use-endpoint.ts'
import { useSociety } from '../../kit/web/console/console.tsx'
import { sentenceOf } from '../../kit/web/loaded.tsx'
import { useAct, usePlace } from '../../kit/web/use-act.tsx'
import {
  type AskedTime,
  changeTime,
  giveMinutes,
  previewMinutes,
  previewTime,
  undoTime,
} from '../contract.ts'

/**
 * What a change of time would do, and the change itself.
 * @param asked null while what was typed is no change yet
 */
export function useTimeAct(asked: AskedTime | null, onDone: () => void) {
  const place = usePlace()
  const { may } = useSociety()
  // An invigilator gives one candidate minutes, by a call of its own.
  const one = may('give_any_time') ? null : (asked?.to.candidates?.[0] ?? null)
  const given: AskedTime = asked ?? {
    to: { candidates: [], room: null },
    kind: 'give',
    reopens: false,
  }
  const minutes = {
    params: { ...place, candidate: one ?? '' },
    body: { seconds: given.seconds ?? 0 },
  }
  const look = {
    placeholderData: keepPreviousData,
    // Others act too.
    every: 5_000,
    staleTime: 0,
    gcTime: 0,
    retry: false,
  }
  const ofAll = useEndpoint(
    previewTime,
    { params: place, body: given },
    { ...look, enabled: asked !== null && one === null },
  )
  const ofOne = useEndpoint(previewMinutes, minutes, { ...look, enabled: one !== null })
  const preview = one === null ? ofAll : ofOne
  const undo = useAct(
    (requestId: string) => call(undoTime, { params: place, body: { requestId } }),
    () => toast.success('Taken back'),
    (problem) => toast.error('Not taken back', problem),
  )
  const act = useAct(
    (reason: string, requestId) =>
      one === null
        ? call(changeTime, {
            params: place,
            body: { ...given, requestId, ...(reason !== '' && { reason }) },
          })
        : call(giveMinutes, { ...minutes, body: { ...minutes.body, requestId, reason } }),
    ({ text, canBeUndone }, _, requestId) => {
      if (canBeUndone) toast.undoable(text, () => undo.run(requestId))
      else toast.success(text)
      onDone()
    },
  )
  const isCurrent = asked !== null && !preview.isPlaceholderData && preview.isSuccess
  return {
    preview: asked === null ? undefined : preview.data,
    isCurrent,
    problem: act.problem ?? (asked && preview.error && sentenceOf(preview.error)),
    isBusy: act.isBusy,
    run: (reason: string) => {
      if (isCurrent) act.run(reason)
    },
  }
}
