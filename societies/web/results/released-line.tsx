import { useState } from 'react'
import { Link } from 'react-router'
import { assessmentUrl } from '../../../platform/urls.ts'
import { dialogOnDemand } from '../../../platform/web/ui/on-demand.ts'
import { zoneMoment } from '../../zone-time.ts'
import { useAssessment } from '../console/console.tsx'
import { usePlace } from '../console/use-act.ts'
import type { Results } from './queries.ts'

const WithdrawDialog = dialogOnDemand(
  async () => (await import('./withdraw-dialog.tsx')).WithdrawDialog,
)

/** That results are released, since when, and the way back. */
export function ReleasedLine({ results, mayWithdraw }: { results: Results; mayWithdraw: boolean }) {
  const { timeZone } = useAssessment()
  const place = usePlace()
  const [isAsking, setIsAsking] = useState(false)
  const { release } = results
  if (!release) return null
  const at = (iso: string) => zoneMoment(iso, timeZone, Date.now())
  return (
    <p className="mb-6 border-line border-y py-2.5 text-[13.5px]">
      {release.withdrawnAt ? (
        <>
          The release of {at(release.releasedAt)} was taken back on {at(release.withdrawnAt)}:
          candidates read nothing.
        </>
      ) : (
        <>
          <b className="font-semibold">Released</b> by {release.releasedBy},{' '}
          {at(release.releasedAt)}: each candidate reads the own score
          {release.tellsLine ? ' and the line' : ''}.{' '}
          {mayWithdraw && (
            <button type="button" className="quiet-link" onClick={() => setIsAsking(true)}>
              Take it back…
            </button>
          )}
          {mayWithdraw && (
            <Link
              to={assessmentUrl(place.society, place.code, 'fairness')}
              className="quiet-link ml-4"
            >
              Fairness report
            </Link>
          )}
        </>
      )}
      {isAsking && <WithdrawDialog onClose={() => setIsAsking(false)} />}
    </p>
  )
}
