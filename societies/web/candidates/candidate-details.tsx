import { useId, useState } from 'react'
import { useNavigate } from 'react-router'
import { describeDuration } from '../../../platform/durations.ts'
import { assessmentUrl } from '../../../platform/urls.ts'
import { call } from '../../../platform/web/api.ts'
import { dialogOnDemand } from '../../../platform/web/ui/on-demand.ts'
import { toast } from '../../../platform/web/ui/toast.tsx'
import { CANDIDATE_LENGTHS } from '../../candidate-limits.ts'
import { type CandidateFacts, changeCandidate } from '../../contract/candidates.ts'
import { minutesOf } from '../../credential-letter.ts'
import { EXEMPTIONS } from '../../exemptions.ts'
import { readExtraTime } from '../../minutes.ts'
import { zoneMoment } from '../../zone-time.ts'
import { Acts } from '../acts/acts.tsx'
import { changedFields } from '../console/changed-fields.ts'
import { ChangedMeanwhile, isStale } from '../console/changed-meanwhile.tsx'
import { useAssessment } from '../console/console.tsx'
import { AreaField, TextField, Tick } from '../kit/fields.tsx'
import { Stepper } from '../kit/stepper.tsx'
import { ActButton, useAct, usePlace } from '../kit/use-act.tsx'
import { mailSentence, passwordStateOf } from './mail-words.ts'
import { useHistory } from './use-mail-watch.ts'

const SendDialog = dialogOnDemand(async () => (await import('./send-dialog.tsx')).SendDialog)

/** What an organiser may change of a candidate. */
type Fields = Pick<
  CandidateFacts,
  'name' | 'email' | 'room' | 'note' | 'extraSeconds' | 'exemptKinds'
>

const fieldsOf = ({ name, email, room, note, extraSeconds, exemptKinds }: Fields): Fields => ({
  name,
  email,
  room,
  note,
  extraSeconds,
  exemptKinds,
})

/** A row that is open: extra time, what is not counted, and the password (product 7.10.6). */
export function CandidateDetails({ one, mayChange }: { one: CandidateFacts; mayChange: boolean }) {
  const place = usePlace()
  // What the form began with: the list is read again meanwhile, and may be newer.
  const [read, setRead] = useState<Fields & { version: number }>(() => ({
    ...fieldsOf(one),
    version: one.version,
  }))
  const [fields, setFields] = useState(() => fieldsOf(one))
  const put = (more: Partial<Fields>) => setFields((now) => ({ ...now, ...more }))
  const isChanged = changedFields(fieldsOf(read), fields).length > 0
  const show = (next: CandidateFacts) => {
    setRead({ ...fieldsOf(next), version: next.version })
    setFields(fieldsOf(next))
  }
  // A form in which nothing was typed follows what others change.
  if (one.version > read.version && !isChanged) show(one)
  const save = useAct(
    () =>
      call(changeCandidate, {
        params: { ...place, candidate: one.id },
        body: { ...fields, version: read.version },
      }),
    (saved) => {
      show(saved)
      toast.success('Saved')
    },
  )
  return (
    <div className="px-7.5 pt-4.5 pb-5 max-md:px-0">
      {/* Whoever has started can be helped from here too (product 7.15). */}
      {one.attempt !== 'none' && (
        <div className="mb-5 flex flex-wrap gap-2">
          <Acts chosen={[{ ...one, where: one.attempt === 'inside' ? 'running' : 'submitted' }]} />
        </div>
      )}
      <ChangedMeanwhile
        error={save.failure}
        typed={fields}
        onReload={() => {
          // The list was read again after the refusal.
          show(one)
          save.reset()
        }}
        onPutBack={setFields}
      />
      {mayChange && (
        <form
          className="mb-5 grid gap-x-5 gap-y-3 md:grid-cols-[1fr_1fr_120px]"
          onSubmit={(event) => {
            event.preventDefault()
            if (isChanged) save.run()
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
        <ExtraTime one={one} fields={fields} put={put} mayChange={mayChange} />
        <NotCounted fields={fields} put={put} mayChange={mayChange} />
        <Password one={one} mayChange={mayChange} />
      </div>
      {mayChange && (
        <div className="mt-5 flex flex-wrap items-center gap-3">
          <ActButton
            act={{ ...save, problem: isStale(save.failure) ? null : save.problem }}
            className="btn btn-small"
            busy="Saving…"
            can={isChanged}
          >
            Save the changes
          </ActButton>
        </div>
      )}
    </div>
  )
}

interface Part {
  fields: Fields
  put: (more: Partial<Fields>) => void
}

function ExtraTime({
  one,
  fields,
  put,
  mayChange,
}: Part & { one: CandidateFacts; mayChange: boolean }) {
  const { durationSeconds } = useAssessment()
  const history = useHistory(one)
  const given = history.data?.givenSeconds ?? 0
  const hasStarted = one.attempt !== 'none'
  const planned = hasStarted ? one.extraSeconds : fields.extraSeconds
  const whole = minutesOf(durationSeconds + planned)
  const id = useId()
  // As it is typed: '25%' becomes minutes, and is told what it became.
  const [typed, setTyped] = useState<string | null>(null)
  const [share, setShare] = useState<string | null>(null)
  const extra = typed === null ? undefined : readExtraTime(typed || '0', durationSeconds)
  const step = (by: number) => {
    setTyped(null)
    setShare(null)
    put({ extraSeconds: Math.max(0, Math.min(86_400, fields.extraSeconds + by * 60)) })
  }
  return (
    <section>
      <h3 className="mb-2.5">Extra time</h3>
      {mayChange && !hasStarted ? (
        <div className="mb-2 flex items-center gap-2">
          <Stepper
            label="Planned extra minutes"
            unit="minute"
            shown="min"
            value={typed ?? minutesOf(fields.extraSeconds)}
            describedBy={`${id}-becomes`}
            isWrong={extra === null}
            onType={(text) => {
              setTyped(text)
              const found = readExtraTime(text || '0', durationSeconds)
              if (found) put({ extraSeconds: found.seconds })
              setShare(found?.share ?? null)
            }}
            onStep={step}
            onLeave={() => setTyped(null)}
          />
          <span id={`${id}-becomes`} className="hint text-ink-2">
            {extra === null ? (
              <b className="amber font-medium">minutes, or a percentage such as 25%</b>
            ) : (
              <>
                {share && `${share} is ${describeDuration(fields.extraSeconds)}: `}
                {minutesOf(durationSeconds)} + {minutesOf(planned)} = {whole} minutes
              </>
            )}
          </span>
        </div>
      ) : (
        <p className="mb-2">
          Planned: {minutesOf(durationSeconds)} + {minutesOf(planned)} = {whole} minutes
        </p>
      )}
      {given !== 0 && <p className="mb-2">Given on the day: {minutesOf(given)} minutes</p>}
      <p className="hint text-ink-2">
        {hasStarted
          ? 'Fixed at the start. More time on the day is given under Live.'
          : `Planned before the day and kept apart from minutes given on the day. The candidate reads it before the start.`}
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

function NotCounted({ fields, put, mayChange }: Part & { mayChange: boolean }) {
  const isOn = (kinds: readonly string[]) => kinds.some((kind) => fields.exemptKinds.includes(kind))
  const toggle = (kinds: readonly string[]) => {
    const others = fields.exemptKinds.filter((kind) => !kinds.includes(kind))
    put({ exemptKinds: isOn(kinds) ? others : [...others, ...kinds] })
  }
  return (
    <section>
      <h3 className="mb-2.5">Not counted for this person</h3>
      {EXEMPTIONS.map(({ id, kinds, label, why }) => (
        <Tick
          key={id}
          label={label}
          hint={why}
          disabled={!mayChange}
          checked={isOn(kinds)}
          onChange={() => toggle(kinds)}
        />
      ))}
      <p className="hint mt-2 text-ink-2">
        Still written down, never a strike. All other rules hold.
      </p>
    </section>
  )
}

function Password({ one, mayChange }: { one: CandidateFacts; mayChange: boolean }) {
  const place = usePlace()
  const { timeZone, isDraft } = useAssessment()
  const navigate = useNavigate()
  const history = useHistory(one)
  const [isAsking, setIsAsking] = useState(false)
  const nowMs = Date.now()
  const moment = (iso: string) => zoneMoment(iso, timeZone, nowMs)
  const canMail = one.email !== null && !one.isRevoked && !isDraft
  return (
    <section>
      <h3 className="mb-2.5">Password</h3>
      <ul className="mb-3 grid gap-1.5 text-[13.5px]">
        {history.data?.mails.map((mail) => (
          <li key={mail.createdAt} className="grid grid-cols-[124px_1fr] gap-x-3">
            <time dateTime={mail.at} className="text-ink-2">
              {moment(mail.at)}
            </time>
            <span className={mail.state === 'failed' || mail.state === 'unsure' ? 'amber' : ''}>
              {mailSentence(mail)}
              {mail.error && mail.state === 'failed' && (
                <small className="hint block text-ink-2">It said: {mail.error}</small>
              )}
            </span>
          </li>
        ))}
        {passwordStateOf(one) === 'paper' && one.passwordMadeAt && (
          <li className="grid grid-cols-[124px_1fr] gap-x-3">
            <time dateTime={one.passwordMadeAt} className="text-ink-2">
              {moment(one.passwordMadeAt)}
            </time>
            made on paper; it is the one that counts
          </li>
        )}
        {one.passwordMadeAt === null && history.data?.mails.length === 0 && (
          <li className="text-ink-2">Nobody has a password yet.</li>
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
        <button
          type="button"
          className="btn btn-ghost btn-small"
          onClick={() =>
            void navigate(assessmentUrl(place.society, place.code, 'candidates/slips'), {
              state: { candidates: [one.id] },
            })
          }
        >
          {one.isRevoked ? 'Let in again with a slip' : 'Print a slip'}
        </button>
      </div>
      <p className="hint mt-2 text-ink-2">
        {isDraft
          ? 'This is a draft: no password leaves before it is published.'
          : one.email === null
            ? `There is no address, so a slip is the way.${mayChange ? ' Or write an address above.' : ''}`
            : 'A new password; the lost one opens nothing.'}
      </p>
      {isAsking && <SendDialog candidates={[one]} onClose={() => setIsAsking(false)} />}
    </section>
  )
}
