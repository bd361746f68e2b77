import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Link } from 'react-router'
import type { ResponseOf } from '../../../platform/endpoint.ts'
import { URLS } from '../../../platform/urls.ts'
import { call } from '../../../platform/web/api.ts'
import { endpointQuery, useEndpoint } from '../../../platform/web/use-endpoint.ts'
import { countOf } from '../../../platform/words.ts'
import {
  CONTACT_LENGTH,
  changeSocietySettings,
  getSocietySettings,
  MOST_RETENTION_MONTHS,
  SOCIETY_NAME_LENGTH,
} from '../../contract.ts'
import { mayOf } from '../../role-words.ts'
import { isZone, zoneTime } from '../../zone-time.ts'
import { DeletedTests } from '../assessments/deleted-tests.tsx'
import { ChangedMeanwhile, isStale } from '../console/changed-meanwhile.tsx'
import { useSociety } from '../console/console.tsx'
import { mySocietiesQuery } from '../console/queries.ts'
import { Top } from '../console/top.tsx'
import { useNowMs } from '../console/use-now.ts'
import { TextField } from '../kit/fields.tsx'
import { Loaded } from '../kit/loaded.tsx'
import { Section } from '../kit/section.tsx'
import { Problem, useAct } from '../kit/use-act.tsx'
import { FOUND_HASH, nameProblem } from './found-society.tsx'
import { LeaveSociety } from './leave-society.tsx'
import { useWhere } from './reach.tsx'

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
            ? 'Here stands nobody to ask: candidates read whom each test names'
            : 'What candidates and helpers read of you'
        }
      >
        {may('edit_society')
          ? 'Each assessment has its own name and zone for candidates; new ones begin with these.'
          : 'Owners change this.'}
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
    ['Whom candidates ask', settings.contact ?? 'nobody was named'],
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
  const put = (some: Partial<typeof typed>) => setTyped({ ...typed, ...some })
  const [errors, setErrors] = useState<Partial<Record<keyof Settings, string | null>>>({})
  const save = useAct(
    () =>
      call(changeSocietySettings, {
        params,
        body: {
          was: read,
          ...(typed.name.trim() !== read.name && { name: typed.name.trim() }),
          timeZone: typed.timeZone,
          contact: typed.contact.trim() || null,
          retentionMonths: Number(typed.retentionMonths),
        },
      }),
    (settings) => show(settings),
  )
  const show = (settings: Settings) => {
    setRead(settings)
    setTyped(typedOf(settings))
  }

  function onSubmit(event: FormEvent) {
    event.preventDefault()
    const found = {
      name: typed.name.trim() === read.name ? null : nameProblem(typed.name),
      timeZone: isZone(typed.timeZone) ? null : 'Please choose a zone of the list.',
      retentionMonths: isMonths(typed.retentionMonths)
        ? null
        : `Please give whole months, from 1 to ${MOST_RETENTION_MONTHS}.`,
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
      <TextField
        label="Name"
        value={typed.name}
        maxLength={SOCIETY_NAME_LENGTH}
        error={errors.name}
        onChange={(event) => put({ name: event.target.value })}
      />
      <TextField
        label="Time zone"
        choices={['UTC', ...Intl.supportedValuesOf('timeZone')]}
        autoComplete="off"
        spellCheck={false}
        value={typed.timeZone}
        hint={
          isZone(typed.timeZone)
            ? `It is ${zoneTime(nowMs, typed.timeZone)} there now.`
            : 'Type a city and choose of the list, such as Europe/Lisbon.'
        }
        error={errors.timeZone}
        onChange={(event) => put({ timeZone: event.target.value })}
      />
      <TextField
        label="Whom candidates ask"
        hint="A name or an address, as it shall stand in mails to candidates."
        placeholder="recruiting@society.example"
        maxLength={CONTACT_LENGTH}
        value={typed.contact}
        onChange={(event) => put({ contact: event.target.value })}
      />
      <TextField
        label="Months that answers and names are kept"
        hint="After the last moment to start. Then they delete themselves; owners are told 14 days before. A test can have a day of its own in its Settings."
        inputMode="numeric"
        value={typed.retentionMonths}
        error={errors.retentionMonths}
        onChange={(event) => put({ retentionMonths: event.target.value })}
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

const isMonths = (text: string) =>
  /^\d{1,3}$/.test(text.trim()) && Number(text) >= 1 && Number(text) <= MOST_RETENTION_MONTHS

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
