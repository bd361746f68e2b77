import { useQueryClient } from '@tanstack/react-query'
import { FlaskConical } from 'lucide-react'
import { Link } from 'react-router'
import { assessmentUrl } from '../../../platform/urls.ts'
import { call } from '../../../platform/web/api.ts'
import { stopSimulation } from '../../contract/rehearsal.ts'
import { useSociety } from '../console/console.tsx'
import { useAct } from '../kit/use-act.tsx'
import { type LiveState, type Of, refreshLive } from './queries.ts'

/** Says on Live that nobody is real, and ends the simulation (product 7.14.10). */
export function RehearsalBanner(props: {
  of: Of
  simulation: NonNullable<LiveState['simulation']>
}) {
  const { of, simulation } = props
  const { may } = useSociety()
  const client = useQueryClient()
  const stop = useAct(
    () => call(stopSimulation, { params: { society: of.society, code: of.code } }),
    () => void refreshLive(client, of),
  )
  return (
    <div className="warning mb-7 max-md:flex-wrap" role="status">
      <FlaskConical size={16} aria-hidden />
      <p className="flex-1">
        <b className="font-semibold">Rehearsal.</b> {simulation.isOver && 'It is over. '}Nothing
        here counts. {stop.problem}
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
          <button
            type="button"
            className="btn btn-ghost btn-small max-md:min-h-11!"
            aria-disabled={stop.isBusy}
            onClick={() => stop.run(undefined)}
          >
            {stop.isBusy ? 'Stopping…' : 'Stop'}
          </button>
        )
      )}
    </div>
  )
}
