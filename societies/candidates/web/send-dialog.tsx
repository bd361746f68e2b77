import { useState } from 'react'
import { toast } from '../../../platform/web/ui/toast.tsx'
import { countOf, listOf } from '../../../platform/words.ts'
import { ActionDialog } from '../../kit/web/ask.tsx'
import { useAssessment } from '../../kit/web/console/console.tsx'
import { usePlace } from '../../kit/web/use-act.tsx'
import { zoneTime } from '../../kit/zone-time.ts'
import { type CandidateFacts, sendCredentials } from '../contract.ts'
import { LetterPreview } from './letter-dialog.tsx'
import { passwordStateOf } from './mail-words.ts'

/** Asks before passwords are mailed: how many, who is using the old one, and what the mail says. */
export function SendDialog(props: { candidates: readonly CandidateFacts[]; onClose: () => void }) {
  const { candidates } = props
  const place = usePlace()
  const { timeZone } = useAssessment()
  const [isTextShown, setIsTextShown] = useState(false)
  const able = candidates.filter(
    (one) => one.email !== null && !one.isRevoked && passwordStateOf(one) !== 'waiting',
  )
  const replaced = able.filter(({ passwordMadeAt }) => passwordMadeAt !== null).length
  const left = candidates.length - able.length
  const [first] = able
  return (
    <ActionDialog
      title={
        candidates.length === 1
          ? `A new password for ${candidates[0]?.name ?? candidates[0]?.username}`
          : `Send ${countOf(able.length, 'password')}`
      }
      text={
        able.length === 1
          ? `${first?.email} gets a mail with a new password, made when the mail leaves.`
          : `${able.length} candidates each get a mail with their own password, made when the mail leaves.`
      }
      endpoint={sendCredentials}
      input={{ params: place, body: { candidates: able.map(({ id }) => id) } }}
      button={[`Send ${countOf(able.length, 'mail')}`, 'Sending…']}
      done={({ queued, untilAt }) =>
        toast.success(
          `${countOf(queued, 'mail')} on the way`,
          queued > 20 ? `The last one leaves at ${zoneTime(untilAt, timeZone)}.` : undefined,
        )
      }
      onClose={props.onClose}
    >
      {replaced > 0 && (
        <p>
          {replaced === 1 ? 'One already has' : `${replaced} already have`} a password. It stops
          working when the new one has left.
        </p>
      )}
      <InsideWarning candidates={able} />
      {left > 0 && (
        <p className="text-ink-2">
          {countOf(left, 'candidate gets', 'candidates get')} no mail, because they have no address
          or a mail is already waiting.
        </p>
      )}
      <button
        type="button"
        className="quiet-link justify-self-start"
        aria-expanded={isTextShown}
        onClick={() => setIsTextShown(!isTextShown)}
      >
        {isTextShown ? 'Hide the text of the mail' : 'Show the text of the mail'}
      </button>
      {isTextShown && <LetterPreview sample={first} />}
    </ActionDialog>
  )
}

/** Candidates who are taking the test with the old password have to enter the new one. */
export function InsideWarning({ candidates }: { candidates: readonly CandidateFacts[] }) {
  const inside = candidates.filter(({ attempt, isWaiting }) => attempt === 'inside' || isWaiting)
  if (inside.length === 0) return null
  const names = inside.slice(0, 3).map(({ name, username }) => name ?? username)
  const others = inside.length - names.length
  return (
    <p className="warning">
      <span>
        <b className="font-semibold">
          {listOf(others > 0 ? [...names, `${others} more`] : names)}{' '}
          {inside.length === 1 ? 'is' : 'are'} taking the test with the old password.
        </b>{' '}
        Their test stops until they enter the new one. Answers are kept, and the clock keeps
        running.
      </span>
    </p>
  )
}
