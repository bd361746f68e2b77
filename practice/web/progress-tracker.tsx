import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { ResponseOf } from '../../platform/endpoint.ts'
import { URLS } from '../../platform/urls.ts'
import { fetchScreenAhead } from '../../platform/web/screens.ts'
import { HubSection } from '../../platform/web/ui/section.tsx'
import {
  CATEGORIES,
  type Category,
  difficultiesOf,
  shortCellName,
  topicKey,
} from '../categories.ts'
import type { getProgress } from '../contract.ts'
import { DIFFICULTY_BADGES, type Difficulty } from '../difficulties.ts'
import { onIntent } from './ahead.ts'
import { ANYTHING, builtTestUrl } from './build/built-test.ts'
import { progressQuery, weakTopicsQuery } from './queries.ts'
import { topicHeading, topicName } from './topics.ts'

type Progress = ResponseOf<typeof getProgress>

/**
 * Badge colours by the difficulty's key (product 1.2.2, 3.8.6): ink that grows darker with the level, since
 * green and claret say right and wrong and nothing else (product 10.1.5).
 */
const BADGE_CHIPS = {
  beginner: 'bg-sunken text-ink-2',
  intermediate: 'bg-line text-ink',
  advanced: 'bg-ink text-paper',
}

/** The Progress Tracker (product 3.8.5, 3.8.6): loading, empty or populated. */
export function ProgressTracker() {
  const { data, isPending } = useQuery(progressQuery)
  return (
    <HubSection title="Progress Tracker">
      {isPending ? (
        <p role="status" className="min-h-[70vh] pt-6 text-ink-2">
          Calculating your progress...
        </p>
      ) : data === undefined ? (
        // A failed read is only logged (product 3.8.7); the next visit reads again.
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
    <div className="pt-6">
      <h3>Start Your Journey</h3>
      <p className="mt-2 text-ink-2">Take your first quiz to see your progress here!</p>
      <Link to={URLS.dashboard} className="btn mt-6">
        Choose a category
      </Link>
    </div>
  )
}

function Populated({ progress }: { progress: Progress }) {
  return (
    <>
      <div className="grid items-end gap-x-10 gap-y-3 border-line border-b pt-6 pb-7 sm:grid-cols-[auto_1fr]">
        <p className="font-medium font-serif text-[64px] leading-none tracking-[-0.03em]">
          {progress.overallPercentage}
          <span className="text-[0.5em]">%</span>
        </p>
        <div>
          <p className="text-[15px] text-ink-2">Overall progress, over all five categories</p>
          <Measure percentage={progress.overallPercentage} className="mt-2.5" />
        </div>
        {progress.overallPercentage > 0 && (
          <p className="font-serif text-[20px] leading-snug max-sm:mt-2 sm:col-span-2">
            Keep going! Every question brings you closer to mastery.
          </p>
        )}
      </div>
      <WeakestTopics />
      {CATEGORIES.map((category) => (
        <CategoryProgress key={category} category={category} progress={progress} />
      ))}
    </>
  )
}

/** What goes worst, first, and one button that leads to it (product 1.8.7); nothing while it isn't known. */
function WeakestTopics() {
  const { data: topics } = useQuery(weakTopicsQuery)
  const [weakest] = topics ?? []
  if (!topics || !weakest) return null
  const ofIt = { ...ANYTHING, topics: [topicKey(weakest.category, weakest.topic)] }
  return (
    <section aria-labelledby="weakest" className="border-line border-b py-5">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div>
          <h3 id="weakest">Weakest topics</h3>
          <p className="mt-1 text-[15px] text-ink-2">
            On {topicName(weakest.topic)} you answered {weakest.right} of {weakest.answered} right
            the last time. Ten more of it mend that.
          </p>
        </div>
        <Link
          to={builtTestUrl(ofIt)}
          className="btn max-sm:w-full"
          {...onIntent(() => fetchScreenAhead(URLS.builtTest))}
        >
          Practice {topicName(weakest.topic)}
        </Link>
      </div>
      <ol className="mt-3">
        {topics.map(({ topic, right, answered, ...cell }) => (
          <li
            key={`${cell.category} ${cell.difficulty} ${topic}`}
            className="grid grid-cols-[1fr_auto] items-baseline gap-x-5 border-line border-t py-2.5"
          >
            <span>
              {topicHeading(topic)}{' '}
              <span className="hint">{shortCellName(cell.category, cell.difficulty)}</span>
            </span>
            <span className="text-[15px]">
              {right} of {answered} right
            </span>
          </li>
        ))}
      </ol>
    </section>
  )
}

function CategoryProgress({ category, progress }: { category: Category; progress: Progress }) {
  const own = progress.categories[category]
  return (
    <div className="border-line border-b py-5">
      <div className="flex items-baseline justify-between gap-6">
        <h3>{category}</h3>
        <p className="font-serif text-[21px]">{own?.overallPercentage ?? 0}%</p>
      </div>
      <ul className="mt-3 flex flex-col gap-4 sm:gap-3">
        {difficultiesOf(category).map((difficulty) => (
          <DifficultyProgress
            key={difficulty}
            difficulty={difficulty}
            own={own?.difficulties[difficulty]}
          />
        ))}
      </ul>
    </div>
  )
}

function DifficultyProgress(props: {
  difficulty: Difficulty
  own: { questionsAnswered: number; totalQuestions: number; percentage: number } | undefined
}) {
  const { questionsAnswered = 0, totalQuestions = 0, percentage = 0 } = props.own ?? {}
  return (
    <li className="grid grid-cols-[1fr_auto_48px] items-center gap-x-5 gap-y-2 sm:grid-cols-[150px_170px_1fr_48px]">
      <span>
        <span className={`chip ${BADGE_CHIPS[DIFFICULTY_BADGES[props.difficulty]]}`}>
          {props.difficulty}
        </span>
      </span>
      <span className="hint col-span-2 text-end sm:col-span-1 sm:text-start">
        {questionsAnswered}/{totalQuestions} questions
      </span>
      <Measure percentage={percentage} className="col-span-2 sm:col-span-1" />
      <span className="min-w-12 text-end text-[15px]">{percentage}%</span>
    </li>
  )
}

/** A thin bar; its number stands beside it as text. */
function Measure({ percentage, className = '' }: { percentage: number; className?: string }) {
  return (
    <span aria-hidden className={`track block ${className}`}>
      <span style={{ width: `${percentage}%` }} />
    </span>
  )
}
