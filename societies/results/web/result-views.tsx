import { Outlet, useLocation } from 'react-router'
import { Redirect } from '../../../platform/web/ui/skeleton.tsx'
import { Views } from '../../kit/web/section.tsx'
import { useMayAll, useUrlOf } from '../../kit/web/use-act.tsx'

/** Wraps the two views of Results: scores and analysis. Authors only see the analysis. */
export function ResultViews() {
  const urlOf = useUrlOf()
  const { pathname } = useLocation()
  const seesScores = useMayAll('see_scores')
  const scores = urlOf('results')
  const analysis = urlOf('analysis')
  const isScores = pathname === scores
  if (!seesScores) return isScores ? <Redirect to={analysis} /> : <Outlet />
  return (
    <>
      <div className="mb-6">
        <Views
          label="Results"
          of={[
            [scores, 'Scores', isScores],
            [analysis, 'Analysis', !isScores],
          ]}
        />
      </div>
      <Outlet />
    </>
  )
}
