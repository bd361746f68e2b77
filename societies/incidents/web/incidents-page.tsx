import { Flag } from 'lucide-react'
import { type ReactNode, useMemo, useRef, useState } from 'react'
import { Link } from 'react-router'
import { REPORT_OF, standingWords } from '../../../assessments/incident-words.ts'
import { dialogOnDemand } from '../../../platform/web/ui/on-demand.ts'
import { useEndpoint } from '../../../platform/web/use-endpoint.ts'
import { countOf } from '../../../platform/words.ts'
import { nameRoom, roomTitle } from '../../kit/role-words.ts'
import { useAssessment, useSociety } from '../../kit/web/console/console.tsx'
import { FilterButtons, toggled } from '../../kit/web/list-bar.tsx'
import { Loaded } from '../../kit/web/loaded.tsx'
import { useMore } from '../../kit/web/more.tsx'
import { Section, Top } from '../../kit/web/section.tsx'
import { usePlace, useUrlOf } from '../../kit/web/use-act.tsx'
import { zoneMoment, zoneSecond } from '../../kit/zone-time.ts'
import { listIncidents, type ShownIncident } from '../contract.ts'
import { ClearedStrikes, DecisionForm, useMayDecide } from './decision.tsx'
import {
  candidateName,
  type IncidentList,
  type IncidentOf,
  isClearedStrike,
  isOpen,
  isUndecided,
  type ListedCandidate,
  LOOK_MS,
  listHeadline,
  needsTalk,
  standingOf,
  VERDICT_WORDS,
} from './incident-headlines.ts'
import { IncidentSign, IncidentWords, LeftOut } from './what-happened.tsx'

const CompareDialog = dialogOnDemand(async () => (await import('./dialogs.tsx')).CompareDialog)
const ReportDialog = dialogOnDemand(async () => (await import('./dialogs.tsx')).ReportDialog)

/** …/incidents: the incidents of all candidates, undecided first (product 7.16.4). */
export function Incidents() {
  const params = usePlace()
  const { runningCount } = useAssessment()
  const list = useEndpoint(listIncidents, { params }, { every: runningCount > 0 && LOOK_MS })
  return (
    <Loaded of={list} name="incidents">
      {(found) => <Page list={found} />}
    </Loaded>
  )
}

function Page({ list }: { list: IncidentList }) {
  const { candidates, ownRoom } = list
  const { may } = useSociety()
  const [asked, setAsked] = useState<'report' | 'compare' | null>(null)
  const all = useMemo(
    () => candidates.flatMap((candidate) => candidate.incidents.map((one) => ({ candidate, one }))),
    [candidates],
  )
  const close = () => setAsked(null)
  const cleared = all.filter(({ candidate, one }) => !candidate.isInside && isClearedStrike(one))
  return (
    <>
      <Top
        title="Incidents"
        headline={listHeadline(candidates)}
        acts={
          <>
            {may('decide_incident') && (
              <button type="button" className="btn btn-ghost" onClick={() => setAsked('compare')}>
                Compare two candidates…
              </button>
            )}
            <button type="button" className="btn btn-ghost" onClick={() => setAsked('report')}>
              <Flag size={15} aria-hidden /> Report something
            </button>
          </>
        }
      >
        {all.length === 0
          ? 'That proves nothing, because the page sees only itself, not the person.'
          : `Candidates are shown by number, not by name. A verdict doesn’t change a result. Taking back a strike does.${ownRoom ? ` You see room ${ownRoom}.` : ''}`}
      </Top>
      {cleared.length > 0 && (
        <div className="mb-5 text-[13.5px]">
          <ClearedStrikes of={cleared} />
        </div>
      )}
      {all.length > 0 && <List list={list} all={all} />}
      <Notes notes={list.notes} />
      <Commented candidates={candidates} />
      {asked === 'compare' && <CompareDialog candidates={candidates} onClose={close} />}
      {asked === 'report' && (
        <ReportDialog candidates={candidates} ownRoom={ownRoom} onClose={close} />
      )}
    </>
  )
}

type Listed = IncidentOf<ListedCandidate>
const keyOf = ({ candidate, one }: Listed) => `${candidate.id} ${one.name}`

const FILTERS = [
  {
    id: 'undecided',
    label: 'Undecided',
    empty: 'No incident is waiting for a verdict.',
    fits: isUndecided,
  },
  { id: 'talk', label: 'Need follow-up', empty: 'No incident needs follow-up.', fits: needsTalk },
  { id: 'all', label: 'All', empty: 'No incidents here.', fits: () => true },
] as const
const EVERY = 'all'

function List({ list, all }: { list: IncidentList; all: readonly Listed[] }) {
  const { candidates } = list
  const [filterId, setFilterId] = useState('undecided')
  const [room, setRoom] = useState(EVERY)
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const mayDecide = useMayDecide()
  const filter = FILTERS.find(({ id }) => id === filterId) ?? FILTERS[0]
  const rooms = [...new Set(candidates.map((one) => one.room ?? ''))].sort()
  const fitting = (where: string, { fits }: (typeof FILTERS)[number]) =>
    all.filter(
      ({ candidate, one }) => fits(one) && (where === EVERY || (candidate.room ?? '') === where),
    )
  const shown = fitting(room, filter).sort(
    (a, b) => Number(isOpen(b.one)) - Number(isOpen(a.one)) || timeOf(a) - timeOf(b),
  )
  const open = shown.filter(({ one }) => mayDecide(one))
  const chosen = all.filter((listed) => selected.has(keyOf(listed)) && mayDecide(listed.one))
  const alike = alikeOf(chosen, all).filter(({ one }) => mayDecide(one))
  const select = (incidents: readonly Listed[]) =>
    setSelected(new Set([...selected, ...incidents.map(keyOf)]))
  const clear = () => setSelected(new Set())
  const choose = (set: (id: string) => void) => (id: string) => {
    set(id)
    clear()
  }
  const { shown: drawn, more } = useMore(shown)
  return (
    <Section
      title="Incidents"
      hint={`${countOf(candidates.length, 'candidate')} took the test or were reported`}
    >
      <div className="flex flex-wrap items-center gap-x-8 gap-y-2 py-3">
        <FilterButtons
          legend="Show"
          filters={FILTERS.map((one) => ({ ...one, count: fitting(room, one).length })).filter(
            ({ id, count }) => id !== 'talk' || count > 0 || filterId === 'talk',
          )}
          chosen={filterId}
          onChoose={choose(setFilterId)}
        />
        {rooms.length > 1 && (
          <FilterButtons
            legend="Room"
            filters={[EVERY, ...rooms].map((id) => ({
              id,
              label: id === EVERY ? 'All rooms' : id === '' ? 'No room' : roomTitle(id),
              count: fitting(id, filter).length,
            }))}
            chosen={room}
            onChoose={choose(setRoom)}
          />
        )}
      </div>
      <div
        className={chosen.length > 0 ? 'gap-x-10 lg:grid lg:grid-cols-[minmax(0,1fr)_auto]' : ''}
      >
        <div>
          {open.length > 1 && (
            <QuietButton onPress={() => select(open)}>Select all {open.length}</QuietButton>
          )}
          <ul>
            {drawn.map((listed) => (
              <Row
                key={keyOf(listed)}
                listed={listed}
                isSelected={selected.has(keyOf(listed))}
                hasBox={mayDecide(listed.one)}
                hasBoxes={open.length > 0}
                onToggle={() => setSelected(toggled(selected, keyOf(listed)))}
              />
            ))}
          </ul>
          {more}
          {shown.length === 0 && <p className="py-4 text-ink-2">{filter.empty}</p>}
        </div>
        {chosen.length > 0 && (
          <Decide chosen={chosen} onDone={clear}>
            {alike.length > 0 && (
              <QuietButton onPress={() => select(alike)}>
                Select {alike.length} more from the same room and minute
              </QuietButton>
            )}
            <QuietButton onPress={clear}>Clear the selection</QuietButton>
          </Decide>
        )}
      </div>
      <LeftOut count={list.leftOut} />
    </Section>
  )
}

const QuietButton = (props: { onPress: () => void; children: ReactNode }) => (
  <button
    type="button"
    className="quiet-link w-fit text-[13.5px] max-md:min-h-11"
    onClick={props.onPress}
  >
    {props.children}
  </button>
)

function Row(props: {
  listed: Listed
  isSelected: boolean
  hasBox: boolean
  /** Whether other rows have a box. If so, this row keeps the space free. */
  hasBoxes: boolean
  onToggle: () => void
}) {
  const { candidate, one } = props.listed
  const urlOf = useUrlOf()
  const { timeZone } = useAssessment()
  const name = candidateName(candidate.number)
  const time = zoneSecond(one.at, timeZone)
  return (
    <li className="flex border-line border-b has-checked:bg-accent-soft">
      {props.hasBox ? (
        <label className="grid w-8 flex-none place-items-center max-md:w-11">
          <span className="sr-only">
            Select {name}, {time}
          </span>
          <input type="checkbox" checked={props.isSelected} onChange={props.onToggle} />
        </label>
      ) : (
        props.hasBoxes && <span className="w-8 flex-none max-md:w-11" />
      )}
      <Link
        to={urlOf(`incidents/${candidate.id}`)}
        className="grid min-h-11 min-w-0 flex-1 items-center gap-x-4 gap-y-0.5 py-2 text-[13.5px] hover:bg-sunken max-md:grid-cols-[26px_minmax(0,1fr)_auto] md:grid-cols-[24px_78px_132px_72px_minmax(0,1fr)_minmax(0,220px)]"
      >
        <IncidentSign one={one} />
        <time dateTime={one.at} className="figures max-md:order-3 max-md:text-ink-2">
          {time}
        </time>
        <span className="font-medium max-md:order-2">{name}</span>
        <span className="text-ink-2 max-md:order-4 max-md:col-start-2">{candidate.room}</span>
        <span className="text-pretty text-ink-2 max-md:order-5 max-md:col-span-2 max-md:col-start-2">
          <IncidentWords one={one} />
        </span>
        <span className="max-md:order-6 max-md:col-span-2 max-md:col-start-2">
          <State one={one} />
        </span>
      </Link>
    </li>
  )
}

function State({ one }: { one: ShownIncident }) {
  const standing = standingOf(one)
  if (isOpen(one)) {
    const what = isUndecided(one) ? 'Waiting for a verdict' : 'Needs follow-up'
    return <span className="amber font-medium">{what}</span>
  }
  if (one.state === 'decided') {
    // Members who can't read verdicts see only that there is one.
    if (!standing) return 'Decided'
    return (
      <>
        {VERDICT_WORDS[standing.verdict]} <span className="text-ink-2">{standing.by}</span>
      </>
    )
  }
  return <span className="text-ink-2">{one.kind === 'report' ? 'a note' : standingWords(one)}</span>
}

/** Decides selected incidents. On a small screen it's below the list, with a button that leads there. */
function Decide(props: { chosen: readonly Listed[]; onDone: () => void; children: ReactNode }) {
  const panel = useRef<HTMLDivElement>(null)
  return (
    <>
      <button
        type="button"
        className="btn sticky bottom-3 z-3 mt-3 w-full max-md:bottom-19 lg:hidden"
        onClick={() => panel.current?.scrollIntoView()}
      >
        Decide {countOf(props.chosen.length, 'incident')}
      </button>
      <div ref={panel} className="max-lg:mt-6 lg:sticky lg:top-4 lg:w-[320px] lg:self-start">
        <DecisionForm of={props.chosen} onDone={props.onDone}>
          {props.children}
        </DecisionForm>
      </div>
    </>
  )
}

const timeOf = ({ one }: Listed) => Date.parse(one.at)
const MINUTE_MS = 60_000

/** If one absence is selected, returns the others in the same room within a minute, such as from a fire alarm. */
function alikeOf(chosen: readonly Listed[], all: readonly Listed[]): Listed[] {
  const [only] = chosen
  if (!only || chosen.length > 1 || only.one.kind !== 'away') return []
  return all.filter(
    (other) =>
      other.one.kind === 'away' &&
      isUndecided(other.one) &&
      other.one !== only.one &&
      other.candidate.room === only.candidate.room &&
      Math.abs(timeOf(other) - timeOf(only)) <= MINUTE_MS,
  )
}

/** Reports on a room or on all candidates, which need no verdict (product 7.16.8). */
function Notes({ notes }: Pick<IncidentList, 'notes'>) {
  const { timeZone } = useAssessment()
  if (notes.length === 0) return null
  return (
    <Section
      title="Notes"
      hint="Reports about a room or all candidates · no verdict needed"
      className="mt-10"
    >
      <ul>
        {notes.map(({ id, at, room, note, by }) => (
          <li key={id} className="border-line border-b py-2 text-[13.5px]">
            <time dateTime={at} className="figures mr-4">
              {zoneSecond(at, timeZone)}
            </time>
            <b className="font-medium">
              {by} wrote{room === null ? REPORT_OF.all : ` about ${nameRoom(room)}`}:
            </b>{' '}
            <span className="whitespace-pre-line text-ink-2">“{note}”</span>
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** Candidates who wrote to the society after the test, newest first, with links to their comments (product 6.10.10). */
function Commented({ candidates }: { candidates: readonly ListedCandidate[] }) {
  const urlOf = useUrlOf()
  const { timeZone } = useAssessment()
  const wrote = candidates
    .flatMap((one) => (one.commentedAt === null ? [] : [{ ...one, at: one.commentedAt }]))
    .sort((a, b) => b.at.localeCompare(a.at))
  if (wrote.length === 0) return null
  return (
    <Section
      title="What candidates wrote"
      hint={`${countOf(wrote.length, 'comment')} after the test`}
      className="mt-10"
    >
      <ul>
        {wrote.map(({ id, number, room, at }) => (
          <li key={id} className="border-line border-b">
            <Link
              to={`${urlOf(`incidents/${id}`)}#comment`}
              className="flex min-h-11 flex-wrap items-center gap-x-4 py-2 text-[13.5px] hover:bg-sunken"
            >
              <span className="font-medium">{candidateName(number)}</span>
              <span className="text-ink-2">{room}</span>
              <time dateTime={at} className="figures text-ink-2">
                {zoneMoment(at, timeZone, Date.now())}
              </time>
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  )
}
