import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { resultsUrl, URLS } from '../../../platform/urls.ts'
import { shortDate } from '../../../platform/web/dates.ts'
import { Skeleton } from '../../../platform/web/ui/skeleton.tsx'
import { countTests } from '../../test-of-ten.ts'
import { SCORE_GUIDES, ScorePicture, scoreY } from '../charts/score-picture.tsx'
import { Figure } from '../kit.tsx'
import { progressQuery, questionCountsQuery } from '../queries.ts'

const SCORES_SHOWN = 16

/** How much of the bank is done, and how well (product 1.7.10). It's empty before the first test. */
export function OverallProgress() {
  const { data: progress, isError } = useQuery(progressQuery)
  const { data: counts } = useQuery(questionCountsQuery)
  if (isError || progress?.attempts.length === 0) return null
  const tests = counts?.reduce((sum, cell) => sum + countTests(cell.count), 0)
  const taken =
    progress &&
    Object.values(progress.categories)
      .flatMap((category) => Object.values(category.difficulties))
      .reduce((sum, { questionsAnswered }) => sum + countTests(questionsAnswered), 0)
  const shown = progress?.attempts.slice(0, SCORES_SHOWN).reverse() ?? []
  const [first, last] = [shown[0], shown.at(-1)]
  const percentages = shown.map((attempt) => attempt.percentage)
  // The scale covers only the scores and both guides, so changes are visible.
  const lowest = Math.max(0, Math.min(...SCORE_GUIDES, ...percentages) - 8)
  const highest = Math.min(100, Math.max(...SCORE_GUIDES, ...percentages) + 5)
  const size = { width: 300, height: 150, inset: 6, lowest, highest }
  return (
    <section aria-labelledby="overall" className="mt-12 nav:mt-[60px]">
      <div className="section-head">
        <h2 id="overall">Overall progress</h2>
        <Link to={URLS.personalHub} className="quiet-link">
          Personal Hub
        </Link>
      </div>
      {progress && first && last ? (
        <div className="overall">
          <dl>
            <Figure
              label={`of the bank${tests === undefined ? '' : `, ${taken} of ${tests} tests`}`}
            >
              {progress.overallPercentage}
              <small>%</small>
            </Figure>
            <Figure label="average score">
              {progress.averageScore.toFixed(1)}
              <small>%</small>
            </Figure>
          </dl>
          <div>
            <figure className="score-line">
              <figcaption className="sr-only">
                Your last {percentages.length === 1 ? 'score' : `${percentages.length} scores`},
                oldest first: {percentages.map((percentage) => `${percentage}%`).join(', ')}
              </figcaption>
              <ScorePicture
                {...size}
                scores={percentages}
                guides={SCORE_GUIDES}
                dotsOf={(index) =>
                  index === percentages.length - 1
                    ? [['var(--accent)', 10]]
                    : [
                        ['var(--ink)', 7.5],
                        ['var(--paper)', 4.5],
                      ]
                }
              />
              <div className="relative">
                <span className="absolute" style={{ top: scoreY(size, last.percentage) }}>
                  <Link
                    to={resultsUrl(last.category, last.difficulty, last.testNumber, last.id)}
                    className="chart-last"
                  >
                    {last.percentage}%<span className="sr-only">, your latest test: open it</span>
                  </Link>
                </span>
              </div>
              <div aria-hidden className="score-line-dates">
                <span>{shortDate(first.completedAt)}</span>
                <span>{percentages.length > 1 && shortDate(last.completedAt)}</span>
              </div>
            </figure>
            <p className="hint mt-2.5">
              {shown.length === 1 ? 'Your first test.' : `The last ${shown.length} tests.`} A score
              turns green at 80%.
            </p>
          </div>
        </div>
      ) : (
        <div className="overall">
          <div className="flex gap-9 nav:flex-col nav:gap-[22px]">
            <Skeleton className="h-[82px] w-32" />
            <Skeleton className="h-[82px] w-32" />
          </div>
          <Skeleton className="h-[190px] w-full" />
        </div>
      )}
    </section>
  )
}
