import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { call } from '../../../platform/web/api.ts'
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
import { sentenceOf } from '../kit/loaded.tsx'
import { useAct, usePlace } from '../kit/use-act.tsx'

/** How often an open dialog is computed again, milliseconds: others act too. */
const LOOK_MS = 5_000

/**
 * What a change of time would do, and the change itself.
 * @param asked null while what was typed is no change yet
 */
export function useTimeAct(asked: AskedTime | null, onDone: () => void) {
  const place = usePlace()
  const { may } = useSociety()
  // An invigilator gives one candidate minutes, by a call of its own.
  const one = may('give_any_time') ? null : (asked?.to.candidates?.[0] ?? null)
  const minutesTo = (candidate: string, { seconds = 0 }: AskedTime) => ({
    params: { ...place, candidate },
    body: { seconds },
  })
  const preview = useQuery<TimePreview>({
    queryKey: [...assessmentKey(place.society, place.code), 'time-preview', asked],
    queryFn: ({ signal }) => {
      const given = asked as AskedTime
      return one === null
        ? call(previewTime, { params: place, body: given }, { signal })
        : call(previewMinutes, minutesTo(one, given), { signal })
    },
    enabled: asked !== null,
    placeholderData: keepPreviousData,
    refetchInterval: LOOK_MS,
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })
  const undo = useAct(
    (requestId: string) => call(undoTime, { params: place, body: { requestId } }),
    () => toast.success('Taken back'),
    (problem) => toast.error('Not taken back', problem),
  )
  const act = useAct(
    ({ given, reason }: { given: AskedTime; reason: string }, requestId) => {
      if (one === null) {
        const more = { requestId, ...(reason === '' ? {} : { reason }) }
        return call(changeTime, { params: place, body: { ...given, ...more } })
      }
      const { params, body } = minutesTo(one, given)
      return call(giveMinutes, { params, body: { ...body, requestId, reason } })
    },
    ({ text, canBeUndone }, _, requestId) => {
      if (canBeUndone) toast.undoable(text, () => undo.run(requestId))
      else toast.success(text)
      onDone()
    },
  )
  const isCurrent = asked !== null && !preview.isPlaceholderData && preview.isSuccess
  const unread = asked !== null && preview.error ? sentenceOf(preview.error) : null
  return {
    preview: asked === null ? undefined : preview.data,
    isCurrent,
    problem: act.problem ?? unread,
    isBusy: act.isBusy,
    run: (reason: string) => {
      if (asked !== null && isCurrent) act.run({ given: asked, reason })
    },
  }
}
