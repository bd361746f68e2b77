import { useState } from 'react'
import { Link } from 'react-router'
import { assessmentUrl } from '../../../platform/urls.ts'
import { withdrawRelease } from '../../contract/results.ts'
import { zoneMoment } from '../../zone-time.ts'
import { useAssessment } from '../console/console.tsx'
import { ActionDialog, REASON } from '../kit/ask.tsx'
import { usePlace } from '../kit/use-act.tsx'
import type { Results } from './view.ts'

/** That results are released, since when, and the way back (product 7.17.12). */
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
          The results released on {at(release.releasedAt)} were withdrawn on{' '}
          {at(release.withdrawnAt)}. Candidates can’t see them.
        </>
      ) : (
        <>
          <b className="font-semibold">Released</b> by {release.releasedBy},{' '}
          {at(release.releasedAt)}: each candidate reads their own score
          {release.tellsLine ? ' and the line' : ''}.{' '}
          {mayWithdraw && (
            <>
              <button type="button" className="quiet-link" onClick={() => setIsAsking(true)}>
                Withdraw results…
              </button>
              <Link
                to={assessmentUrl(place.society, place.code, 'fairness')}
                className="quiet-link ml-4"
              >
                Fairness report
              </Link>
            </>
          )}
        </>
      )}
      {isAsking && (
        <ActionDialog
          title="Withdraw results?"
          text="Candidates can no longer see their results. Anyone who already opened theirs may remember it."
          endpoint={withdrawRelease}
          input={{ params: place }}
          fields={{ reason: REASON }}
          button={['Withdraw results', 'Withdrawing…']}
          done="Results withdrawn"
          onClose={() => setIsAsking(false)}
        />
      )}
    </p>
  )
}
