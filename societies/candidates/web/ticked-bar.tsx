import { useState } from 'react'
import { useNavigate } from 'react-router'
import { assessmentUrl } from '../../../platform/urls.ts'
import { dialogOnDemand } from '../../../platform/web/ui/on-demand.ts'
import { toast } from '../../../platform/web/ui/toast.tsx'
import { countOf } from '../../../platform/words.ts'
import { whomOf } from '../../acts/web/whom.tsx'
import { CANDIDATE_LENGTHS } from '../../kit/candidate-limits.ts'
import { ActionDialog } from '../../kit/web/ask.tsx'
import { ChosenBar } from '../../kit/web/chosen-bar.tsx'
import { useAssessment } from '../../kit/web/console/console.tsx'
import { usePlace } from '../../kit/web/use-act.tsx'
import { type CandidateFacts, changeCandidates, removeCandidates } from '../contract.ts'

const SendDialog = dialogOnDemand(async () => (await import('./send-dialog.tsx')).SendDialog)
const TimeDialog = dialogOnDemand(
  async () => (await import('../../acts/web/time-dialog.tsx')).TimeDialog,
)

type Asked = 'mail' | 'room' | 'time' | 'remove'

/** What can be done with the ticked candidates. */
export function TickedBar(props: { ticked: readonly CandidateFacts[]; onDone: () => void }) {
  const { ticked, onDone } = props
  const place = usePlace()
  const { isDraft } = useAssessment()
  const navigate = useNavigate()
  const [asked, setAsked] = useState<Asked | null>(null)
  const close = () => setAsked(null)
  const done = () => {
    close()
    onDone()
  }
  const candidates = ticked.map(({ id }) => id)
  const count = ticked.length
  const asks = { input: { params: place, body: { candidates } }, onClose: close }
  const asker = (what: Asked, words: string, isOff = false) => (
    <button type="button" aria-disabled={isOff} onClick={() => !isOff && setAsked(what)}>
      {words}
    </button>
  )
  return (
    <>
      <ChosenBar count={count} onUntick={onDone}>
        {asker('mail', 'Mail', isDraft)}
        {asker('room', 'Room')}
        {asker('time', 'Extra time')}
        <button
          type="button"
          onClick={() =>
            void navigate(assessmentUrl(place.society, place.code, 'candidates/slips'), {
              state: { candidates },
            })
          }
        >
          Slips
        </button>
        {asker('remove', 'Remove')}
      </ChosenBar>
      {asked === 'mail' && <SendDialog candidates={ticked} onClose={done} />}
      {asked === 'room' && (
        <ActionDialog
          {...asks}
          title={`A room for ${countOf(count, 'candidate')}`}
          endpoint={changeCandidates}
          fields={{
            room: {
              kind: 'text',
              label: 'Room',
              hint: 'Leave empty for no room.',
              maxLength: CANDIDATE_LENGTHS.room,
              empty: null,
            },
          }}
          button={[`Set the room of ${count}`, 'Saving…']}
          done={({ changed }) => {
            toast.success(`Room set for ${countOf(changed, 'candidate')}`)
            onDone()
          }}
        />
      )}
      {asked === 'time' && (
        <TimeDialog
          options={whomOf(ticked, false).slice(0, 1)}
          kinds={
            ticked.some(({ attempt }) => attempt !== 'none') ? ['plan', 'give', 'end_at'] : ['plan']
          }
          onClose={close}
          onDone={done}
        />
      )}
      {asked === 'remove' && (
        <ActionDialog
          {...asks}
          title={`Remove ${countOf(count, 'candidate')}?`}
          text={removalWords(ticked)}
          endpoint={removeCandidates}
          button={[`Remove ${count}`, 'Removing…']}
          done={({ removed, shutOut }) => {
            toast.success(`${removed} removed${shutOut > 0 ? `, ${shutOut} shut out` : ''}`)
            onDone()
          }}
        />
      )}
    </>
  )
}

function removalWords(ticked: readonly CandidateFacts[]): string {
  const started = ticked.filter(({ attempt }) => attempt !== 'none').length
  const gone = ticked.length - started
  return [
    gone > 0 && `${countOf(gone, 'candidate')} will be deleted with everything saved about them.`,
    started > 0 &&
      `${countOf(started, 'candidate has', 'candidates have')} started, so the answers stay and access ends.`,
    'The passwords stop working.',
  ]
    .filter(Boolean)
    .join(' ')
}
