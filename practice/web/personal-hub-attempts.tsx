import { useQuery } from '@tanstack/react-query'
import { ArrowRight } from 'lucide-react'
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Link } from 'react-router'
import { quizUrl, resultsUrl } from '../../platform/urls.ts'
import { shortDateTime } from '../../platform/web/dates.ts'
import { HubSection } from '../../platform/web/ui/section.tsx'
import { CATEGORIES, DIFFICULTIES } from '../categories.ts'
import { progressQuery } from './queries.ts'
import { Score } from './score.tsx'

const PAGE_SIZE = 10

export function PastAttempts() {
  const progress = useQuery(progressQuery)
  const [shown, setShown] = useState(PAGE_SIZE)
  const list = useRef<HTMLOListElement>(null)
  const attempts = progress.data?.attempts ?? []
  if (progress.isPending) return null
  if (attempts.length === 0) {
    return (
      <HubSection title="Past attempts">
        <p className="py-5 text-ink-2">
          {progress.data ? 'No attempts yet.' : 'Your attempts will show here.'}
        </p>
        <Link to={quizUrl(CATEGORIES[0], DIFFICULTIES[0], 1)} className="btn">
          Start Test 1
        </Link>
      </HubSection>
    )
  }

  const showMore = () => {
    flushSync(() => setShown(shown + PAGE_SIZE))
    // The button may be gone: the first of the new rows takes the focus.
    list.current?.querySelectorAll('a')[shown]?.focus()
  }

  return (
    <HubSection
      title="Past attempts"
      note={noteOf(attempts.length, progress.data?.attemptCount ?? 0)}
    >
      <ol ref={list}>
        {attempts.slice(0, shown).map((attempt) => (
          <li key={attempt.id} className="border-line border-b">
            <Link
              to={resultsUrl(attempt.category, attempt.difficulty, attempt.testNumber, attempt.id)}
              className="group grid gap-x-5 gap-y-0.5 py-3.5 sm:grid-cols-[180px_1fr_auto_18px] sm:items-center"
            >
              <span className="hint order-last sm:order-none">
                {shortDateTime(attempt.completedAt)}
              </span>
              <span>
                <span className="block group-hover:underline group-hover:underline-offset-3">
                  {attempt.category}
                </span>
                <span className="hint block">
                  {attempt.difficulty} · Test {attempt.testNumber}
                </span>
              </span>
              <span className="text-[15px] sm:text-end">
                <Score percentage={attempt.percentage} />
              </span>
              <span className="sr-only">Open the review</span>
              <ArrowRight size={16} aria-hidden className="hidden text-ink-2 sm:block" />
            </Link>
          </li>
        ))}
      </ol>
      {shown < attempts.length && (
        <button type="button" className="btn btn-ghost mt-5" onClick={showMore}>
          Show more
        </button>
      )}
    </HubSection>
  )
}

/** '12 attempts', or 'The newest 1000 of 1204 attempts' where that is all that is listed. */
function noteOf(listed: number, all: number): string {
  if (listed < all) return `The newest ${listed} of ${all} attempts`
  return all === 1 ? '1 attempt' : `${all} attempts`
}
