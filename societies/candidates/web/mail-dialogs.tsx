import { useState } from 'react'
import { URLS } from '../../../platform/urls.ts'
import { call } from '../../../platform/web/api.ts'
import { toast } from '../../../platform/web/ui/toast.tsx'
import { useEndpoint } from '../../../platform/web/use-endpoint.ts'
import { countOf, listOf } from '../../../platform/words.ts'
import { PARAGRAPH_LENGTH } from '../../kit/candidate-limits.ts'
import { ActionDialog } from '../../kit/web/ask.tsx'
import { ChangedMeanwhile, isStale } from '../../kit/web/console/changed-meanwhile.tsx'
import { useAssessment } from '../../kit/web/console/console.tsx'
import { DialogFrame } from '../../kit/web/dialog-frame.tsx'
import { AreaField } from '../../kit/web/fields.tsx'
import { useAct, usePlace } from '../../kit/web/use-act.tsx'
import { zoneTime } from '../../kit/zone-time.ts'
import { type CandidateFacts, changeLetter, getLetter, sendCredentials } from '../contract.ts'
import { credentialLetter } from '../credential-letter.ts'
import { passwordStateOf } from './candidate-states.ts'

type Sample =
  | Pick<CandidateFacts, 'name' | 'username' | 'room' | 'extraSeconds' | 'starts'>
  | undefined

export function LetterDialog(props: { mayChange: boolean; sample: Sample; onClose: () => void }) {
  const { mayChange, sample, onClose } = props
  const place = usePlace()
  const letter = useEndpoint(getLetter, { params: place })
  // The draft keeps the version it's based on, because a newer one may be fetched meanwhile.
  const [written, setWritten] = useState<{ text: string; version: number } | null>(null)
  const version = letter.data?.version ?? 0
  const paragraph = written?.text ?? letter.data?.paragraph ?? ''
  const save = useAct(
    () =>
      call(changeLetter, {
        params: place,
        body: { paragraph, version: written?.version ?? version },
      }),
    () => {
      toast.success('Text saved', 'Emails that haven’t been sent yet use it too.')
      onClose()
    },
  )
  return (
    <DialogFrame
      title="The text of the email"
      wide
      button={mayChange ? ['Save the text', 'Saving…'] : null}
      problem={isStale(save.failure) ? null : save.problem}
      isReady={letter.data !== undefined}
      isBusy={save.isBusy}
      onAct={() => letter.data && save.run()}
      onClose={onClose}
    >
      {mayChange && (
        <AreaField
          label="Your own paragraph, plain text"
          rows={3}
          maxLength={PARAGRAPH_LENGTH}
          placeholder="For example, where to go and what to bring"
          value={paragraph}
          onChange={(text) => setWritten({ version, ...written, text })}
        />
      )}
      <LetterPreview sample={sample} paragraph={paragraph} />
      <ChangedMeanwhile
        save={save}
        typed={paragraph}
        // After a rejected save, the text has already been reloaded.
        onReload={() => setWritten(null)}
        onPutBack={(text) => setWritten({ text, version })}
      />
    </DialogFrame>
  )
}

function LetterPreview({ sample, paragraph }: { sample: Sample; paragraph?: string }) {
  const place = usePlace()
  const assessment = useAssessment()
  const letter = useEndpoint(getLetter, { params: place })
  if (!letter.data) return <p className="text-ink-2">Loading the text…</p>
  const dateOf = (at: string | null) => (at ? new Date(at) : null)
  const { subject, parts } = credentialLetter(
    {
      ...assessment,
      ...letter.data,
      opensAt: dateOf(sample?.starts?.fromAt ?? assessment.opensAt),
      closesAt: dateOf(sample?.starts?.untilAt ?? assessment.closesAt),
      paragraph: paragraph ?? letter.data.paragraph,
    },
    {
      ...(sample ?? { name: 'Ana Silva', username: 'ana.silva', extraSeconds: 0, room: '2.11' }),
      // Each candidate's own code is created when the mail leaves.
      hasOwnStart: !!sample?.starts,
      rehearsalLink: `${location.origin}${URLS.rehearsal}#…`,
    },
    'made when the email is sent',
  )
  return (
    <div className="rounded-md border border-line bg-paper px-5 py-4 text-[13.5px]">
      <p className="mb-3 border-line border-b pb-2">
        <span className="text-ink-2">Subject:</span> <b className="font-medium">{subject}</b>
      </p>
      <div className="grid gap-2">
        {parts.map((part, index) => {
          const isText = typeof part === 'string'
          const look = isText
            ? 'break-words'
            : 'code' in part
              ? 'font-mono text-[15px]'
              : 'break-all'
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text have no other name
            <p key={index} className={look}>
              {isText ? part : 'code' in part ? part.code : `${part.button}: ${part.link}`}
            </p>
          )
        })}
      </div>
    </div>
  )
}

/** Confirms before passwords are mailed. It shows how many leave, who is using the old one, and the mail's text. */
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
  const [only, ...others] = candidates
  return (
    <ActionDialog
      title={
        only && others.length === 0
          ? `A new password for ${only.name ?? only.username}`
          : `Send ${countOf(able.length, 'password')}`
      }
      text={
        able.length === 1
          ? `${first?.email} gets an email with a new password, made when the email is sent.`
          : `${able.length} candidates each get an email with their own password, made when the email is sent.`
      }
      endpoint={sendCredentials}
      input={{ params: place, body: { candidates: able.map(({ id }) => id) } }}
      button={[`Send ${countOf(able.length, 'email')}`, 'Sending…']}
      done={({ queued, untilAt }) =>
        toast.success(
          `${countOf(queued, 'email')} on the way`,
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
          {countOf(left, 'candidate gets', 'candidates get')} no email, because they have no address
          or an email is already waiting.
        </p>
      )}
      <button
        type="button"
        className="quiet-link justify-self-start"
        aria-expanded={isTextShown}
        onClick={() => setIsTextShown(!isTextShown)}
      >
        {isTextShown ? 'Hide the text of the email' : 'Show the text of the email'}
      </button>
      {isTextShown && <LetterPreview sample={first} />}
    </ActionDialog>
  )
}

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
