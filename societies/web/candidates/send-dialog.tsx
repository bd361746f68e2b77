import { useState } from 'react'
import { toast } from '../../../platform/web/ui/toast.tsx'
import { countOf } from '../../../platform/words.ts'
import { type CandidateFacts, sendCredentials } from '../../contract/candidates.ts'
import { zoneTime } from '../../zone-time.ts'
import { useAssessment } from '../console/console.tsx'
import { ActionDialog } from '../kit/ask.tsx'
import { usePlace } from '../kit/use-act.tsx'
import { LetterPreview } from './letter-preview.tsx'
import { passwordStateOf } from './mail-words.ts'

/** Asks before passwords leave: how many, who is inside by the old one, and what the mail says. */
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
          ? `One mail goes to ${first?.email}, with a new password that is made when it leaves.`
          : `Each of the ${able.length} gets a mail with a password of their own, made when it leaves.`
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
          {replaced === 1 ? 'One has' : `${replaced} have`} a password already. It stops working
          once the new one has left.
        </p>
      )}
      <InsideWarning candidates={able} />
      {left > 0 && (
        <p className="text-ink-2">
          {left} {left === 1 ? 'has' : 'have'} no address, or a mail that waits already: nothing is
          sent to {left === 1 ? 'this one' : 'them'}.
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

/** Whoever sits the test by the old password has to enter the new one. */
export function InsideWarning({ candidates }: { candidates: readonly CandidateFacts[] }) {
  const inside = candidates.filter(({ attempt, isWaiting }) => attempt === 'inside' || isWaiting)
  if (inside.length === 0) return null
  const names = inside.slice(0, 3).map(({ name, username }) => name ?? username)
  const others = inside.length - names.length
  return (
    <p className="warning">
      <span>
        <b className="font-semibold">
          {names.join(', ')}
          {others > 0 ? ` and ${others} more are` : inside.length === 1 ? ' is' : ' are'} inside by
          the old password.
        </b>{' '}
        The test stops there until the new one is entered. Answers and time are kept; the clock goes
        on.
      </span>
    </p>
  )
}
