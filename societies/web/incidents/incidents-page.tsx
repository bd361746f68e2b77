import { Flag } from 'lucide-react'
import { useMemo, useRef, useState } from 'react'
import { dialogOnDemand } from '../../../platform/web/ui/on-demand.ts'
import { useEndpoint } from '../../../platform/web/use-endpoint.ts'
import { countOf } from '../../../platform/words.ts'
import { listIncidents, type ShownIncident } from '../../contract/incidents.ts'
import { roomTitle } from '../../role-words.ts'
import { useAssessment, useSociety } from '../console/console.tsx'
import { Top } from '../console/top.tsx'
import { FilterButtons } from '../kit/list-bar.tsx'
import { Loaded } from '../kit/loaded.tsx'
import { usePlace } from '../kit/use-act.tsx'
import { ClearedStrikes } from './cleared-strikes.tsx'
import { Commented } from './commented.tsx'
import { DecisionForm, keyOf, type ToDecide, useMayDecide } from './decision-form.tsx'
import {
  type IncidentList,
  isClearedStrike,
  isOpen,
  isUndecided,
  LOOK_MS,
  listHeadline,
  waitsForTalk,
} from './incident-headlines.ts'
import { IncidentRows, type ListedIncident } from './incident-rows.tsx'

const CompareDialog = dialogOnDemand(
  async () => (await import('./compare-dialog.tsx')).CompareDialog,
)
const ReportDialog = dialogOnDemand(async () => (await import('./report-dialog.tsx')).ReportDialog)

/** …/incidents: what happened to all candidates, undecided first (product 7.16.4). */
export function Incidents() {
  const place = usePlace()
  const { runningCount } = useAssessment()
  const list = useEndpoint(listIncidents, { params: place }, { every: runningCount > 0 && LOOK_MS })
  return (
    <Loaded of={list} name="incidents">
      {(found) => <List list={found} />}
    </Loaded>
  )
}

const EVERY = 'all'

/** What the list shows. */
type Which = 'undecided' | 'talk' | 'all'
const FITS: Record<Which, (one: ShownIncident) => boolean> = {
  undecided: isUndecided,
  talk: waitsForTalk,
  all: () => true,
}
const WHICH_WORDS: Record<Which, string> = {
  undecided: 'Undecided',
  talk: 'Wait for a talk',
  all: 'All',
}

function List({ list }: { list: IncidentList }) {
  const { timeZone } = useAssessment()
  const { candidates, leftOut, ownRoom } = list
  const { may } = useSociety()
  const [isReporting, setIsReporting] = useState(false)
  const [isComparing, setIsComparing] = useState(false)
  const [which, setWhich] = useState<Which>('undecided')
  const [room, setRoom] = useState(EVERY)
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const mayDecide = useMayDecide()
  const all = useMemo(
    () =>
      candidates.flatMap((candidate): ListedIncident[] =>
        candidate.incidents.map((one) => ({ candidate, one })),
      ),
    [candidates],
  )
  const rooms = [...new Set(candidates.map((one) => one.room ?? ''))].sort()
  const ofRoom = all.filter(({ candidate }) => room === EVERY || (candidate.room ?? '') === room)
  const fitting = (kind: Which) => ofRoom.filter(({ one }) => FITS[kind](one))
  const hasTalks = which === 'talk' || fitting('talk').length > 0
  const shown = sorted(fitting(which))
  const open = shown.filter(({ one }) => mayDecide(one))
  const chosen = all.filter((one) => selected.has(keyIn(one)) && mayDecide(one.one))
  const select = (incidents: readonly ListedIncident[]) =>
    setSelected(new Set([...selected, ...incidents.map(keyIn)]))
  const clear = () => setSelected(new Set())
  const cleared = all
    .filter(({ candidate, one }) => !candidate.isInside && isClearedStrike(one))
    .map(({ candidate, one }) => ({
      candidate: candidate.id,
      incident: one.name,
      number: one.strike?.number ?? null,
    }))
  return (
    <>
      <Top
        title="Incidents"
        headline={listHeadline(candidates)}
        acts={
          <>
            {may('decide_incident') && (
              <button type="button" className="btn btn-ghost" onClick={() => setIsComparing(true)}>
                Compare two candidates…
              </button>
            )}
            <button type="button" className="btn btn-ghost" onClick={() => setIsReporting(true)}>
              <Flag size={15} aria-hidden /> Report something
            </button>
          </>
        }
      >
        {all.length === 0
          ? 'That is not proof of anything: the page sees itself, not the person.'
          : `By numbers, not names. A verdict changes no result: taking a strike back is an act of its own.${ownRoom ? ` You see room ${ownRoom}.` : ''}`}
      </Top>
      {cleared.length > 0 && (
        <div className="mb-5 text-[13.5px]">
          <ClearedStrikes of={cleared} />
        </div>
      )}
      {all.length > 0 && (
        <>
          <div className="head">
            <h2>Incidents</h2>
            <span className="hint">
              {countOf(candidates.length, 'candidate')} sat or were reported
            </span>
          </div>
          <div className="flex flex-wrap items-center gap-x-8 gap-y-2 py-3">
            <FilterButtons
              legend="Show"
              filters={(['undecided', ...(hasTalks ? ['talk' as const] : []), 'all'] as const).map(
                (id) => ({ id, label: WHICH_WORDS[id], count: fitting(id).length }),
              )}
              chosen={which}
              onChoose={(id) => {
                setWhich(id as Which)
                clear()
              }}
            />
            {rooms.length > 1 && (
              <FilterButtons
                legend="Room"
                filters={[EVERY, ...rooms].map((id) => ({
                  id,
                  label: id === EVERY ? 'All rooms' : id === '' ? 'No room' : roomTitle(id),
                  count: all.filter(
                    ({ candidate, one }) =>
                      FITS[which](one) && (id === EVERY || (candidate.room ?? '') === id),
                  ).length,
                }))}
                chosen={room}
                onChoose={(id) => {
                  setRoom(id)
                  clear()
                }}
              />
            )}
          </div>
          <div className="gap-x-10 lg:grid lg:grid-cols-[minmax(0,1fr)_auto]">
            <div>
              {open.length > 1 && (
                <button
                  type="button"
                  className="quiet-link mb-1 text-[13.5px] max-md:min-h-11"
                  onClick={() => select(open)}
                >
                  Select all {open.length}
                </button>
              )}
              <IncidentRows
                incidents={shown}
                timeZone={timeZone}
                mayDecide={mayDecide}
                isSelected={(one) => selected.has(keyIn(one))}
                onToggle={(one) => {
                  const next = new Set(selected)
                  if (!next.delete(keyIn(one))) next.add(keyIn(one))
                  setSelected(next)
                }}
              />
              {shown.length === 0 && (
                <p className="py-4 text-ink-2">
                  {which === 'all'
                    ? 'Nothing was seen here.'
                    : `Nothing waits for a ${which === 'talk' ? 'talk' : 'verdict'}.`}
                </p>
              )}
            </div>
            {chosen.length > 0 && (
              <Decide
                chosen={chosen}
                alike={alikeOf(chosen, all).filter(({ one }) => mayDecide(one))}
                onSelect={select}
                onClear={clear}
              />
            )}
          </div>
          {leftOut > 0 && (
            <p className="hint mt-3 text-ink-2">
              And {countOf(leftOut, 'entry', 'entries')} more that never counted.
            </p>
          )}
        </>
      )}
      <Commented candidates={candidates} />
      {isComparing && (
        <CompareDialog candidates={candidates} onClose={() => setIsComparing(false)} />
      )}
      {isReporting && (
        <ReportDialog
          candidates={candidates}
          ownRoom={ownRoom}
          onClose={() => setIsReporting(false)}
        />
      )}
    </>
  )
}

/** The decision on what is selected: beside the list, on a small screen below it with a way there. */
function Decide(props: {
  chosen: readonly ListedIncident[]
  alike: readonly ListedIncident[]
  onSelect: (incidents: readonly ListedIncident[]) => void
  onClear: () => void
}) {
  const { chosen, alike, onSelect, onClear } = props
  const panel = useRef<HTMLDivElement>(null)
  return (
    <>
      <button
        type="button"
        className="btn sticky bottom-3 z-3 mt-3 w-full lg:hidden"
        onClick={() => panel.current?.scrollIntoView()}
      >
        Decide {countOf(chosen.length, 'incident')}
      </button>
      <div ref={panel} className="max-lg:mt-6 lg:sticky lg:top-4 lg:w-[320px] lg:self-start">
        <DecisionForm of={chosen.map(toDecide)} onDone={onClear}>
          {alike.length > 0 && (
            <button
              type="button"
              className="quiet-link w-fit text-[13.5px] max-md:min-h-11"
              onClick={() => onSelect(alike)}
            >
              Select {alike.length} more of the same room and minute
            </button>
          )}
          <button
            type="button"
            className="quiet-link w-fit text-[13.5px] max-md:min-h-11"
            onClick={onClear}
          >
            Clear the selection
          </button>
        </DecisionForm>
      </div>
    </>
  )
}

const toDecide = ({ candidate, one }: ListedIncident): ToDecide => ({
  candidate: candidate.id,
  one,
})
const keyIn = (incident: ListedIncident) => keyOf(toDecide(incident))

const MINUTE_MS = 60_000

/** Of one selected absence, the others that began in the same room within a minute: an alarm looks like that. */
function alikeOf(
  chosen: readonly ListedIncident[],
  all: readonly ListedIncident[],
): ListedIncident[] {
  const [only] = chosen
  if (!only || chosen.length > 1 || only.one.kind !== 'away') return []
  const atMs = Date.parse(only.one.at)
  return all.filter(
    ({ candidate, one }) =>
      one.kind === 'away' &&
      isUndecided(one) &&
      one !== only.one &&
      candidate.room === only.candidate.room &&
      Math.abs(Date.parse(one.at) - atMs) <= MINUTE_MS,
  )
}

/** Undecided first, then by time. */
const sorted = (incidents: readonly ListedIncident[]): ListedIncident[] =>
  [...incidents].sort(
    (a, b) =>
      Number(isOpen(b.one)) - Number(isOpen(a.one)) || Date.parse(a.one.at) - Date.parse(b.one.at),
  )
