import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { FlaskConical, Square } from 'lucide-react'
import { useId, useState } from 'react'
import { Link } from 'react-router'
import { assessmentUrl } from '../../../platform/urls.ts'
import { ApiFailure, call } from '../../../platform/web/api.ts'
import { startSimulation, stopSimulation } from '../../contract/rehearsal.ts'
import { CROWD, CROWD_MINUTES, type SimulationEnding } from '../../simulation.ts'
import { type Of, type SimulationNow, simulationQuery } from './queries.ts'
import { SimulatedPeople } from './simulated-people.tsx'

/** What the crowd did, in a sentence. */
const ENDINGS: Readonly<Record<SimulationEnding, string>> = {
  played: 'The simulation was played to its end.',
  stopped: 'The simulation was stopped.',
  yielded:
    'The simulation ended by itself, because a test came near: that has the server to itself.',
  lost: 'The simulation could not go on, because its server was restarted. Begin another one.',
}

/** A simulated crowd on a copy of the test: organisers see the day once before it comes (product 7.11.9). */
export function Simulation({ of, maySimulate }: { of: Of; maySimulate: boolean }) {
  const found = useQuery(simulationQuery(of))
  const { data } = found
  if (!data || (!maySimulate && !data.simulation)) return null
  const { simulation } = data
  const isRunning = simulation?.endedAt === null
  return (
    <section aria-labelledby="simulation-title" className="mt-12">
      <div className="head">
        <h2 id="simulation-title">Simulation</h2>
        <span className="hint">Nobody in it is real, and nothing of it is counted anywhere</span>
      </div>
      {!isRunning && maySimulate && <Begin of={of} obstacle={data.obstacle} />}
      {simulation && (
        <>
          <div className="warning mt-5 max-md:flex-wrap" role="status">
            <FlaskConical size={16} aria-hidden />
            <p className="flex-1">
              <b className="font-semibold">Simulation.</b>{' '}
              {isRunning
                ? `${simulation.people.length} simulated candidates sit a copy of this test; begun by ${simulation.startedBy}, ${leftText(data)}.`
                : `${ENDINGS[simulation.ending ?? 'played']} It is deleted an hour after its end.`}
            </p>
            <Link
              to={`${assessmentUrl(of.society, of.code, 'live')}?simulation`}
              className="btn btn-ghost btn-small max-md:min-h-11!"
            >
              Open Live
            </Link>
            {isRunning && maySimulate && <Stop of={of} />}
          </div>
          <SimulatedPeople now={data.now} people={simulation.people} />
        </>
      )}
    </section>
  )
}

function leftText({ now, simulation }: SimulationNow): string {
  const leftMs = Date.parse(simulation?.endsAt ?? now) - Date.parse(now)
  const seconds = Math.max(0, Math.round(leftMs / 1_000))
  return seconds < 90 ? `${seconds} s to go` : `${Math.round(seconds / 60)} min to go`
}

function Begin({ of, obstacle }: { of: Of; obstacle: string | null }) {
  const id = useId()
  const client = useQueryClient()
  const [candidates, setCandidates] = useState(String(CROWD.usual))
  const [minutes, setMinutes] = useState(String(CROWD_MINUTES.usual))
  const begin = useMutation({
    mutationFn: () =>
      call(startSimulation, {
        params: { ...of },
        body: { candidates: Number(candidates), minutes: Number(minutes) },
      }),
    onSettled: () => client.invalidateQueries({ queryKey: simulationQuery(of).queryKey }),
  })
  const isCrowdFine = isBetween(candidates, CROWD)
  const isTimeFine = isBetween(minutes, CROWD_MINUTES)
  const isOff = begin.isPending || obstacle !== null || !isCrowdFine || !isTimeFine
  const problem = !isCrowdFine
    ? `${CROWD.least} to ${CROWD.most} candidates.`
    : !isTimeFine
      ? `${CROWD_MINUTES.least} to ${CROWD_MINUTES.most} minutes.`
      : begin.error
        ? begin.error instanceof ApiFailure
          ? begin.error.message
          : 'The simulation could not be begun.'
        : ''
  return (
    <form
      className="mt-5"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!isOff) begin.mutate()
      }}
    >
      <p className="max-w-[76ch] text-ink-2">
        See the day once before it comes: a crowd comes in, answers, strikes, loses the network and
        hands in, through the calls that real candidates make. It yields to every real test.
      </p>
      <div className="mt-4 flex flex-wrap items-end gap-3">
        <div>
          <label htmlFor={`${id}-candidates`} className="label">
            Candidates
          </label>
          <input
            id={`${id}-candidates`}
            className="field w-28"
            inputMode="numeric"
            aria-invalid={!isCrowdFine}
            aria-describedby={`${id}-problem`}
            value={candidates}
            onChange={(event) => setCandidates(event.target.value)}
          />
        </div>
        <div>
          <label htmlFor={`${id}-minutes`} className="label">
            Minutes
          </label>
          <input
            id={`${id}-minutes`}
            className="field w-28"
            inputMode="numeric"
            aria-invalid={!isTimeFine}
            aria-describedby={`${id}-problem`}
            value={minutes}
            onChange={(event) => setMinutes(event.target.value)}
          />
        </div>
        <button type="submit" className="btn" aria-disabled={isOff}>
          {begin.isPending
            ? 'Beginning…'
            : `Simulate ${isCrowdFine ? Number(candidates) : '…'} candidates`}
        </button>
      </div>
      <p id={`${id}-problem`} role="alert" className="mt-2 text-wrong empty:hidden">
        {problem}
      </p>
      {obstacle && !problem && <p className="mt-2 text-ink-2">{obstacle}</p>}
    </form>
  )
}

const isBetween = (text: string, { least, most }: { least: number; most: number }) =>
  /^\d{1,3}$/.test(text.trim()) && Number(text) >= least && Number(text) <= most

function Stop({ of }: { of: Of }) {
  const client = useQueryClient()
  const stop = useMutation({
    mutationFn: () => call(stopSimulation, { params: { ...of } }),
    onSettled: () => client.invalidateQueries({ queryKey: simulationQuery(of).queryKey }),
  })
  return (
    <button
      type="button"
      className="btn btn-ghost btn-small max-md:min-h-11!"
      aria-disabled={stop.isPending}
      onClick={() => !stop.isPending && stop.mutate()}
    >
      <Square size={13} aria-hidden />
      {stop.isPending ? 'Stopping…' : 'Stop it'}
    </button>
  )
}
