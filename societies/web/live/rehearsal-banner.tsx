import { FlaskConical } from 'lucide-react'
import { Link } from 'react-router'
import { assessmentUrl } from '../../../platform/urls.ts'
import { call } from '../../../platform/web/api.ts'
import { stopSimulation } from '../../contract/rehearsal.ts'
import { useSociety } from '../console/console.tsx'
import { ActButton, useAct } from '../kit/use-act.tsx'
import type { LiveState, Of } from './use-live.ts'

/** Says on Live that nobody is real, and ends the simulation (product 7.14.10). */
export function RehearsalBanner(props: {
  of: Of
  simulation: NonNullable<LiveState['simulation']>
}) {
  const { of, simulation } = props
  const { may } = useSociety()
  const stop = useAct(() =>
    call(stopSimulation, { params: { society: of.society, code: of.code } }),
  )
  return (
    <div className="warning mb-7 max-md:flex-wrap" role="status">
      <FlaskConical size={16} aria-hidden />
      <p className="flex-1">
        <b className="font-semibold">Rehearsal.</b> {simulation.isOver && 'It is over. '}Nothing
        here counts.
      </p>
      {simulation.isOver ? (
        <Link
          to={assessmentUrl(of.society, of.code)}
          className="link max-md:inline-flex max-md:min-h-11 max-md:items-center"
        >
          Back to Overview
        </Link>
      ) : (
        may('simulate') && (
          <ActButton
            act={stop}
            busy="Stopping…"
            className="btn btn-ghost btn-small max-md:min-h-11!"
          >
            Stop
          </ActButton>
        )
      )}
    </div>
  )
}
