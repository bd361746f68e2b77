import { useId, useState } from 'react'
import { Link } from 'react-router'
import { assessmentUrl } from '../../../platform/urls.ts'
import { countOf } from '../../number-words.ts'
import { mayWith } from '../../roles.ts'
import { useSociety } from '../console/console.tsx'
import { usePlace } from '../console/use-act.ts'
import { AnchorTable } from './anchor-table.tsx'
import {
  type Comparison,
  cleanCount,
  findingOf,
  pointsOf,
  type Sessions,
  titleOf,
  verdictOf,
} from './comparison-words.ts'
import { ShiftDialog } from './shift-dialog.tsx'

/** Two groups: the finding on what both were asked, what follows, and the questions behind it. */
export function ComparisonSection(props: {
  comparison: Comparison
  lock: Sessions['shiftLock']
  isShiftStanding: boolean
}) {
  const { comparison } = props
  const { earlier, later, anchors, others, offer } = comparison
  const id = useId()
  const place = usePlace()
  const { society } = useSociety()
  const [isAsking, setIsAsking] = useState(false)
  const isOwner =
    mayWith(
      society.roles.map(({ role }) => role),
      'rule_on_question',
    ) === 'all'
  const verdict = verdictOf(comparison)
  const dropped = anchors.length - cleanCount(comparison)
  const isHere = later.code === place.code
  const isOffered = offer !== null && isOwner && isHere && !props.lock && !props.isShiftStanding
  return (
    <section aria-labelledby={id} className="mb-9">
      <div className="head">
        <h2 id={id}>{titleOf(comparison)}</h2>
        <span className="hint figures">
          {earlier.people} and {countOf(later.people, 'candidate')}
        </span>
      </div>
      <div className="grid max-w-[92ch] gap-2 py-3">
        {comparison.whyHidden ? (
          <p>{comparison.whyHidden} Until then there are counts.</p>
        ) : (
          <>
            <p>
              {findingOf(comparison)}
              {comparison.said === 'indicative' && ' With so few people that is indicative.'}
            </p>
            <p className={verdict.isAmber ? 'amber font-medium' : ''}>{verdict.text}</p>
          </>
        )}
        {earlier.mean !== null && later.mean !== null && (
          <p className="figures text-ink-2">
            Mean score {earlier.mean.toFixed(1)} of {earlier.questions} and {later.mean.toFixed(1)}{' '}
            of {later.questions}
            {others &&
              `; on the questions that are not common ${percent(others.earlier)} and ${percent(others.later)} right`}
            .
          </p>
        )}
        {comparison.changedCount > 0 && (
          <p className="text-ink-2">
            {countOf(comparison.changedCount, 'shared question is', 'shared questions are')} left
            out: the text or the key is not the same in both, or was ruled on.
          </p>
        )}
        {offer && !isHere && (
          <p>
            The scores of {later.name} would move.{' '}
            <Link to={assessmentUrl(place.society, later.code, 'sessions')} className="link">
              Open its page
            </Link>
          </p>
        )}
        {isOffered && (
          <p>
            <button type="button" className="btn" onClick={() => setIsAsking(true)}>
              Look at what {offer.points > 0 ? '+' : '−'}
              {pointsOf(offer.points)} would change
            </button>
          </p>
        )}
      </div>
      {anchors.length > 0 && (
        <details>
          <summary className="min-h-8 cursor-pointer py-1.5 max-md:min-h-11">
            {countOf(anchors.length, 'common question')}
            {dropped > 0 && `, ${dropped === 1 ? 'one is' : `${dropped} are`} dropped as drifted`}
          </summary>
          <AnchorTable comparison={comparison} />
        </details>
      )}
      {isAsking && <ShiftDialog comparison={comparison} onClose={() => setIsAsking(false)} />}
    </section>
  )
}

const percent = (share: number) => `${Math.round(share * 100)}%`
