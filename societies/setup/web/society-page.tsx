import { useQuery } from '@tanstack/react-query'
import { type ChangeEvent, type FormEvent, type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import type { ResponseOf } from '../../../platform/endpoint.ts'
import { URLS } from '../../../platform/urls.ts'
import { call } from '../../../platform/web/api.ts'
import { toast } from '../../../platform/web/ui/toast.tsx'
import { endpointQuery, useEndpoint } from '../../../platform/web/use-endpoint.ts'
import { countOf } from '../../../platform/words.ts'
import * as access from '../../access/contract.ts'
import { FOUND_HASH, nameProblem } from '../../access/contract.ts'
import { LeaveSociety, useWhere } from '../../access/web/reach.tsx'
import { mayOf } from '../../kit/role-words.ts'
import { ChangedMeanwhile, isStale, useReadForm } from '../../kit/web/console/changed-meanwhile.tsx'
import { nameOfAssessment, useSociety } from '../../kit/web/console/console.tsx'
import { mySocietiesQuery } from '../../kit/web/console/queries.ts'
import { useNowMs } from '../../kit/web/console/use-now.ts'
import { TextField } from '../../kit/web/fields.tsx'
import { Loaded } from '../../kit/web/loaded.tsx'
import { Section, Top } from '../../kit/web/section.tsx'
import { Problem, useAct } from '../../kit/web/use-act.tsx'
import { isZone, zoneDay, zoneTime } from '../../kit/zone-time.ts'
import { listDeletedAssessments, restoreAssessment } from '../contract.ts'

type Settings = ResponseOf<typeof access.getSocietySettings>

/** /organise/:society/settings, with deleted tests, the member's own roles, and leaving (product 7.12.8). */
export function SocietySettings() {
  const { society, may } = useSociety()
  const settings = useEndpoint(access.getSocietySettings, { params: { society: society.id } })
  const mayEdit = may('edit_society')
  return (
    <>
      <Top
        title="Society"
        headline={
          settings.data && !settings.data.contact
            ? 'No contact yet: candidates see the contact of each test'
            : 'What candidates and helpers see about your society'
        }
      >
        {mayEdit
          ? 'New assessments start with these. Each can have its own name and time zone.'
          : 'Only owners can change this.'}
      </Top>
      <div className="max-w-[560px]">
        <Loaded of={settings} name="settings" isPart>
          {(read) =>
            mayEdit ? (
              <SettingsForm read={read} />
            ) : (
              <dl className="border-ink border-t">
                <Term name="Name">{read.name}</Term>
                <Term name="Time zone">{read.timeZone}</Term>
                <Term name="Contact for candidates">{read.contact ?? 'no contact'}</Term>
                <Term name="Answers and names are kept">
                  {countOf(read.retentionMonths, 'month')} after the close
                </Term>
              </dl>
            )
          }
        </Loaded>
        {may('delete_test') && <DeletedTests />}
        <YourRoles />
      </div>
    </>
  )
}

const Term = (props: { name: string; children: ReactNode }) => (
  <div className="grid grid-cols-[160px_1fr] gap-4 border-line border-b py-3">
    <dt className="text-ink-2">{props.name}</dt>
    <dd>{props.children}</dd>
  </div>
)

const typedOf = (settings: Settings) => ({
  ...settings,
  contact: settings.contact ?? '',
  retentionMonths: String(settings.retentionMonths),
})

function SettingsForm(props: { read: Settings }) {
  const nowMs = useNowMs(10_000)
  const params = { society: useSociety().society.id }
  const query = endpointQuery(access.getSocietySettings, { params })
  const form = useReadForm(props.read, typedOf, query, (now) => now)
  const { read, typed, setTyped } = form
  const [errors, setErrors] = useState<Partial<Record<keyof Settings, string | null>>>({})
  const text = (field: keyof Settings) => ({
    value: typed[field],
    error: errors[field],
    onChange: (event: ChangeEvent<HTMLInputElement>) =>
      setTyped({ ...typed, [field]: event.target.value }),
  })
  const name = typed.name.trim()
  const months = Number(typed.retentionMonths)
  const save = useAct(
    () =>
      call(access.changeSocietySettings, {
        params,
        body: {
          was: read,
          ...(name !== read.name && { name }),
          timeZone: typed.timeZone,
          contact: typed.contact.trim() || null,
          retentionMonths: months,
        },
      }),
    form.show,
  )

  function onSubmit(event: FormEvent) {
    event.preventDefault()
    const areMonths = /^\d{1,3}$/.test(typed.retentionMonths.trim())
    const found = {
      name: name === read.name ? null : nameProblem(typed.name),
      timeZone: isZone(typed.timeZone) ? null : 'Choose a zone from the list.',
      retentionMonths:
        areMonths && months >= 1 && months <= access.MOST_RETENTION_MONTHS
          ? null
          : `Enter whole months, from 1 to ${access.MOST_RETENTION_MONTHS}.`,
    }
    setErrors(found)
    if (Object.values(found).every((one) => !one)) save.run()
  }

  return (
    <form onSubmit={onSubmit} noValidate name="society" className="flex flex-col gap-5">
      <ChangedMeanwhile save={save} typed={typed} onReload={form.reload} onPutBack={setTyped} />
      <TextField label="Name" {...text('name')} maxLength={access.SOCIETY_NAME_LENGTH} />
      <TextField
        label="Time zone"
        choices={['UTC', ...Intl.supportedValuesOf('timeZone')]}
        autoComplete="off"
        spellCheck={false}
        {...text('timeZone')}
        hint={
          isZone(typed.timeZone)
            ? `It is ${zoneTime(nowMs, typed.timeZone)} there now.`
            : 'Type a city and choose from the list, such as Europe/Lisbon.'
        }
      />
      <TextField
        label="Contact for candidates"
        hint="A name or an address, as it appears in emails to candidates."
        placeholder="recruiting@society.example"
        maxLength={access.CONTACT_LENGTH}
        {...text('contact')}
      />
      <TextField
        label="Months that answers and names are kept"
        hint="Counted from the start deadline. Owners are notified 14 days before. A test can have its own date in its settings."
        inputMode="numeric"
        {...text('retentionMonths')}
      />
      <Problem text={isStale(save.failure) ? null : save.problem} />
      <div className="flex flex-wrap items-center gap-3">
        <button type="submit" className="btn" aria-disabled={save.isBusy}>
          {save.isBusy ? 'Saving…' : 'Save'}
        </button>
        <span role="status" className="text-ink-2">
          {save.done && 'Saved.'}
        </span>
      </div>
    </form>
  )
}

/** The tests that owners can restore (product 7.8.9). */
function DeletedTests() {
  const { society } = useSociety()
  const nowMs = useNowMs(60_000)
  const params = { society: society.id }
  const found = useEndpoint(listDeletedAssessments, { params }, { staleTime: 0 })
  const restore = useAct(
    (code: string) => call(restoreAssessment, { params, body: { code } }),
    (_, code) => toast.success(`${code} is restored`),
  )
  if (!found.data) return null
  const day = (iso: string) => zoneDay(iso, society.timeZone, nowMs)
  return (
    <Section title="Deleted" className="mt-10">
      {found.data.length === 0 && (
        <p className="border-line border-b py-3 text-ink-2">
          No deleted tests. For seven days a deleted test stays here, and any owner can restore it.
        </p>
      )}
      <ul>
        {found.data.map((one) => (
          <li
            key={one.code}
            className="flex flex-wrap items-center gap-x-4 gap-y-2 border-line border-b py-3"
          >
            <div className="min-w-0 flex-1 basis-60">
              <p className="font-medium">
                {nameOfAssessment(one)}{' '}
                <small className="hint">
                  {one.code} · {countOf(one.candidateCount, 'candidate')}
                </small>
              </p>
              <p className="hint">
                Deleted by {one.deletedBy}, {day(one.deletedAt)}. It can be restored until{' '}
                {day(one.until)}.
              </p>
            </div>
            <button
              type="button"
              className="btn btn-ghost btn-small max-md:min-h-11"
              aria-disabled={restore.isBusy}
              onClick={() => restore.run(one.code)}
            >
              Restore<span className="sr-only"> {one.code}</span>
            </button>
          </li>
        ))}
      </ul>
      <Problem text={restore.problem} />
    </Section>
  )
}

function YourRoles() {
  const { society } = useSociety()
  const whereOf = useWhere()
  const mine = useQuery(mySocietiesQuery)
  return (
    <Section title="Your permissions" className="mt-10">
      <ul className="mb-5">
        {society.roles.map((role) => (
          <li key={`${role.role} ${role.assessment ?? ''}`} className="border-line border-b py-3">
            You can <b className="font-semibold">{mayOf(role.role, role.room)}</b>: {whereOf(role)}.
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap items-center gap-4">
        <LeaveSociety />
        {mine.data?.founding === 'open' && (
          <Link to={`${URLS.organize}${FOUND_HASH}`} className="quiet-link">
            Create another society
          </Link>
        )}
      </div>
    </Section>
  )
}
