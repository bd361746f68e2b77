import { useState } from 'react'
import { useNavigate } from 'react-router'
import { assessmentUrl } from '../../../platform/urls.ts'
import { dialogOnDemand } from '../../../platform/web/ui/on-demand.ts'
import type { CandidateFacts } from '../../contract/candidates.ts'
import { whomOf } from '../acts/whom.tsx'
import { useAssessment } from '../console/console.tsx'
import { usePlace } from '../kit/use-act.tsx'

const RemoveDialog = dialogOnDemand(async () => (await import('./chosen-dialogs.tsx')).RemoveDialog)
const RoomDialog = dialogOnDemand(async () => (await import('./chosen-dialogs.tsx')).RoomDialog)
const SendDialog = dialogOnDemand(async () => (await import('./send-dialog.tsx')).SendDialog)
const TimeDialog = dialogOnDemand(async () => (await import('../acts/time-dialog.tsx')).TimeDialog)

type Asked = 'mail' | 'room' | 'time' | 'remove'

/** What can be done with the ticked rows. */
export function ChosenBar(props: { ticked: readonly CandidateFacts[]; onDone: () => void }) {
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
  const slips = () =>
    void navigate(assessmentUrl(place.society, place.code, 'candidates/slips'), {
      state: { candidates: ticked.map(({ id }) => id) },
    })
  return (
    <>
      <section className="chosen-bar" aria-label="With the ticked candidates">
        <span className="mr-2">{ticked.length} ticked</span>
        <button type="button" aria-disabled={isDraft} onClick={() => !isDraft && setAsked('mail')}>
          Mail
        </button>
        <button type="button" onClick={() => setAsked('room')}>
          Room
        </button>
        <button type="button" onClick={() => setAsked('time')}>
          Extra time
        </button>
        <button type="button" onClick={slips}>
          Slips
        </button>
        <button type="button" onClick={() => setAsked('remove')}>
          Remove
        </button>
        <button type="button" onClick={onDone}>
          Untick
        </button>
      </section>
      {asked === 'mail' && <SendDialog candidates={ticked} onClose={done} />}
      {asked === 'room' && <RoomDialog ticked={ticked} onClose={close} onDone={done} />}
      {asked === 'time' && (
        <TimeDialog
          options={whomOf(ticked, { rooms: [], all: false }).slice(0, 1)}
          kinds={
            ticked.some(({ attempt }) => attempt !== 'none') ? ['plan', 'give', 'end_at'] : ['plan']
          }
          onClose={close}
          onDone={done}
        />
      )}
      {asked === 'remove' && <RemoveDialog ticked={ticked} onClose={close} onDone={done} />}
    </>
  )
}
