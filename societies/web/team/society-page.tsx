import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { Link } from 'react-router'
import { URLS } from '../../../platform/urls.ts'
import { call } from '../../../platform/web/api.ts'
import { Message, TryAgain } from '../../../platform/web/ui/message.tsx'
import { Skeleton } from '../../../platform/web/ui/skeleton.tsx'
import {
  CONTACT_LENGTH,
  changeSocietySettings,
  MOST_RETENTION_MONTHS,
  SOCIETY_NAME_LENGTH,
} from '../../contract.ts'
import { countOf } from '../../number-words.ts'
import { mayOf } from '../../role-words.ts'
import { isZone } from '../../zone-time.ts'
import { DeletedTests } from '../assessments/deleted-tests.tsx'
import { ChangedMeanwhile, isStale } from '../console/changed-meanwhile.tsx'
import { useSociety } from '../console/console.tsx'
import { mySocietiesQuery } from '../console/queries.ts'
import { Top } from '../console/top.tsx'
import { FOUND_HASH, nameProblem } from './found-society.tsx'
import { LeaveSociety } from './leave-society.tsx'
import { type SocietySettings as Settings, settingsQuery } from './queries.ts'
import { useWhere } from './reach.tsx'
import { ZoneField } from './zone-field.tsx'

/** /organise/:society/settings: name, zone, contact; deleted tests; one's own roles, and leaving (product 7.12.8). */
export function SocietySettings() {
  const { society, may } = useSociety()
  const settings = useQuery(settingsQuery(society.id))
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
        {settings.data ? (
          may('edit_society') ? (
            <SettingsForm read={settings.data} />
          ) : (
            <Read settings={settings.data} />
          )
        ) : settings.isError ? (
          <Message
            isError
            title="This could not be loaded"
            actions={
              <TryAgain onClick={() => void settings.refetch()} isBusy={settings.isFetching} />
            }
          />
        ) : (
          <Skeleton className="h-60" />
        )}
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
  // What this form began with: a save sends it along.
  const [read, setRead] = useState(props.read)
  const { society } = useSociety()
  const id = useId()
  const queryClient = useQueryClient()
  const [typed, setTyped] = useState(() => typedOf(read))
  const [errors, setErrors] = useState<{
    name?: string | null
    timeZone?: string | null
    months?: string | null
  }>({})
  const save = useMutation({
    mutationFn: () =>
      call(changeSocietySettings, {
        params: { society: society.id },
        body: {
          was: read,
          ...(typed.name.trim() !== read.name && { name: typed.name.trim() }),
          timeZone: typed.timeZone,
          contact: typed.contact.trim() || null,
          retentionMonths: Number(typed.retentionMonths),
        },
      }),
    onSuccess: (settings) => {
      show(settings)
      queryClient.setQueryData(settingsQuery(society.id).queryKey, settings)
      return queryClient.invalidateQueries(mySocietiesQuery)
    },
  })
  const show = (settings: Settings) => {
    setRead(settings)
    setTyped(typedOf(settings))
  }

  function onSubmit(event: FormEvent) {
    event.preventDefault()
    if (save.isPending) return
    const found = {
      name: typed.name.trim() === read.name ? null : nameProblem(typed.name),
      timeZone: isZone(typed.timeZone) ? null : 'Please choose a zone of the list.',
      months: isMonths(typed.retentionMonths)
        ? null
        : `Please give whole months, from 1 to ${MOST_RETENTION_MONTHS}.`,
    }
    setErrors(found)
    if (!found.name && !found.timeZone && !found.months) save.mutate()
  }

  return (
    <form onSubmit={onSubmit} noValidate name="society" className="flex flex-col gap-5">
      <ChangedMeanwhile
        error={save.error}
        typed={typed}
        onReload={async () => {
          const query = { ...settingsQuery(society.id), staleTime: 0 }
          show(await queryClient.fetchQuery(query))
          save.reset()
        }}
        onPutBack={setTyped}
      />
      <div>
        <label className="label" htmlFor={`${id}-name`}>
          Name
        </label>
        <input
          id={`${id}-name`}
          className="field w-full"
          value={typed.name}
          maxLength={SOCIETY_NAME_LENGTH}
          aria-invalid={errors.name ? true : undefined}
          aria-describedby={`${id}-name-error`}
          onChange={(event) => setTyped({ ...typed, name: event.target.value })}
        />
        <p id={`${id}-name-error`} role="alert" className="mt-1">
          {errors.name}
        </p>
      </div>
      <ZoneField
        value={typed.timeZone}
        error={errors.timeZone}
        onChange={(timeZone) => setTyped({ ...typed, timeZone })}
      />
      <div>
        <label className="label" htmlFor={`${id}-contact`}>
          Whom candidates ask
        </label>
        <input
          id={`${id}-contact`}
          className="field w-full"
          value={typed.contact}
          maxLength={CONTACT_LENGTH}
          placeholder="recruiting@society.example"
          aria-describedby={`${id}-contact-hint`}
          onChange={(event) => setTyped({ ...typed, contact: event.target.value })}
        />
        <p id={`${id}-contact-hint`} className="hint mt-1">
          A name or an address, as it shall stand in mails to candidates.
        </p>
      </div>
      <div>
        <label className="label" htmlFor={`${id}-months`}>
          Months that answers and names are kept
        </label>
        <input
          id={`${id}-months`}
          className="field w-28"
          inputMode="numeric"
          value={typed.retentionMonths}
          aria-invalid={errors.months ? true : undefined}
          aria-describedby={`${id}-months-hint ${id}-months-error`}
          onChange={(event) => setTyped({ ...typed, retentionMonths: event.target.value })}
        />
        <p id={`${id}-months-hint`} className="hint mt-1">
          After the last moment to start. Then they delete themselves; owners are told 14 days
          before. A test can have a day of its own in its Settings.
        </p>
        <p id={`${id}-months-error`} role="alert" className="mt-1">
          {errors.months}
        </p>
      </div>
      <p role="alert">{isStale(save.error) ? null : save.error?.message}</p>
      <div className="flex flex-wrap items-center gap-3">
        <button type="submit" className="btn" aria-disabled={save.isPending}>
          {save.isPending ? 'Saving…' : 'Save'}
        </button>
        <span role="status" className="text-ink-2">
          {save.isSuccess && 'Saved.'}
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
    <section className="mt-10" aria-labelledby="your-roles">
      <div className="head">
        <h2 id="your-roles">What you may here</h2>
      </div>
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
    </section>
  )
}
