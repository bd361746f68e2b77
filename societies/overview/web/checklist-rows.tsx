import { Check, Play, TriangleAlert, Users } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link, useNavigate } from 'react-router'
import { assessmentUrl, URLS } from '../../../platform/urls.ts'
import { call } from '../../../platform/web/api.ts'
import { useEndpoint } from '../../../platform/web/use-endpoint.ts'
import { listOf } from '../../../platform/words.ts'
import { useAssessment, useSociety } from '../../kit/web/console/console.tsx'
import { Section } from '../../kit/web/section.tsx'
import { ActButton, useAct, usePlace } from '../../kit/web/use-act.tsx'
import { AFTER_ROWS, CHECKLIST_ROWS, type OverviewFacts } from '../../setup/contract-overview.ts'
import {
  CROWD,
  CROWD_MINUTES,
  readSimulation,
  startSimulation,
} from '../../setup/contract-rehearsal.ts'
import { checklistUrl, mayOpen, TALL_LINK } from '../../setup/web/checklist-links.tsx'

type Row = OverviewFacts['rows'][number]

const TITLES: Readonly<Record<Row['row'], string>> = {
  questions: 'Questions',
  keys: 'Answer keys',
  window: 'Window',
  candidates: 'Candidates and emails',
  helpers: 'Helpers',
  rehearsal: 'Rehearsal',
  accommodations: 'Accommodations',
  retention: 'Deletion',
  incidents: 'Incidents',
  rulings: 'Answer keys',
  cut_score: 'Cut score',
  release: 'Release',
  files: 'Files',
  fairness: 'Fairness report',
}

export function ChecklistRows({ rows }: { rows: Row[] }) {
  const isAfter = rows[0]?.row === AFTER_ROWS[0]
  const counted = isAfter ? rows.length : CHECKLIST_ROWS.length
  return (
    <section aria-label="Checklist">
      <Section
        title={isAfter ? 'After the test' : 'Before the test'}
        hint="updates automatically"
        isHintWide
      >
        <ol>
          {rows.slice(0, counted).map((row, index) => (
            <ChecklistRow key={row.row} row={row} number={index + 1} />
          ))}
        </ol>
      </Section>
      {!isAfter && (
        <Section title="Nothing to do" className="mt-8.5">
          <ul>
            {rows.slice(counted).map((row) => (
              <ChecklistRow key={row.row} row={row} />
            ))}
          </ul>
        </Section>
      )}
    </section>
  )
}

function ChecklistRow({ row, number }: { row: Row; number?: number }) {
  const { society, may } = useSociety()
  const { code, isDraft } = useAssessment()
  const { state, word, finding, rest, link } = row
  const isAmber = state === 'attention'
  const isQuiet = number === undefined || state === 'todo'
  // A draft's settings have no deletion date yet.
  const leads = link.page !== '' && mayOpen(may, link.page) && !(isDraft && row.row === 'retention')
  return (
    <li
      className={`grid grid-cols-[28px_minmax(0,1fr)] gap-x-4 border-line border-b py-4 lg:grid-cols-[36px_minmax(0,1fr)_128px_156px] ${isAmber ? 'shadow-[-16px_0_0_var(--paper),-18px_0_0_var(--mid)] max-md:shadow-[-9px_0_0_var(--paper),-11px_0_0_var(--mid)]' : ''}`}
    >
      <span className={`font-medium font-serif text-[20px] ${isAmber ? 'amber' : 'text-ink-2'}`}>
        {number}
      </span>
      <div>
        <h3 className="text-[20px]">{TITLES[row.row]}</h3>
        <p className="mt-1 max-w-[66ch] text-pretty text-ink-2">
          <b className="font-medium text-ink">{finding}</b> {rest}
        </p>
        {row.row === 'rehearsal' && <RehearsalButtons />}
      </div>
      <p
        className={`flex items-start gap-2 pt-1 text-[13.5px] max-lg:col-start-2 ${isQuiet ? 'text-ink-2' : 'font-medium'} ${isAmber ? 'amber' : ''}`}
      >
        {number !== undefined && state === 'ready' && (
          <Check size={16} aria-hidden className="mt-0.5" />
        )}
        {isAmber && <TriangleAlert size={16} aria-hidden className="mt-0.5" />}
        {word}
      </p>
      <p className="pt-1 text-[13.5px] max-lg:col-start-2 lg:text-end">
        {leads && (
          <Link to={checklistUrl(society.id, code, link)} className={TALL_LINK}>
            {link.label}
          </Link>
        )}
      </p>
    </li>
  )
}

/** The test screen with five sample questions (product 7.11.2). */
const rehearsalUrl = (code: string): string =>
  `${URLS.rehearsal}?${new URLSearchParams({ for: code })}`

/** Lets an organizer try the test, or run a simulation of the day (product 7.11.8, 7.11.9). */
function RehearsalButtons() {
  const { may } = useSociety()
  const { code, candidateCount } = useAssessment()
  const params = usePlace()
  const navigate = useNavigate()
  const { data } = useEndpoint(
    readSimulation,
    { params },
    { enabled: may('watch_live'), every: 30_000 },
  )
  const live = `${assessmentUrl(params.society, code, 'live')}?simulation`
  const candidates = Math.min(CROWD.most, Math.max(CROWD.least, candidateCount))
  const start = useAct(
    () => call(startSimulation, { params, body: { candidates, minutes: CROWD_MINUTES.usual } }),
    () => void navigate(live),
  )
  const obstacle = data?.obstacle ?? null
  const button = 'btn btn-ghost btn-small max-md:min-h-11!'
  return (
    <div className="mt-3 flex flex-wrap items-center gap-2">
      <Link to={rehearsalUrl(code)} className={button}>
        <Play size={14} aria-hidden />
        Try it yourself
      </Link>
      {data?.isRunning ? (
        <Link to={live} className={button}>
          <Users size={14} aria-hidden />
          Watch the rehearsal on Live
        </Link>
      ) : (
        may('simulate') && (
          <>
            <ActButton act={start} busy="Starting…" can={obstacle === null} className={button}>
              <Users size={14} aria-hidden />
              {`Rehearse with ${candidates} simulated candidates`}
            </ActButton>
            {obstacle && <p className="hint basis-full text-ink-2">{obstacle}</p>}
          </>
        )
      )}
    </div>
  )
}

/** Shows an invigilator's tasks and whom to contact (product 7.8.10). */
export function WhatYouDo({ duty, contact }: Pick<OverviewFacts, 'duty' | 'contact'>) {
  const { society, code } = usePlace()
  const owners = ownersOf(duty)
  return (
    <Section title="What you do">
      <ol>
        <Step title="Before the day" to={rehearsalUrl(code)} link="Try it yourself">
          Try the test on your own computer, so you know what candidates see.
        </Step>
        <Step
          title="At the door"
          to={assessmentUrl(society, code, 'candidates')}
          link="The candidates"
        >
          Find candidates by name and room. If a candidate lost the password, open their row and
          send or print a new one.
        </Step>
        <Step title="During the test" to={URLS.organizeHelp} link="What can happen">
          Stay in the room. Note what happens and when. Call an owner if a candidate needs more
          time.
        </Step>
      </ol>
      <p className="mt-5 max-w-[66ch] text-pretty">
        <b className="font-medium">Who to ask: </b>
        {owners.length > 0 && `${listOf(owners)}, ${owners.length === 1 ? 'an owner' : 'owners'}`}
        {owners.length > 0 && contact && '; '}
        {contact && <span className="break-words">{contact}</span>}
        {owners.length === 0 && !contact && 'the owner who invited you'}.
      </p>
    </Section>
  )
}

export const ownersOf = (duty: OverviewFacts['duty']): string[] =>
  duty.filter(({ role }) => role.startsWith('owner')).map(({ name }) => name)

function Step(props: { title: string; to: string; link: string; children: ReactNode }) {
  return (
    <li className="grid gap-x-6 border-line border-b py-4 md:grid-cols-[minmax(0,1fr)_156px]">
      <div>
        <h3 className="text-[20px]">{props.title}</h3>
        <p className="mt-1 max-w-[66ch] text-pretty text-ink-2">{props.children}</p>
      </div>
      <p className="pt-1 text-[13.5px] md:text-end">
        <Link to={props.to} className={TALL_LINK}>
          {props.link}
        </Link>
      </p>
    </li>
  )
}
