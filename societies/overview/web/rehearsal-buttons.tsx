import { Play, Users } from 'lucide-react'
import { Link, useNavigate } from 'react-router'
import { assessmentUrl, URLS } from '../../../platform/urls.ts'
import { call } from '../../../platform/web/api.ts'
import { useEndpoint } from '../../../platform/web/use-endpoint.ts'
import { useAssessment, useSociety } from '../../kit/web/console/console.tsx'
import { ActButton, useAct, usePlace } from '../../kit/web/use-act.tsx'
import { readSimulation, startSimulation } from '../../setup/contract-rehearsal.ts'
import { CROWD, CROWD_MINUTES } from '../../setup/simulation.ts'

/** The test screen with five sample questions (product 7.11.2). */
export const rehearsalUrl = (code: string): string =>
  `${URLS.rehearsal}?${new URLSearchParams({ for: code })}`

/** How an organizer tries the test, and lets a simulated crowd play the day (product 7.11.8, 7.11.9). */
export function RehearsalButtons() {
  const { may } = useSociety()
  const { code, candidateCount } = useAssessment()
  const place = usePlace()
  const navigate = useNavigate()
  const found = useEndpoint(
    readSimulation,
    { params: place },
    { enabled: may('watch_live'), every: 30_000 },
  )
  const live = `${assessmentUrl(place.society, code, 'live')}?simulation`
  const candidates = Math.min(CROWD.most, Math.max(CROWD.least, candidateCount))
  const start = useAct(
    () =>
      call(startSimulation, {
        params: place,
        body: { candidates, minutes: CROWD_MINUTES.usual },
      }),
    () => void navigate(live),
  )
  const isRunning = found.data?.simulation?.endedAt === null
  const obstacle = found.data?.obstacle ?? null
  return (
    <div className="mt-3 flex flex-wrap items-center gap-2">
      <Link to={rehearsalUrl(code)} className="btn btn-ghost btn-small max-md:min-h-11!">
        <Play size={14} aria-hidden />
        Try it yourself
      </Link>
      {isRunning ? (
        <Link to={live} className="btn btn-ghost btn-small max-md:min-h-11!">
          <Users size={14} aria-hidden />
          Watch the rehearsal on Live
        </Link>
      ) : (
        may('simulate') && (
          <ActButton
            act={start}
            busy="Starting…"
            can={obstacle === null}
            className="btn btn-ghost btn-small max-md:min-h-11!"
          >
            <Users size={14} aria-hidden />
            {`Rehearse with ${candidates} simulated candidates`}
          </ActButton>
        )
      )}
      {obstacle && !isRunning && may('simulate') && (
        <p className="hint basis-full text-ink-2">{obstacle}</p>
      )}
    </div>
  )
}
