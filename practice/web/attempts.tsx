import { useQuery } from '@tanstack/react-query'
import { ArrowRight } from 'lucide-react'
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Link } from 'react-router'
import { quizUrl, resultsUrl } from '../../platform/urls.ts'
import { shortDateTime } from '../../platform/web/dates.ts'
import { HubSection } from '../../platform/web/ui/section.tsx'
import { countOf } from '../../platform/words.ts'
import { CATEGORIES, DIFFICULTIES } from '../categories.ts'
import { Score } from './kit.tsx'
import { progressQuery } from './queries.ts'

interface ShownAttempt {
  id: string
  name: string
  about: string
  completedAt: string
  percentage: number
  to: string | null
}

const PAGE_SIZE = 10
const ROW = 'group grid gap-x-5 gap-y-0.5 py-3.5 sm:grid-cols-[180px_1fr_auto_18px] sm:items-center'

export function AttemptRows({ attempts }: { attempts: readonly ShownAttempt[] }) {
  const [shown, setShown] = useState(PAGE_SIZE)
  const list = useRef<HTMLOListElement>(null)
  const showMore = () => {
    flushSync(() => setShown(shown + PAGE_SIZE))
    // The button may be gone, so the first new row gets the focus.
    list.current?.children[shown]?.querySelector('a')?.focus()
  }
  return (
    <>
      <ol ref={list}>
        {attempts.slice(0, shown).map(({ id, name, about, completedAt, percentage, to }) => {
          const row = (
            <>
              <span className="hint order-last sm:order-none">{shortDateTime(completedAt)}</span>
              <span>
                <span className="block group-hover:underline group-hover:underline-offset-3">
                  {name}
                </span>
                <span className="hint block">{about}</span>
              </span>
              <span className="text-[15px] sm:text-end">
                <Score percentage={percentage} />
              </span>
            </>
          )
          return (
            <li key={id} className="border-line border-b">
              {to ? (
                <Link to={to} className={ROW}>
                  {row}
                  <span className="sr-only">Open the review</span>
                  <ArrowRight size={16} aria-hidden className="hidden text-ink-2 sm:block" />
                </Link>
              ) : (
                <div className={ROW}>{row}</div>
              )}
            </li>
          )
        })}
      </ol>
      {shown < attempts.length && (
        <button type="button" className="btn btn-ghost mt-5" onClick={showMore}>
          Show more
        </button>
      )}
    </>
  )
}

export function PastAttempts() {
  const { data, isPending } = useQuery(progressQuery)
  const { attempts = [], attemptCount = 0 } = data ?? {}
  if (isPending) return null
  if (attempts.length === 0) {
    return (
      <HubSection title="Past attempts">
        <p className="py-5 text-ink-2">
          {data ? 'No attempts yet.' : 'Your attempts will show here.'}
        </p>
        <Link to={quizUrl(CATEGORIES[0], DIFFICULTIES[0], 1)} className="btn">
          Start Test 1
        </Link>
      </HubSection>
    )
  }
  const note =
    attempts.length < attemptCount
      ? `The newest ${attempts.length} of ${attemptCount} attempts`
      : countOf(attemptCount, 'attempt')
  return (
    <HubSection title="Past attempts" note={note}>
      <AttemptRows
        attempts={attempts.map((attempt) => ({
          ...attempt,
          name: attempt.category,
          about: `${attempt.difficulty} · Test ${attempt.testNumber}`,
          to: resultsUrl(attempt.category, attempt.difficulty, attempt.testNumber, attempt.id),
        }))}
      />
    </HubSection>
  )
}
