import { useQuery } from '@tanstack/react-query'
import { ArrowRight, ChevronDown, Landmark } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { testsUrl, URLS } from '../../platform/urls.ts'
import { CATEGORIES, type Category, difficultiesOf, MENTAL_AGILITY } from '../categories.ts'
import { DIFFICULTY_LEVELS } from '../difficulties.ts'
import { countTests } from '../test-of-ten.ts'
import { progressQuery, questionCountsQuery } from './queries.ts'

const ABOUT: Record<Category, string> = {
  'Financial Accounting & Analysis': 'Three statements, ratios, GAAP',
  'Valuation & Corporate Finance': 'DCF, multiples, LBO, M&A',
  'Financial Markets & Instruments': 'Bonds, options, FX, market structure',
  'Macroeconomics & Business Strategy': 'Policy, cycles, industry cases',
  'Mental Agility & Problem Solving': 'No calculators allowed',
}

/** Tests taken and tests there are; undefined while it isn't known. */
interface Measure {
  taken: number | undefined
  tests: number | undefined
}

/** The six categories as a table of contents; one picker is open at a time. */
export function DashboardCategories() {
  const [open, setOpen] = useState<Category | null>(null)
  const { data: counts } = useQuery(questionCountsQuery)
  const { data: progress } = useQuery(progressQuery)

  function measure(category: Category, difficulties: readonly string[]): Measure {
    const cells = counts?.filter(
      (cell) => cell.category === category && difficulties.includes(cell.difficulty),
    )
    const taken = progress?.categories[category]?.difficulties
    return {
      tests: cells && sum(cells.map((cell) => countTests(cell.count))),
      taken:
        taken &&
        sum(
          difficulties.map((difficulty) => countTests(taken[difficulty]?.questionsAnswered ?? 0)),
        ),
    }
  }

  return (
    <section aria-labelledby="categories" className="mt-12">
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-1 border-ink border-b pb-3">
        <h2 id="categories">Categories</h2>
        <p className="hint min-h-5">
          {counts &&
            `${format(sum(counts.map((cell) => countTests(cell.count))))} tests · ${format(
              sum(counts.map((cell) => cell.count)),
            )} questions`}
        </p>
      </div>
      <ol>
        {CATEGORIES.map((category, index) => (
          <CategoryRow
            key={category}
            category={category}
            number={index + 1}
            measure={measure}
            isOpen={open === category}
            onToggle={() => setOpen(open === category ? null : category)}
          />
        ))}
      </ol>
      <div className="relative mt-5 grid grid-cols-[40px_1fr_32px] items-center rounded-md bg-sunken px-4 py-5 sm:grid-cols-[60px_1fr_40px]">
        <Landmark size={18} aria-hidden className="text-ink-2" />
        <div>
          <h3>
            <Link to={URLS.recruitment} className={rowLink}>
              Finance Society Recruiting
            </Link>
          </h3>
          <p className="mt-1 text-[15px] text-ink-2">
            Timed assessments run by university finance societies. Bring your credentials.
          </p>
        </div>
        <ArrowRight size={18} aria-hidden className="justify-self-end text-ink-2" />
      </div>
    </section>
  )
}

/** The whole row is the target of the one link or button in it. */
const rowLink =
  'text-left underline-offset-4 after:absolute after:inset-0 after:rounded-md hover:underline focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:outline-accent'

function CategoryRow(props: {
  category: Category
  number: number
  measure: (category: Category, difficulties: readonly string[]) => Measure
  isOpen: boolean
  onToggle: () => void
}) {
  const { category, isOpen } = props
  const difficulties = difficultiesOf(category)
  const pickerId = `picker-${props.number}`
  // Mental Agility has one difficulty and goes straight to its tests.
  const onlyDifficulty = category === MENTAL_AGILITY ? difficulties[0] : undefined
  return (
    <li className="border-line border-b">
      <div className="relative grid grid-cols-[40px_1fr_32px] items-center gap-y-2 py-5 sm:grid-cols-[60px_1fr_220px_40px]">
        <span
          aria-hidden
          className="self-start pt-0.5 pl-1 font-serif text-[18px] text-ink-2 sm:self-center"
        >
          {String(props.number).padStart(2, '0')}
        </span>
        <div>
          <h3>
            {onlyDifficulty ? (
              <Link to={testsUrl(category, onlyDifficulty)} className={rowLink}>
                {category}
              </Link>
            ) : (
              <button
                type="button"
                aria-expanded={isOpen}
                aria-controls={pickerId}
                onClick={props.onToggle}
                className={rowLink}
              >
                {category}
              </button>
            )}
          </h3>
          <p className="mt-1 text-[15px] text-ink-2">{ABOUT[category]}</p>
        </div>
        <MeasureBar {...props.measure(category, difficulties)} />
        <span className="justify-self-end text-ink-2 max-sm:col-start-3 max-sm:row-start-1">
          {onlyDifficulty ? (
            <ArrowRight size={18} aria-hidden />
          ) : (
            <ChevronDown
              size={18}
              aria-hidden
              className={`transition-transform duration-150 ${isOpen ? 'rotate-180' : ''}`}
            />
          )}
        </span>
      </div>
      {!onlyDifficulty && (
        <ul id={pickerId} hidden={!isOpen} className="grid gap-3 pb-5 sm:grid-cols-3 sm:pl-[60px]">
          {isOpen &&
            difficulties.map((difficulty) => {
              const { taken, tests } = props.measure(category, [difficulty])
              return (
                <li key={difficulty}>
                  <Link
                    to={testsUrl(category, difficulty)}
                    className="card flex min-h-[52px] items-center justify-between gap-3 px-4 py-2 hover:border-line-strong"
                  >
                    <span>
                      <span className="font-medium">{difficulty}</span>{' '}
                      <span className="text-ink-2">({DIFFICULTY_LEVELS[difficulty]})</span>
                    </span>
                    {taken !== undefined && tests !== undefined && (
                      <span className="hint whitespace-nowrap">
                        {taken} of {tests}
                        <span className="sr-only"> tests taken</span>
                      </span>
                    )}
                  </Link>
                </li>
              )
            })}
        </ul>
      )}
    </li>
  )
}

function MeasureBar({ taken, tests }: Measure) {
  const share = taken && tests ? Math.min(1, taken / tests) : 0
  return (
    <div className="max-sm:col-start-2">
      <div className="track" aria-hidden>
        <span style={{ width: `${share * 100}%` }} />
      </div>
      <p className="hint mt-1.5 min-h-5">{measureText(taken, tests)}</p>
    </div>
  )
}

function measureText(taken: number | undefined, tests: number | undefined): string {
  if (tests === undefined) return ''
  const all = `${tests} ${tests === 1 ? 'test' : 'tests'}`
  if (taken === undefined) return all
  return taken === 0 ? `Not started · ${all}` : `${taken} of ${all}`
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

function format(count: number): string {
  return count.toLocaleString('en-US')
}
