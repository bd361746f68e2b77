import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ChangeEvent, type FormEvent, useState } from 'react'
import { Link } from 'react-router'
import type { ResponseOf } from '../../../platform/endpoint.ts'
import { URLS } from '../../../platform/urls.ts'
import { call } from '../../../platform/web/api.ts'
import { endpointQuery, useEndpoint } from '../../../platform/web/use-endpoint.ts'
import { countOf } from '../../../platform/words.ts'
import {
  changeSocietySettings,
  CONTACT_LENGTH,
  FOUND_HASH,
  getSocietySettings,
  MOST_RETENTION_MONTHS,
  nameProblem,
  SOCIETY_NAME_LENGTH,
} from '../../access/contract.ts'
import { LeaveSociety, useWhere } from '../../access/web/reach.tsx'
import { mayOf } from '../../kit/role-words.ts'
import { ChangedMeanwhile, isStale } from '../../kit/web/console/changed-meanwhile.tsx'
import { useSociety } from '../../kit/web/console/console.tsx'
import { mySocietiesQuery } from '../../kit/web/console/queries.ts'
import { Section, Top } from '../../kit/web/section.tsx'
import { useNowMs } from '../../kit/web/console/use-now.ts'
import { TextField } from '../../kit/web/fields.tsx'
import { Loaded } from '../../kit/web/loaded.tsx'
import { Problem, useAct } from '../../kit/web/use-act.tsx'
import { isZone, zoneTime } from '../../kit/zone-time.ts'
import { DeletedTests } from './deleted-tests.tsx'

type Settings = ResponseOf<typeof getSocietySettings>

/** /organise/:society/settings: name, zone, contact; deleted tests; one's own roles, and leaving (product 7.12.8). */
export function SocietySettings() {
  const { society, may } = useSociety()
  const settings = useEndpoint(getSocietySettings, { params: { society: society.id } })
  return (
    <>
      <Top
        title="Society"
        headline={
          settings.data && !settings.data.contact
            ? 'No contact yet: candidates see the contact of each test'
            : 'What candidates and helpers see of you'
        }
      >
        {may('edit_society')
          ? 'New assessments start with these. Each can have its own name and time zone.'
          : 'Only owners can change this.'}
      </Top>
      <div className="max-w-[560px]">
        <Loaded of={settings} name="settings" isPart>
          {(read) =>
            may('edit_society') ? <SettingsForm read={read} /> : <Read settings={read} />
          }
        </Loaded>
        {may('delete_test') && <DeletedTests />}
        <YourRoles />
      </div>
    </>
  )
}

function Read({ settings }: { settings: Settings }) {
  const rows = [
    ['Name', settings.name],
    ['Time zone', settings.timeZone],
    ['Whom candidates ask', settings.contact ?? 'no contact'],
    ['Answers and names are kept', `${countOf(settings.retentionMonths, 'month')} after the close`],
  ]
  return (
    <dl className="border-ink border-t">
      {rows.map(([term, text]) => (
        <div key={term} className="grid grid-cols-[160px_1fr] gap-4 border-line border-b py-3">
          <dt className="text-ink-2">{term}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  )
}

const typedOf = (settings: Settings) => ({
  ...settings,
  contact: settings.contact ?? '',
  retentionMonths: String(settings.retentionMonths),
})

function SettingsForm(props: { read: Settings }) {
  const nowMs = useNowMs(10_000)
  // What this form began with: a save sends it along.
  const [read, setRead] = useState(props.read)
  const params = { society: useSociety().society.id }
  const queryClient = useQueryClient()
  const [typed, setTyped] = useState(() => typedOf(read))
  const text = (field: keyof Settings) => ({
    value: typed[field],
    error: errors[field],
    onChange: (event: ChangeEvent<HTMLInputElement>) =>
      setTyped({ ...typed, [field]: event.target.value }),
  })
  const [errors, setErrors] = useState<Partial<Record<keyof Settings, string | null>>>({})
  const months = Number(typed.retentionMonths)
  const save = useAct(
    () =>
      call(changeSocietySettings, {
        params,
        body: {
          was: read,
          ...(typed.name.trim() !== read.name && { name: typed.name.trim() }),
          timeZone: typed.timeZone,
          contact: typed.contact.trim() || null,
          retentionMonths: months,
        },
      }),
    show,
  )
  function show(settings: Settings) {
    setRead(settings)
    setTyped(typedOf(settings))
  }

  function onSubmit(event: FormEvent) {
    event.preventDefault()
    const found = {
      name: typed.name.trim() === read.name ? null : nameProblem(typed.name),
      timeZone: isZone(typed.timeZone) ? null : 'Choose a zone from the list.',
      retentionMonths:
        /^\d{1,3}$/.test(typed.retentionMonths.trim()) &&
        months >= 1 &&
        months <= MOST_RETENTION_MONTHS
          ? null
          : `Enter whole months, from 1 to ${MOST_RETENTION_MONTHS}.`,
    }
    setErrors(found)
    if (!found.name && !found.timeZone && !found.retentionMonths) save.run()
  }

  return (
    <form onSubmit={onSubmit} noValidate name="society" className="flex flex-col gap-5">
      <ChangedMeanwhile
        error={save.failure}
        typed={typed}
        onReload={async () => {
          const query = endpointQuery(getSocietySettings, { params })
          show(await queryClient.fetchQuery({ ...query, staleTime: 0 }))
          save.reset()
        }}
        onPutBack={setTyped}
      />
      <TextField label="Name" {...text('name')} maxLength={SOCIETY_NAME_LENGTH} />
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
        label="Whom candidates ask"
        hint="A name or an address, as it appears in mails to candidates."
        placeholder="recruiting@society.example"
        maxLength={CONTACT_LENGTH}
        {...text('contact')}
      />
      <TextField
        label="Months that answers and names are kept"
        hint="Counted from the last moment to start. Owners are notified 14 days before. A test can have its own day, in its Settings."
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

function YourRoles() {
  const { society } = useSociety()
  const whereOf = useWhere()
  const mine = useQuery(mySocietiesQuery)
  return (
    <Section title="What you may here" className="mt-10">
      <ul className="mb-5">
        {society.roles.map((role) => (
          <li key={`${role.role} ${role.assessment ?? ''}`} className="border-line border-b py-3">
            You may <b className="font-semibold">{mayOf(role.role, role.room)}</b>: {whereOf(role)}.
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap items-center gap-4">
        <LeaveSociety />
        {mine.data?.founding === 'open' && (
          <Link to={`${URLS.organise}${FOUND_HASH}`} className="quiet-link">
            Found another society
          </Link>
        )}
      </div>
    </Section>
  )
}
