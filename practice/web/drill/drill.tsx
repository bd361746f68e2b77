import { useEffect, useState } from 'react'
import { Link, useNavigate, useParams } from 'react-router'
import { drillUrl, URLS } from '../../../platform/urls.ts'
import { deviceTimeZone } from '../../../platform/web/dates.ts'
import { queryClient } from '../../../platform/web/query-client.ts'
import { useUser } from '../../../platform/web/session.tsx'
import { Message } from '../../../platform/web/ui/message.tsx'
import { StandalonePage, useTitle } from '../../../platform/web/ui/page.tsx'
import { GENERATOR_VERSION } from '../../drill/generator.ts'
import { getPreset, type Preset } from '../../drill/presets.ts'
import { HIGHEST_SEED } from '../../drill/sum.ts'
import { useEveningOfPart } from '../sitting/sitting-head.tsx'
import { outbox } from '../use-outbox.tsx'
import { DrillReady } from './drill-ready.tsx'
import { DrillRunScreen } from './drill-run.tsx'
import {
  type DrillRun,
  drillRuns,
  finishedDrill,
  remainingMs,
  returningFrom,
} from './drill-runs.ts'
import { asDrill, drillQuery, useDrill, useDrills } from './queries.ts'

/** /drills/{preset} (product 3.11): a drill and its description. */
export function DrillPage() {
  const user = useUser()
  const preset = getPreset(useParams().preset ?? '')
  useTitle(preset ? `${preset.name}, ${preset.extent}` : 'Drills')
  if (!preset) {
    return (
      <StandalonePage>
        <Message
          title="There is no such drill"
          actions={
            <Link className="btn" to={URLS.drills}>
              All drills
            </Link>
          }
        />
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
