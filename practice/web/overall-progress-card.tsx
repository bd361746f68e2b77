import { useQuery } from '@tanstack/react-query'
import { Skeleton } from '../../platform/web/ui/skeleton.tsx'
import { ScoreLine } from './charts/score-line.tsx'
import { progressQuery } from './queries.ts'

/** How many of the latest scores the line shows. */
const SCORES_SHOWN = 12

/** How much of the bank is done and how well (product 1.7.5). A failed load is only logged. */
export function ProgressCard() {
  const { data: progress, isError } = useQuery(progressQuery)
  return (
    <section aria-labelledby="overall" className="card flex min-h-[256px] flex-col p-6">
      <h2 id="overall" className="eyebrow font-sans">
        Overall progress
      </h2>
      {progress && progress.attempts.length > 0 ? (
        <>
          <dl className="mt-2.5 flex flex-wrap gap-x-9 gap-y-3">
            <Figure value={String(progress.overallPercentage)} label="of the bank" />
            <Figure value={progress.averageScore.toFixed(1)} label="average score" />
          </dl>
          <div className="mt-auto pt-6">
            <ScoreLine
              percentages={progress.attempts
                .slice(0, SCORES_SHOWN)
                .map((attempt) => attempt.percentage)
                .reverse()}
            />
          </div>
        </>
      ) : progress || isError ? (
        <div className="my-auto">
          <p className="font-medium font-serif text-[21px] tracking-[-0.015em]">
            {isError ? 'Pick a category and go on.' : 'Nothing to measure yet.'}
          </p>
          <p className="mt-1 text-ink-2">
            {isError
              ? 'Your progress keeps counting and shows here again soon.'
              : 'Take your first test: your progress and scores show here.'}
          </p>
        </div>
      ) : (
        <>
          <div className="mt-4 flex gap-9">
            <Skeleton className="h-[58px] w-20" />
            <Skeleton className="h-[58px] w-28" />
          </div>
          <Skeleton className="mt-auto h-[84px] w-full" />
        </>
      )}
    </section>
  )
}

function Figure({ value, label }: { value: string; label: string }) {
  return (
    <div className="flex flex-col-reverse">
      <dt className="hint">{label}</dt>
      <dd className="font-medium font-serif text-[42px] leading-[1.15] tracking-[-0.025em]">
        {value}
        <span className="text-[0.55em] tracking-normal">%</span>
      </dd>
    </div>
  )
}
