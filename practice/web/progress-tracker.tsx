import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { ResponseOf } from '../../platform/endpoint.ts'
import { URLS } from '../../platform/urls.ts'
import { HubSection } from '../../platform/web/ui/section.tsx'
import {
  CATEGORIES,
  type Category,
  DIFFICULTIES,
  DIFFICULTY_BADGES,
  difficultiesOf,
} from '../categories.ts'
import type { getProgress } from '../contract.ts'
import { meanPercentage } from '../scoring.ts'
import { masteryQuery } from './build/built-test.ts'
import { standing, sumOf } from './build/topic-choice.tsx'
import { progressQuery } from './queries.ts'

type Progress = ResponseOf<typeof getProgress>

/** Badges by difficulty (product 1.2.2, 3.8.6). Harder is darker; green and claret are only for scores (10.1.5). */
const BADGE_CHIPS = {
  beginner: 'bg-sunken text-ink-2',
  intermediate: 'bg-line text-ink',
  advanced: 'bg-ink text-paper',
}

export function ProgressTracker() {
  const { data, isPending } = useQuery(progressQuery)
  return (
    <HubSection title="Progress Tracker" note="answered/total questions">
      {isPending ? (
        <p role="status" className="min-h-[70vh] pt-6 text-ink-2">
          Calculating your progress...
        </p>
      ) : data === undefined ? (
        // A failed load is only logged (product 3.8.7). The next visit loads again.
        <p className="pt-6 text-ink-2">Your progress will show here.</p>
      ) : data.attempts.length === 0 ? (
        <NothingYet />
      ) : (
        <Populated progress={data} />
      )}
    </HubSection>
  )
}

function NothingYet() {
  return (
    // This is as tall as the loading state, so nothing below moves.
    <div className="min-h-[70vh] pt-6">
      <h3>Start Your Journey</h3>
      <p className="mt-2 text-ink-2">Take your first quiz to see your progress here!</p>
      <Link to={URLS.dashboard} className="btn mt-6">
        Choose a category
      </Link>
    </div>
  )
}

function Populated({ progress }: { progress: Progress }) {
  const { data: topics } = useQuery(masteryQuery())
  return (
    <>
      <div className="flex flex-wrap items-end gap-x-6 gap-y-3 border-line border-b pt-6 pb-6">
        <p className="font-medium font-serif text-[64px] leading-none tracking-[-0.03em]">
          {progress.overallPercentage}
          <span className="text-[0.5em]">%</span>
        </p>
        <div className="min-w-[14em] flex-1">
          <p className="hint">Overall progress, over all five categories</p>
          {progress.overallPercentage > 0 && (
            <p className="mt-1 max-w-[24em] text-balance font-serif text-[19px] leading-snug">
              Keep going! Every question brings you closer to mastery.
            </p>
          )}
        </div>
      </div>
      <div aria-hidden className={`${ROW} py-2.5`}>
        {DIFFICULTIES.map((difficulty, index) => (
          <span key={difficulty} className={index === 0 ? 'nav:col-start-3' : ''}>
            <span
              className={`chip whitespace-nowrap px-1.5 text-[12px] ${BADGE_CHIPS[DIFFICULTY_BADGES[difficulty]]}`}
            >
              {difficulty}
            </span>
          </span>
        ))}
      </div>
      <ul>
        {CATEGORIES.map((category) => (
          <CategoryProgress
            key={category}
            category={category}
            progress={progress}
            known={standing(sumOf(topics?.filter((topic) => topic.category === category) ?? []))}
          />
        ))}
      </ul>
      <AverageScores attempts={progress.attempts} />
      <p className="hint mt-4">
        Solid = right twice in a row on different days, and likely still remembered.{' '}
        <Link to={URLS.build} className="link">
          All topics
        </Link>
      </p>
    </>
  )
}

const ROW =
  'grid grid-cols-3 gap-x-3 gap-y-2.5 border-line border-b nav:grid-cols-[minmax(0,1fr)_56px_repeat(3,142px)] nav:gap-x-6'

function CategoryProgress(props: { category: Category; progress: Progress; known: string }) {
  const { category, progress } = props
  const own = progress.categories[category]
  return (
    <li className={`${ROW} py-3.5`}>
      <div className="nav:contents max-nav:col-span-3 max-nav:flex max-nav:justify-between">
        <div>
          <h3 className="font-medium font-sans text-[16px]">{category}</h3>
          <p className="hint mt-0.5 min-h-[1.5em]">{props.known}</p>
        </div>
        <p className="text-end font-serif text-[21px]">{own?.overallPercentage ?? 0}%</p>
      </div>
      {difficultiesOf(category).map((difficulty) => {
        const {
          questionsAnswered = 0,
          totalQuestions = 0,
          percentage = 0,
        } = own?.difficulties[difficulty] ?? {}
        return (
          <div key={difficulty} className="grid content-start gap-2 nav:pt-2.5">
            <span className="sr-only">{difficulty}</span>
            <span aria-hidden className="track block w-full">
              <span style={{ width: `${percentage}%` }} />
            </span>
            <span className="hint whitespace-nowrap">
              {questionsAnswered}/{totalQuestions} questions
              <span className="max-nav:sr-only"> · {percentage}%</span>
            </span>
          </div>
        )
      })}
    </li>
  )
}

function AverageScores({ attempts }: Pick<Progress, 'attempts'>) {
  return (
    <div className={`${ROW} py-3.5`}>
      <h3 className="col-span-3 font-medium font-sans text-[16px] nav:col-span-2">Average score</h3>
      {DIFFICULTIES.map((difficulty) => {
        const scores = attempts.filter((attempt) => attempt.difficulty === difficulty)
        const average = meanPercentage(scores.map(({ percentage }) => percentage))
        return (
          <p key={difficulty} className={average === null ? 'hint' : 'font-medium'}>
            <span className="sr-only">{difficulty}: </span>
            {average === null ? 'Not tried yet' : `${average}%`}
          </p>
        )
      })}
    </div>
  )
}
