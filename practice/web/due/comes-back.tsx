import { dayAfter } from '../../../platform/local-day.ts'
import { dayName } from '../../../platform/web/dates.ts'
import { countOf } from '../../../platform/words.ts'
import { intervalOf, type Spread, stepsOf } from '../../schedule/schedule.ts'
import { isBackBefore, type Judged, NOT_AGAIN } from './due-sitting.ts'

export function againIn(days: number): string {
  return days === 1 ? 'Again tomorrow' : `Again in ${days} days`
}

const MARKS = { was: 'was-here', here: 'is-here', ahead: undefined }

export function ComesBack(props: {
  judged: Judged
  spread: Spread
  interviewOn: string | null | undefined
}) {
  const { judged, spread } = props
  const { before, after } = judged
  if (!isBackBefore(props.interviewOn, after)) {
    return (
      <p className="serif mt-4 border-line border-t pt-4 text-[20px] nav:mt-[22px]">{NOT_AGAIN}</p>
    )
  }
  const days = intervalOf(after)
  const steps = stepsOf(before, after, spread)
  return (
    <div className="mt-4 border-line border-t pt-4 nav:mt-[22px]">
      <p className="serif text-[20px]">
        {againIn(days)}{' '}
        <span className="text-ink-2">· {dayName(dayAfter(after.lastDay, days))}</span>
      </p>
      <ol className="rungs mt-4" aria-label="When this question comes back">
        {steps.map(({ days: step, mark }) => (
          <li key={step} className={MARKS[mark]}>
            {countOf(step, 'day')}
            {mark !== 'ahead' && (
              <span className="sr-only">{mark === 'here' ? ', now' : ', before'}</span>
            )}
          </li>
        ))}
      </ol>
    </div>
  )
}
