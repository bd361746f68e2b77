import { useId, useState } from 'react'
import type { AskedTime } from '../../contract/acts.ts'
import { secondsOfMinutes } from '../../minutes.ts'
import { ActDialog } from './parts.tsx'
import { Reason, useReason } from './reason.tsx'
import { TimeOutlook } from './time-outlook.tsx'
import { useTimeAct } from './use-time-act.ts'
import type { Whom } from './whom.tsx'

interface Props {
  whom: Whom
  onClose: () => void
  onDone: () => void
}

/** Opens closed tests again for some minutes from now (product 7.4.3). */
export function ReopenDialog({ whom, onClose, onDone }: Props) {
  const [minutes, setMinutes] = useState('10')
  const id = useId()
  const reason = useReason()
  const seconds = minutes.trim() === '' ? null : secondsOfMinutes(minutes.replace(',', '.'))
  const asked: AskedTime | null = seconds
    ? { to: whom.to, kind: 'reopen', seconds, reopens: false }
    : null
  const time = useTimeAct(asked, {
    said: ({ reopened }) => `Opened ${reopened} again`,
    onDone,
  })
  const count = time.preview?.people.filter(({ outcome }) => outcome === 'reopens').length ?? 0
  return (
    <ActDialog
      size="narrow"
      title={`Open the test of ${whom.name} again`}
      problem={time.problem}
      note="They sign in again on the recruitment page; their answers are as they were."
      button={`Open ${count} again for ${minutes || '…'} min`}
      isReady={time.isCurrent && count > 0 && reason.isGiven}
      isBusy={time.isBusy}
      onAct={() => time.run(reason.reason)}
      onClose={onClose}
    >
      <div className="grid flex-1 content-start gap-4 overflow-y-auto px-6 py-5">
        <div>
          <label htmlFor={id} className="label">
            Minutes from now on
          </label>
          <input
            id={id}
            inputMode="decimal"
            autoComplete="off"
            className="field w-24"
            maxLength={6}
            value={minutes}
            onChange={(event) => setMinutes(event.target.value)}
          />
        </div>
        <Reason of={reason} />
        <Outlook time={time} />
      </div>
    </ActDialog>
  )
}

/** Ends tests at once, with what is answered (product 7.15.7). */
export function EndNowDialog({ whom, onClose, onDone }: Props) {
  const reason = useReason()
  const asked: AskedTime = { to: whom.to, kind: 'end_now', reopens: false }
  const time = useTimeAct(asked, { said: ({ ended }) => `Ended ${ended}`, onDone })
  const ending = time.preview?.people.filter(({ outcome }) => outcome === 'ends') ?? []
  const answered = ending.map((one) => one.answered)
  const items = time.preview?.itemCount ?? 0
  const open = answered.filter((count) => count < items).length
  return (
    <ActDialog
      size="narrow"
      title={`End the test of ${whom.name} now`}
      problem={time.problem}
      note="Answers that are on their way still count for ten seconds. It can be opened again, not undone."
      button={`End ${ending.length} now`}
      isReady={time.isCurrent && ending.length > 0 && reason.isGiven}
      isBusy={time.isBusy}
      onAct={() => time.run(reason.reason)}
      onClose={onClose}
    >
      <div className="grid flex-1 content-start gap-4 overflow-y-auto px-6 py-5">
        {ending.length > 0 && (
          <p className="warning">
            {open === 0
              ? 'Every question is answered.'
              : `${open === 1 && ending.length === 1 ? `${answered[0]} of ${items} questions are answered` : `${open} have questions without an answer`}; what has none counts as wrong.`}{' '}
            The candidate reads that the society has ended the test.
          </p>
        )}
        <Reason of={reason} />
        <Outlook time={time} />
      </div>
    </ActDialog>
  )
}

const Outlook = ({ time }: { time: ReturnType<typeof useTimeAct> }) => (
  <TimeOutlook
    preview={time.preview}
    isCurrent={time.isCurrent}
    isAdding={false}
    mayChangeRooms={false}
    onRoomsChanged={time.refresh}
  />
)
