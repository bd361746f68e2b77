import { useId, useState } from 'react'
import { call } from '../../../platform/web/api.ts'
import { Question } from '../../../platform/web/ui/dialog.tsx'
import { withdrawShift } from '../../contract/sessions.ts'
import { mayWith } from '../../roles.ts'
import { zoneMoment } from '../../zone-time.ts'
import { useAssessment, useSociety } from '../console/console.tsx'
import { usePlace } from '../console/use-act.ts'
import { useNowMs } from '../console/use-now.ts'
import { pointsOf, type Sessions, signed } from './comparison-words.ts'
import { useSessionsAct } from './queries.ts'

const LOCKED = {
  names_shown: 'Names were shown beside the scores, so no shift is applied or withdrawn any more.',
  released: 'The results were released, so no shift is applied or withdrawn any more.',
  still_inside: 'A shift is computed when everybody is done.',
}

/** The shift that stands, those that were withdrawn, and why none can be applied any more. */
export function ShiftSection({ sessions }: { sessions: Sessions }) {
  const { shifts, shiftLock, comparisons } = sessions
  const id = useId()
  const place = usePlace()
  const { society } = useSociety()
  const { timeZone } = useAssessment()
  const nowMs = useNowMs(60_000)
  const [isAsking, setIsAsking] = useState(false)
  const isOwner =
    mayWith(
      society.roles.map(({ role }) => role),
      'rule_on_question',
    ) === 'all'
  const withdrawing = useSessionsAct(
    (shift: string) => call(withdrawShift, { params: { ...place, shift } }),
    () => setIsAsking(false),
  )
  const standing = shifts.find(({ withdrawn }) => withdrawn === null)
  const isOffered = comparisons.some(({ offer }) => offer !== null)
  if (shifts.length === 0) {
    return shiftLock && isOffered ? <p className="mb-5">{LOCKED[shiftLock]}</p> : null
  }
  return (
    <section aria-labelledby={id} className="mb-9">
      <div className="head">
        <h2 id={id}>On one scale</h2>
      </div>
      <ul className="grid max-w-[92ch] gap-3 py-3">
        {shifts.map((shift) => (
          <li key={shift.id} className={shift.withdrawn ? 'text-ink-2' : ''}>
            <p>
              {shift.points > 0
                ? `${pointsOf(shift.points)} added to`
                : `${pointsOf(shift.points)} taken from`}{' '}
              {shift.form ? `the scores with form ${shift.form}` : 'all scores'}, onto the scale of{' '}
              {shift.onto} ({signed(shift.interval.low)} to {signed(shift.interval.high)},{' '}
              {shift.anchorCount} common questions). Unadjusted scores stay beside them.
            </p>
            <p className="text-ink-2">
              {shift.appliedBy}, {zoneMoment(shift.appliedAt, timeZone, nowMs)}: {shift.reason}
              {shift.withdrawn &&
                ` Withdrawn by ${shift.withdrawn.by}, ${zoneMoment(shift.withdrawn.at, timeZone, nowMs)}.`}
            </p>
          </li>
        ))}
      </ul>
      {shiftLock && <p className="text-ink-2">{LOCKED[shiftLock]}</p>}
      {standing && isOwner && !shiftLock && (
        <button type="button" className="btn btn-ghost" onClick={() => setIsAsking(true)}>
          Withdraw it
        </button>
      )}
      <Question
        open={isAsking}
        onOpenChange={setIsAsking}
        title="Withdraw the shift?"
        description="Scores are as they were before; that it stood is kept."
      >
        <p role="alert" className="empty:hidden">
          {withdrawing.error?.message}
        </p>
        <button
          type="button"
          className="btn"
          aria-disabled={withdrawing.isPending}
          onClick={() => standing && !withdrawing.isPending && withdrawing.mutate(standing.id)}
        >
          {withdrawing.isPending ? 'Withdrawing…' : 'Withdraw it'}
        </button>
        <button type="button" className="btn btn-ghost" onClick={() => setIsAsking(false)}>
          Leave it
        </button>
      </Question>
    </section>
  )
}
