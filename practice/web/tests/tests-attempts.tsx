import { ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { resultsUrl } from '../../../platform/urls.ts'
import { shortDateTime } from '../../../platform/web/dates.ts'
import { LISTED_RESULTS } from '../../contract.ts'
import { Score } from '../score.tsx'

/** A finished test of the cell; one that waits to be saved can't be opened yet. */
export interface Attempt {
  id: string
  testNumber: number
  completedAt: string
  percentage: number
  isWaiting: boolean
}

const SHOWN_AT_FIRST = 10

export function TestsAttempts(props: {
  category: string
  difficulty: string
  attempts: Attempt[]
}) {
  const [isAll, setAll] = useState(false)
  if (props.attempts.length === 0) return null
  const shown = isAll ? props.attempts : props.attempts.slice(0, SHOWN_AT_FIRST)
  return (
    <section aria-labelledby="attempts" className="mt-12 nav:mt-14">
      <div className="section-head">
        <h2 id="attempts">Past attempts</h2>
      </div>
      <ul>
        {shown.map((attempt) => (
          <li
            key={attempt.id}
            className="relative grid min-h-[50px] grid-cols-[1fr_auto_20px] items-center gap-x-3 border-line border-b py-2 sm:grid-cols-[78px_1fr_auto_24px]"
          >
            {attempt.isWaiting ? (
              <span className="font-medium">Test {attempt.testNumber}</span>
            ) : (
              <Link
                to={resultsUrl(props.category, props.difficulty, attempt.testNumber, attempt.id)}
                className="font-medium underline-offset-3 after:absolute after:inset-0 hover:underline focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:outline-accent"
              >
                Test {attempt.testNumber}
              </Link>
            )}
            <span className="text-[15px] text-ink-2 max-sm:col-span-2 max-sm:col-start-1">
              {shortDateTime(attempt.completedAt)}
              {attempt.isWaiting && ' · not saved yet'}
            </span>
            <span className="text-[15px] max-sm:col-start-2 max-sm:row-start-1">
              <Score percentage={attempt.percentage} />
            </span>
            {!attempt.isWaiting && (
              <ChevronRight
                size={17}
                aria-hidden
                className="justify-self-end text-ink-2 max-sm:col-start-3 max-sm:row-start-1"
              />
            )}
          </li>
        ))}
      </ul>
      {shown.length >= LISTED_RESULTS && (
        <p className="hint mt-4">Your newest {LISTED_RESULTS} attempts of these tests are shown.</p>
      )}
      {shown.length < props.attempts.length && (
        <button type="button" className="btn btn-ghost mt-5" onClick={() => setAll(true)}>
          Show {props.attempts.length - shown.length} more
        </button>
      )}
    </section>
  )
}
