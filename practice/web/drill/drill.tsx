import { useEffect, useRef, useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import { drillUrl, URLS } from '../../../platform/urls.ts'
import { deviceTimeZone, shortDate } from '../../../platform/web/dates.ts'
import { queryClient } from '../../../platform/web/query-client.ts'
import { useUser } from '../../../platform/web/session.tsx'
import { StandalonePage, useTitle } from '../../../platform/web/ui/page.tsx'
import type { DrillSummary } from '../../contract/drills.ts'
import { GENERATOR_VERSION } from '../../drill/generator.ts'
import { getPreset, PENALTIES, type Preset } from '../../drill/presets.ts'
import { HIGHEST_SEED } from '../../drill/sum.ts'
import { Choices, DeadEnd } from '../kit.tsx'
import { ActionBar, KeyHints, useEveningOfPart } from '../sitting/frame.tsx'
import { outbox } from '../use-outbox.tsx'
import { DrillHeader, DrillRunScreen } from './drill-run.tsx'
import {
  type DrillRun,
  drillRuns,
  finishedDrill,
  remainingMs,
  returningFrom,
} from './drill-runs.ts'
import { asDrill, drillQuery, useDrill, useDrills } from './queries.ts'
import { SourceLine } from './tape.tsx'

/** /drills/{preset} (product 3.11): a drill and its description. */
export function DrillPage() {
  const user = useUser()
  const preset = getPreset(useParams().preset ?? '')
  useTitle(preset ? `${preset.name}, ${preset.extent}` : 'Drills')
  if (!preset) {
    return (
      <StandalonePage>
        <DeadEnd title="There is no such drill" to={URLS.drills} name="All drills" />
      </StandalonePage>
    )
  }
  return <DrillOf key={`${user.id} ${preset.id}`} userId={user.id} preset={preset} />
}

function DrillOf({ userId, preset }: { userId: string; preset: Preset }) {
  const navigate = useNavigate()
  const evening = useEveningOfPart()
  const [run, setRun] = useState(() => drillRuns.load(userId, preset.id))
  const [isTimeUp, setTimeUp] = useState(false)
  const { drills } = useDrills(userId)
  const last = drills.find((drill) => drill.preset === preset.id && drill.id !== run?.id)
  const { drill: lastDrill } = useDrill(userId, last?.id)

  // A drill may end offline, so its end screen is loaded early.
  useEffect(() => {
    import('./end/drill-end.tsx').catch(() => {})
  }, [])

  function start(penalty: number): void {
    const begun: DrillRun = {
      id: crypto.randomUUID(),
      version: GENERATOR_VERSION,
      seed: (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) % (HIGHEST_SEED + 1),
      penalty,
      startedAtMs: Date.now(),
      returning: returningFrom(lastDrill, preset),
      answers: [],
    }
    drillRuns.save(userId, preset.id, begun)
    setTimeUp(false)
    setRun(begun)
  }

  function change(next: DrillRun): void {
    drillRuns.save(userId, preset.id, next)
    setRun(next)
  }

  function finish(ended: DrillRun): void {
    drillRuns.remove(userId, preset.id)
    if (ended.answers.length === 0) {
      setRun(null)
      setTimeUp(true)
      return
    }
    const nowMs = Date.now()
    const body = finishedDrill(ended, preset, nowMs, deviceTimeZone())
    const endedAtMs = ended.startedAtMs + body.tookMs
    queryClient.setQueryData(drillQuery(body.id).queryKey, asDrill(body))
    outbox.put(userId, { kind: 'drill', body, completedAt: new Date(endedAtMs).toISOString() })
    const end = drillUrl(preset.id, body.id)
    void navigate(evening?.within(end) ?? end, { replace: true })
  }

  // Questions from another generator version can't be continued.
  const isUnderWay = run !== null && run.version === GENERATOR_VERSION
  if (!isUnderWay || (run.answers.length === 0 && remainingMs(run, preset, Date.now()) === 0)) {
    return (
      <DrillReady preset={preset} last={last} drills={drills} isTimeUp={isTimeUp} onStart={start} />
    )
  }
  return (
    <DrillRunScreen
      key={run.id}
      preset={preset}
      run={run}
      last={lastDrill}
      onChange={change}
      onFinish={finish}
    />
  )
}

function DrillReady(props: {
  preset: Preset
  last: DrillSummary | undefined
  drills: readonly DrillSummary[]
  isTimeUp: boolean
  onStart: (penalty: number) => void
}) {
  const { preset, last, onStart } = props
  const [penalty, setPenalty] = useState<number>(preset.penalty)
  const start = useRef<HTMLButtonElement>(null)
  // The button has the focus, so Enter starts the drill.
  useEffect(() => start.current?.focus({ preventScroll: true }), [])
  const scores = props.drills.filter((one) => one.preset === preset.id).map(({ score }) => score)
  return (
    <div className="sitting">
      <DrillHeader>
        <p className="min-w-0 flex-1 truncate text-[15px] text-ink-2">Drills</p>
      </DrillHeader>
      <main className="sitting-wrap flex-1 py-10 nav:py-16">
        {props.isTimeUp && (
          <p role="status" className="mb-6 text-ink-2">
            The time ran out before the first answer, so nothing was kept.
          </p>
        )}
        <p className="eyebrow">{preset.name}</p>
        <h1 className="mt-2">{capital(preset.extent)}</h1>
        <p className="running mt-4 max-w-[56ch] text-[17px] text-ink-2">{preset.about}</p>
        <p className="running mt-3 max-w-[56ch] text-[17px] text-ink-2">
          {preset.answering === 'choice'
            ? 'Press a key or tap an answer, and the next question appears.'
            : preset.takesNoEnter
              ? "Type the answer. You don't need Enter."
              : 'Type the answer and press Enter. You can use a comma or a point.'}{' '}
          The clock can't be paused and keeps running behind other windows.
        </p>
        {!preset.takesNoEnter && (
          <div className="mt-8">
            <p aria-hidden className="mb-2 text-[15px]">
              A wrong answer costs
            </p>
            <Choices
              legend="A wrong answer costs"
              options={PENALTIES.map((points) => [points, PRICES[points]])}
              chosen={penalty}
              onChoose={setPenalty}
            />
          </div>
        )}
        <p className="mt-8 min-h-6 text-ink-2">
          {last &&
            `Last time ${last.score}, ${shortDate(last.startedAt)}. Best ${Math.max(...scores)}.`}
        </p>
        <SourceLine preset={preset} />
      </main>
      <ActionBar>
        <KeyHints hints={[['Enter', 'start']]} />
        <button ref={start} type="button" className="btn btn-big" onClick={() => onStart(penalty)}>
          Start
        </button>
      </ActionBar>
    </div>
  )
}

const PRICES = ['nothing', '1 point', '2 points'] as const

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
