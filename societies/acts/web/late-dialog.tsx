import { call } from '../../../platform/web/api.ts'
import { toast } from '../../../platform/web/ui/toast.tsx'
import { useEndpoint } from '../../../platform/web/use-endpoint.ts'
import { countOf } from '../../../platform/words.ts'
import { useAssessment } from '../../kit/web/console/console.tsx'
import { DialogFrame } from '../../kit/web/dialog-frame.tsx'
import { sentenceOf } from '../../kit/web/loaded.tsx'
import { useAct, usePlace } from '../../kit/web/use-act.tsx'
import { zoneTime } from '../../kit/zone-time.ts'
import { acceptLateAnswers, listLateAnswers } from '../contract.ts'
import { Reason, useReason } from './reason.tsx'
import { nameOf } from './whom.tsx'

const STANDING = {
  counts: 'would count: chosen in time, held up by an outage',
  too_late: 'chosen after the end',
  unknown: 'it is unknown when it was chosen',
  not_held_up: 'there was no outage: only the page says when it was chosen',
  outdated: 'a newer choice is stored',
  open: 'the test goes on',
} as const

/** Answers that came after the end, and whether they would count (product 7.15.8). */
export function LateDialog(props: { onClose: () => void; onDone: () => void }) {
  const place = usePlace()
  const { timeZone } = useAssessment()
  const reason = useReason()
  const late = useEndpoint(listLateAnswers, { params: place }, { staleTime: 0 })
  const { people = [], acceptable = 0, changes = 0 } = late.data ?? {}
  const accept = useAct(
    (_: undefined, requestId) => {
      const body = { requestId, reason: reason.reason, candidate: null }
      return call(acceptLateAnswers, { params: place, body })
    },
    (done) => {
      const changed = `${countOf(done.changes, 'result')} changed.`
      toast.success(`${countOf(done.accepted, 'answer')} counted`, changed)
      props.onDone()
    },
  )
  const effect = countOf(changes, 'result changes', 'results change')
  return (
    <DialogFrame
      work="narrow"
      title="Late answers"
      problem={accept.problem ?? (late.error ? sentenceOf(late.error) : null)}
      note="Answers chosen too late never count. Where only the page says when one was chosen, reopen the test."
      button={
        acceptable > 0 ? [`Count ${countOf(acceptable, 'answer')}: ${effect}`, 'Counting…'] : null
      }
      isReady={reason.isGiven}
      isBusy={accept.isBusy}
      onAct={() => reason.isGiven && accept.run()}
      onClose={props.onClose}
    >
      <div className="grid flex-1 auto-rows-max content-start gap-4 overflow-y-auto px-6 py-5">
        {late.data && people.length === 0 && <p>No answer came after the end.</p>}
        {people.map((person) => (
          <section key={person.id}>
            <h3 className="head">{nameOf(person)}</h3>
            <ul className="figures">
              {person.answers.map(({ item, chosenAt, receivedAt, standing }) => (
                <li
                  key={`${item} ${receivedAt} ${standing}`}
                  className="grid grid-cols-[92px_minmax(0,1fr)] gap-x-3 border-line border-b py-1.5"
                >
                  <span>Question {item}</span>
                  <span className={standing === 'counts' ? 'font-medium' : 'text-ink-2'}>
                    {chosenAt && `chosen ${zoneTime(chosenAt, timeZone)}, `}came{' '}
                    {zoneTime(receivedAt, timeZone)}: {STANDING[standing]}
                  </span>
                </li>
              ))}
            </ul>
          </section>
        ))}
        {acceptable > 0 && <Reason of={reason} />}
      </div>
    </DialogFrame>
  )
}
