import { useId, useState } from 'react'
import { Link } from 'react-router'
import { call } from '../../../platform/web/api.ts'
import { dialogOnDemand } from '../../../platform/web/ui/on-demand.ts'
import { toast } from '../../../platform/web/ui/toast.tsx'
import { useEndpoint } from '../../../platform/web/use-endpoint.ts'
import { Acts } from '../../acts/web/acts.tsx'
import { CANDIDATE_LENGTHS } from '../../kit/candidate-limits.ts'
import { readExtraTime } from '../../kit/minutes.ts'
import {
  ChangedMeanwhile,
  changedFields,
  isStale,
} from '../../kit/web/console/changed-meanwhile.tsx'
import { useAssessment } from '../../kit/web/console/console.tsx'
import { AreaField, Segments, TextField, Tick } from '../../kit/web/fields.tsx'
import { Stepper } from '../../kit/web/stepper.tsx'
import { ActButton, useAct, usePlace, useUrlOf } from '../../kit/web/use-act.tsx'
import { zoneMoment } from '../../kit/zone-time.ts'
import { EXEMPTIONS } from '../../setup/exemptions.ts'
import { type CandidateFacts, changeCandidate, getCandidate } from '../contract.ts'
import { minutesOf, plainMailError } from '../credential-letter.ts'
import { passwordStateOf } from './candidate-states.ts'
import { isWhole, OtherStart, type OtherTime } from './other-start.tsx'

const SendDialog = dialogOnDemand(async () => (await import('./mail-dialogs.tsx')).SendDialog)

const fieldsOf = ({ starts, ...one }: CandidateFacts) => {
  const { name, email, room, note, extraSeconds, exemptKinds } = one
  const other: OtherTime | null = starts && { from: starts.from, until: starts.until }
  return { name, email, room, note, extraSeconds, exemptKinds, starts: other }
}
type Fields = ReturnType<typeof fieldsOf>
const formOf = (read: CandidateFacts) => ({ read, fields: fieldsOf(read) })

interface Part {
  one: CandidateFacts
  fields: Fields
  put: (more: Partial<Fields>) => void
  mayChange: boolean
}

/** An expanded row: extra time, exemptions, and the password (product 7.10.6). */
export function CandidateDetails({ one, mayChange }: { one: CandidateFacts; mayChange: boolean }) {
  const place = usePlace()
  const params = { ...place, candidate: one.id }
  const [form, setForm] = useState(() => formOf(one))
  const isChanged = changedFields(fieldsOf(form.read), form.fields).length > 0
  // A form without changes shows other members' changes.
  const { read, fields } = isChanged || form.read.version >= one.version ? form : formOf(one)
  const put = (more: Partial<Fields>) => setForm({ read, fields: { ...fields, ...more } })
  const save = useAct(
    () => call(changeCandidate, { params, body: { ...fields, version: read.version } }),
    (saved) => {
      setForm(formOf(saved))
      toast.success('Saved')
    },
  )
  // The history is fetched again when the mail's state changes.
  const also = [one.mail?.state, one.mail?.at]
  const history = useEndpoint(getCandidate, { params }, { also }).data
  const part = { one, fields, put, mayChange }
  return (
    <div className="px-7.5 pt-4.5 pb-5 max-md:px-0">
      {/* Organizers can also help a candidate who has started from here (product 7.15). */}
      {one.attempt !== 'none' && (
        <div className="mb-5 flex flex-wrap gap-2">
          <Acts chosen={[{ ...one, where: one.attempt === 'inside' ? 'running' : 'submitted' }]} />
        </div>
      )}
      <ChangedMeanwhile
        save={save}
        typed={fields}
        // After a rejected save, the list has already been reloaded.
        onReload={() => setForm(formOf(one))}
        onPutBack={put}
      />
      {mayChange && (
        <form
          className="mb-5 grid gap-x-5 gap-y-3 md:grid-cols-[1fr_1fr_120px]"
          onSubmit={(event) => {
            event.preventDefault()
            if (isChanged && isWhole(fields.starts)) save.run()
          }}
        >
          {(['name', 'email', 'room'] as const).map((field) => (
            <TextField
              key={field}
              label={{ name: 'Name', email: 'Address', room: 'Room' }[field]}
              maxLength={CANDIDATE_LENGTHS[field]}
              value={fields[field] ?? ''}
              onChange={(event) => put({ [field]: event.target.value || null })}
            />
          ))}
        </form>
      )}
      <div className="grid gap-x-11 gap-y-6 lg:grid-cols-[300px_minmax(0,1fr)_336px]">
        <ExtraTime {...part} givenSeconds={history?.givenSeconds ?? 0} />
        <section>
          {(mayChange || one.starts) && (
            <OtherStart
              name={one.name ?? one.username}
              extraSeconds={fields.extraSeconds}
              starts={fields.starts}
              isFixed={!mayChange || one.attempt !== 'none'}
              hasStarted={one.attempt !== 'none'}
              onChange={(starts) => put({ starts })}
            />
          )}
          <h3 className="mb-2.5">Not counted for this candidate</h3>
          {EXEMPTIONS.map(({ id, kinds, label, why }) => {
            const isIts = (kind: string) => (kinds as readonly string[]).includes(kind)
            const others = fields.exemptKinds.filter((kind) => !isIts(kind))
            return (
              <Tick
                key={id}
                label={label}
                hint={why}
                disabled={!mayChange}
                checked={others.length < fields.exemptKinds.length}
                onChange={(isOn) => put({ exemptKinds: isOn ? [...others, ...kinds] : others })}
              />
            )
          })}
          <p className="hint mt-2 text-ink-2">
            Recorded, but never a strike. All other rules apply.
          </p>
        </section>
        <Password one={one} mayChange={mayChange} mails={history?.mails} />
      </div>
      {mayChange && (
        <div className="mt-5 flex flex-wrap items-center gap-3">
          <ActButton
            act={{ ...save, problem: isStale(save.failure) ? null : save.problem }}
            className="btn btn-small"
            busy="Saving…"
            can={isChanged && isWhole(fields.starts)}
          >
            Save the changes
          </ActButton>
        </div>
      )}
    </div>
  )
}

const NONE = 'None'
const SHARES = ['+25 %', '+50 %']
const MINUTES = 'Minutes…'

function ExtraTime({ one, fields, put, mayChange, givenSeconds }: Part & { givenSeconds: number }) {
  const { durationSeconds } = useAssessment()
  const hasStarted = one.attempt !== 'none'
  const planned = hasStarted ? one.extraSeconds : fields.extraSeconds
  const sum = `${minutesOf(durationSeconds)} + ${minutesOf(planned)} = ${minutesOf(durationSeconds + planned)} minutes`
  const id = useId()
  const read = (text: string) => readExtraTime(text || '0', durationSeconds)
  const shares = SHARES.filter((share) => read(share)?.seconds === fields.extraSeconds)
  const [isTyping, setIsTyping] = useState(fields.extraSeconds > 0 && shares.length === 0)
  // Typed text isn't reformatted until the field loses focus.
  const [typed, setTyped] = useState<string | null>(null)
  const isWrong = typed !== null && !read(typed)
  const chosen = isTyping ? MINUTES : (shares[0] ?? NONE)
  const choose = (value: string) => {
    setTyped(null)
    setIsTyping(value === MINUTES)
    if (value !== MINUTES) put({ extraSeconds: read(value === NONE ? '' : value)?.seconds ?? 0 })
  }
  return (
    <section>
      <h3 className="mb-2.5">Extra time</h3>
      {mayChange && !hasStarted ? (
        <div className="mb-2 grid justify-items-start gap-2">
          <Segments
            legend="Extra time"
            options={[NONE, ...SHARES, MINUTES].map((value) => [value, value] as const)}
            value={chosen}
            onChange={choose}
          />
          {isTyping && (
            <Stepper
              label="Planned extra minutes"
              unit="minute"
              shown="min"
              value={typed ?? minutesOf(fields.extraSeconds)}
              describedBy={`${id}-becomes`}
              isWrong={isWrong}
              onType={(text) => {
                setTyped(text)
                const extra = read(text)
                if (extra) put({ extraSeconds: extra.seconds })
              }}
              onStep={(by) => {
                setTyped(null)
                put({ extraSeconds: Math.max(0, Math.min(86_400, fields.extraSeconds + by * 60)) })
              }}
              onLeave={() => setTyped(null)}
            />
          )}
          <span id={`${id}-becomes`} className="hint text-ink-2">
            {isWrong ? (
              <b className="amber font-medium">minutes, or a percentage such as 30%</b>
            ) : (
              sum
            )}
          </span>
        </div>
      ) : (
        <p className="mb-2">Planned: {sum}</p>
      )}
      {givenSeconds !== 0 && (
        <p className="mb-2">Given on the day: {minutesOf(givenSeconds)} minutes</p>
      )}
      <p className="hint text-ink-2">
        {hasStarted
          ? 'Fixed at the start. Give more time under Live.'
          : 'The candidate sees it before the start. Minutes given on the day are added to it.'}
      </p>
      {mayChange ? (
        <AreaField
          className="mt-3.5"
          label="Note for the team"
          maxLength={CANDIDATE_LENGTHS.note}
          value={fields.note ?? ''}
          onChange={(note) => put({ note: note.replace(/\n/g, ' ') || null })}
        />
      ) : (
        one.note && <p className="mt-3">Note: {one.note}</p>
      )}
    </section>
  )
}

type Mail = NonNullable<CandidateFacts['mail']>

function Password(props: {
  one: CandidateFacts
  mayChange: boolean
  mails: readonly Mail[] | undefined
}) {
  const { one, mails } = props
  const urlOf = useUrlOf()
  const { timeZone, isDraft } = useAssessment()
  const [isAsking, setIsAsking] = useState(false)
  const lines = (mails ?? []).map((mail) => ({
    ...{ at: mail.at, text: mailSentence(mail), state: mail.state as string },
    answer: mail.state === 'failed' ? mail.error : null,
  }))
  if (passwordStateOf(one) === 'paper' && one.passwordMadeAt) {
    const text = 'printed on a credential sheet, the one that works'
    lines.push({ at: one.passwordMadeAt, text, state: 'paper', answer: null })
  }
  const canMail = one.email !== null && !one.isRevoked && !isDraft
  return (
    <section>
      <h3 className="mb-2.5">Password</h3>
      <ul className="mb-3 grid gap-1.5 text-[13.5px]">
        {lines.map(({ at, text, state, answer }) => (
          <li key={`${at} ${text}`} className="grid grid-cols-[124px_1fr] gap-x-3">
            <time dateTime={at} className="text-ink-2">
              {zoneMoment(at, timeZone, Date.now())}
            </time>
            <span className={state === 'failed' || state === 'unsure' ? 'amber' : ''}>
              {text}
              {answer && <small className="hint block text-ink-2">The server said: {answer}</small>}
            </span>
          </li>
        ))}
        {one.passwordMadeAt === null && mails?.length === 0 && (
          <li className="text-ink-2">No password yet.</li>
        )}
      </ul>
      <div className="flex flex-wrap gap-2">
        <button
          type="button"
          className="btn btn-small"
          aria-disabled={!canMail}
          onClick={() => canMail && setIsAsking(true)}
        >
          Send a new one
        </button>
        <Link
          to={urlOf('candidates/slips')}
          state={{ candidates: [one.id] }}
          className="btn btn-ghost btn-small"
        >
          {one.isRevoked ? 'Let in again with a credential sheet' : 'Print a credential sheet'}
        </Link>
      </div>
      <p className="hint mt-2 text-ink-2">
        {isDraft
          ? 'Publish the test to send passwords.'
          : one.email === null
            ? `There is no address, so print a credential sheet.${props.mayChange ? ' Or add an address above.' : ''}`
            : 'A new password replaces the old one.'}
      </p>
      {isAsking && <SendDialog candidates={[one]} onClose={() => setIsAsking(false)} />}
    </section>
  )
}

const STOPPED: Readonly<Record<string, string>> = {
  asked: 'stopped by an organizer',
  address_changed: 'stopped, because the address was changed',
  shut_out: 'stopped, because the candidate was shut out',
  not_open: 'stopped, because no candidate can start anymore',
}

function mailSentence({ state, address, error }: Mail): string {
  const meaning = plainMailError(error ?? '')
  switch (state) {
    case 'queued':
      return error
        ? `waiting for another try to ${address}. ${meaning}`
        : `waiting to leave for ${address}`
    case 'sent':
      return `sent to ${address}`
    case 'failed':
      return `refused for ${address}. ${meaning}`
    case 'stopped':
      return STOPPED[error ?? ''] ?? 'stopped'
    default:
      return `may have been sent to ${address}: the server stopped at that moment. If it did not arrive, send a new one.`
  }
}
