import { useQuery } from '@tanstack/react-query'
import { Flag } from 'lucide-react'
import { useId, useMemo, useState } from 'react'
import { call } from '../../../platform/web/api.ts'
import { Message, TryAgain } from '../../../platform/web/ui/message.tsx'
import { dialogOnDemand } from '../../../platform/web/ui/on-demand.ts'
import { Spinner } from '../../../platform/web/ui/spinner.tsx'
import { type ShownIncident, setSecondReview } from '../../contract/incidents.ts'
import { countOf } from '../../number-words.ts'
import { roomTitle } from '../../role-words.ts'
import { mayWith } from '../../roles.ts'
import { useAssessment, useSociety } from '../console/console.tsx'
import { Top } from '../console/top.tsx'
import { useAct, usePlace } from '../console/use-act.ts'
import { ClearedStrikes } from './cleared-strikes.tsx'
import { Commented } from './commented.tsx'
import {
  isClearedStrike,
  isOpen,
  isUndecided,
  listHeadline,
  waitsForTalk,
} from './incident-headlines.ts'
import { IncidentRows, type ListedIncident } from './incident-rows.tsx'
import { type IncidentList, incidentsQuery, LOOK_MS } from './queries.ts'
import { RoomCluster } from './room-cluster.tsx'

const CompareDialog = dialogOnDemand(
  async () => (await import('./compare-dialog.tsx')).CompareDialog,
)
const ReportDialog = dialogOnDemand(async () => (await import('./report-dialog.tsx')).ReportDialog)

/** …/incidents: what happened to all candidates, undecided first (product 7.16.4). */
export function Incidents() {
  const place = usePlace()
  const { runningCount } = useAssessment()
  const list = useQuery({
    ...incidentsQuery(place),
    refetchInterval: runningCount > 0 ? LOOK_MS : false,
  })
  if (list.data) return <List list={list.data} />
  if (!list.isError) return <Spinner />
  return (
    <Message
      isError
      title="The incidents could not be loaded"
      actions={<TryAgain onClick={() => void list.refetch()} isBusy={list.isFetching} />}
    />
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
  const { candidates, clusters, leftOut, needsSecondReview, ownRoom } = list
  const { may } = useSociety()
  const [isReporting, setIsReporting] = useState(false)
  const [isComparing, setIsComparing] = useState(false)
  const [which, setWhich] = useState<Which>('undecided')
  const [room, setRoom] = useState(EVERY)
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
  const inCluster = new Set(
    clusters.flatMap(({ members }) => members.map((one) => `${one.candidateId} ${one.incident}`)),
  )
  const isLoose = ({ candidate, one }: ListedIncident) =>
    !inCluster.has(`${candidate.id} ${one.name}`)
  const shown = sorted(fitting(which))
  const shownClusters = clusters.filter(
    (one) =>
      (room === EVERY || (one.room ?? '') === room) &&
      (which === 'all' ||
        fitting(which).some(({ candidate, one: incident }) =>
          one.members.some(
            (member) => member.candidateId === candidate.id && member.incident === incident.name,
          ),
        )),
  )
  const loose = shown.filter(isLoose)
  const cleared = all
    .filter(({ candidate, one }) => !candidate.isInside && isClearedStrike(one))
    .map(({ candidate, one }) => ({
      ...{ candidate: candidate.id, incident: one.name, number: one.strike?.number ?? null },
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
      <SecondReview value={needsSecondReview} />
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
            <fieldset className="filters">
              <legend className="sr-only">Show</legend>
              {(['undecided', ...(hasTalks ? ['talk' as const] : []), 'all'] as const).map(
                (one) => (
                  <button
                    key={one}
                    type="button"
                    className="max-md:min-h-11"
                    aria-pressed={which === one}
                    onClick={() => setWhich(one)}
                  >
                    {WHICH_WORDS[one]}
                    <small>{fitting(one).length}</small>
                  </button>
                ),
              )}
            </fieldset>
            {rooms.length > 1 && (
              <fieldset className="filters">
                <legend className="sr-only">Room</legend>
                {[EVERY, ...rooms].map((one) => (
                  <button
                    key={one}
                    type="button"
                    className="max-md:min-h-11"
                    aria-pressed={room === one}
                    onClick={() => setRoom(one)}
                  >
                    {one === EVERY ? 'All rooms' : one === '' ? 'No room' : roomTitle(one)}
                    <small>
                      {
                        all.filter(
                          ({ candidate, one: incident }) =>
                            FITS[which](incident) &&
                            (one === EVERY || (candidate.room ?? '') === one),
                        ).length
                      }
                    </small>
                  </button>
                ))}
              </fieldset>
            )}
          </div>
          {shownClusters.map((one) => (
            <RoomCluster
              key={one.name}
              cluster={one}
              candidates={candidates}
              incidents={sorted(
                ofRoom.filter(({ candidate, one: incident }) =>
                  one.members.some(
                    (member) =>
                      member.candidateId === candidate.id && member.incident === incident.name,
                  ),
                ),
              )}
              timeZone={timeZone}
            />
          ))}
          <IncidentRows incidents={loose} timeZone={timeZone} />
          {loose.length === 0 && shownClusters.length === 0 && (
            <p className="py-4 text-ink-2">
              {which === 'all'
                ? 'Nothing was seen here.'
                : `Nothing waits for a ${which === 'talk' ? 'talk' : 'verdict'}.`}
            </p>
          )}
          {leftOut > 0 && (
            <p className="hint mt-3 text-ink-2">
              And {countOf(leftOut, 'entry', 'entries')} more that never counted; each candidate’s
              dossier has them.
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

/** Undecided first, then by time. */
const sorted = (incidents: readonly ListedIncident[]): ListedIncident[] =>
  [...incidents].sort(
    (a, b) =>
      Number(isOpen(b.one)) - Number(isOpen(a.one)) || Date.parse(a.one.at) - Date.parse(b.one.at),
  )

/** Whether two people decide: an owner sets it. */
function SecondReview({ value }: { value: boolean }) {
  const place = usePlace()
  const { society } = useSociety()
  const roles = society.roles.map(({ role }) => role)
  const maySet = mayWith(roles, 'set_rules_after_start') === 'all'
  const id = useId()
  const set = useAct(() =>
    call(setSecondReview, { params: place, body: { was: value, needsSecondReview: !value } }),
  )
  if (!maySet) {
    return value ? (
      <p className="hint mb-5 text-ink-2">Two people decide about each incident.</p>
    ) : null
  }
  return (
    <div className="mb-5 flex flex-wrap items-center gap-x-2.5">
      <label htmlFor={id} className="flex min-h-7 items-center gap-2.5 max-md:min-h-11">
        <input
          id={id}
          type="checkbox"
          checked={value}
          aria-disabled={set.isBusy}
          onChange={() => set.run(undefined)}
        />
        Two people decide
      </label>
      <span className="hint text-ink-2">
        A verdict stands when a second person says the same; for a whole room one is enough.
      </span>
      {set.problem && (
        <span role="alert" className="amber">
          {set.problem}
        </span>
      )}
    </div>
  )
}
