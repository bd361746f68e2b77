import { useQuery } from '@tanstack/react-query'
import { ArrowRight, ChevronDown, Landmark } from 'lucide-react'
import { type KeyboardEvent, useRef, useState } from 'react'
import { Link } from 'react-router'
import { testsUrl, URLS } from '../../../platform/urls.ts'
import { countOf } from '../../../platform/words.ts'
import {
  CATEGORIES,
  type Category,
  DIFFICULTY_LEVELS,
  type Difficulty,
  difficultiesOf,
  MENTAL_AGILITY,
} from '../../categories.ts'
import { countTests } from '../../test-of-ten.ts'
import { fetchListAhead, onIntent } from '../ahead.ts'
import { moveByArrows } from '../kit.tsx'
import { progressQuery, questionCountsQuery } from '../queries.ts'
import { Ticks, ticksOf } from '../sitting/ticks.tsx'

const ABOUT: Record<Category, string> = {
  'Financial Accounting & Analysis': 'Three statements, ratios, GAAP',
  'Valuation & Corporate Finance': 'DCF, multiples, LBO, M&A',
  'Financial Markets & Instruments': 'Bonds, options, FX, market structure',
  'Macroeconomics & Business Strategy': 'Policy, cycles, industry cases',
  'Mental Agility & Problem Solving': 'No calculators allowed',
}

function fetchTestsAhead(category: Category, difficulty: Difficulty): void {
  import('../tests/tests.tsx').catch(() => {})
  fetchListAhead(category, difficulty)
}

interface Measure {
  taken: number | undefined
  tests: number | undefined
  average: number | null | undefined
}

/** Shows six categories with at most one picker open (product 1.7.2, 1.7.9). Arrow keys move, and Escape closes. */
export function DashboardCategories() {
  const [open, setOpen] = useState<Category | null>(null)
  const list = useRef<HTMLDivElement>(null)
  const { data: counts } = useQuery(questionCountsQuery)
  const { data: progress } = useQuery(progressQuery)

  const testsOf = (category: Category, difficulty?: Difficulty) =>
    counts &&
    sum(
      counts
        .filter(
          (cell) => cell.category === category && (!difficulty || cell.difficulty === difficulty),
        )
        .map((cell) => countTests(cell.count)),
    )

  function measure(category: Category, difficulty?: Difficulty): Measure {
    const own = progress?.categories[category]
    const levels =
      own && (difficulty ? [own.difficulties[difficulty]] : Object.values(own.difficulties))
    return {
      tests: testsOf(category, difficulty),
      taken: levels && sum(levels.map((level) => countTests(level?.questionsAnswered ?? 0))),
      average: difficulty ? own?.difficulties[difficulty]?.averageScore : own?.averageScore,
    }
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'Escape' && open) {
      const index = CATEGORIES.indexOf(open)
      setOpen(null)
      list.current?.querySelectorAll<HTMLElement>('[data-row]')[index]?.focus()
      event.preventDefault()
    } else moveByArrows(event, list.current)
  }

  // A tick is a test and has the same width in all rows, so a small category looks small.
  const mostTests = Math.max(1, ...CATEGORIES.map((category) => testsOf(category) ?? 0))
  return (
    <section aria-labelledby="categories" className="contents-list">
      <div className="section-head">
        <h2 id="categories">Categories</h2>
        <p className="hint min-h-5">
          {counts &&
            `${format(sum(counts.map((cell) => countTests(cell.count))))} tests · ${format(
              sum(counts.map((cell) => cell.count)),
            )} questions`}
        </p>
      </div>
      <div aria-hidden className="contents-columns">
        <span>Average</span>
        <span>Tests taken</span>
      </div>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: its links and buttons get the keys */}
      <div ref={list} onKeyDown={onKeyDown}>
        <ol>
          {CATEGORIES.map((category, index) => (
            <CategoryRow
              key={category}
              category={category}
              number={index + 1}
              measure={measure}
              mostTests={mostTests}
              isOpen={open === category}
              onToggle={() => setOpen(open === category ? null : category)}
            />
          ))}
        </ol>
        <div className="contents-society">
          <Landmark size={18} aria-hidden />
          <div>
            <h3>
              <Link to={URLS.recruitment} data-row className="row-link">
                Finance Society Recruiting
              </Link>
            </h3>
            <p className="contents-about running">
              Timed tests run by university finance societies. Bring your credentials.
            </p>
          </div>
          <ArrowRight size={18} aria-hidden className="text-ink-2" />
        </div>
      </div>
    </section>
  )
}

function CategoryRow(props: {
  category: Category
  number: number
  measure: (category: Category, difficulty?: Difficulty) => Measure
  mostTests: number
  isOpen: boolean
  onToggle: () => void
}) {
  const { category, isOpen } = props
  const difficulties = difficultiesOf(category)
  const pickerId = `picker-${props.number}`
  const { taken, tests, average } = props.measure(category)
  // Mental Agility has one difficulty and goes straight to its tests (product 1.7.3).
  const onlyDifficulty = category === MENTAL_AGILITY ? difficulties[0] : undefined
  return (
    <li className="border-line border-b">
      <div className="contents-row">
        <span aria-hidden className="contents-number">
          {String(props.number).padStart(2, '0')}
        </span>
        <div>
          <h3>
            {onlyDifficulty ? (
              <Link
                to={testsUrl(category, onlyDifficulty)}
                data-row
                className="row-link"
                {...onIntent(() => fetchTestsAhead(category, onlyDifficulty))}
              >
                {category}
              </Link>
            ) : (
              <button
                type="button"
                data-row
                aria-expanded={isOpen}
                aria-controls={pickerId}
                onClick={props.onToggle}
                className="row-link"
              >
                {category}
              </button>
            )}
          </h3>
          <p className="contents-about running">{ABOUT[category]}</p>
        </div>
        <p className="contents-average">
          {typeof average === 'number' ? (
            <>
              <span className="sr-only">Average score </span>
              <span className="serif text-[22px]">{average}</span>%
            </>
          ) : (
            average === null && (
              <span aria-hidden className="text-ink-2">
                –
              </span>
            )
          )}
        </p>
        <div className="contents-measure">
          <div style={{ width: `${((tests ?? 0) / props.mostTests) * 100}%` }}>
            <Ticks ticks={ticksOf({ question: 0, answered: taken ?? 0 }, tests ?? 0)} isFine />
          </div>
          <p className="hint min-h-5 nav:mt-[7px]">{measureText(taken, tests)}</p>
        </div>
        <span className="contents-go">
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
        <ul id={pickerId} hidden={!isOpen} className="picker panel">
          {isOpen &&
            difficulties.map((difficulty) => (
              <Level
                key={difficulty}
                category={category}
                difficulty={difficulty}
                {...props.measure(category, difficulty)}
              />
            ))}
        </ul>
      )}
    </li>
  )
}

function Level(props: { category: Category; difficulty: Difficulty } & Measure) {
  const { category, difficulty, taken, tests, average } = props
  return (
    <li>
      <Link
        to={testsUrl(category, difficulty)}
        {...onIntent(() => fetchTestsAhead(category, difficulty))}
      >
        <span>
          <span className="font-[550]">{difficulty}</span>{' '}
          <span className="text-ink-2">({DIFFICULTY_LEVELS[difficulty]})</span>
        </span>
        <Ticks ticks={ticksOf({ question: 0, answered: taken ?? 0 }, tests ?? 0)} isFine />
        <span className="hint min-h-5 whitespace-nowrap">
          {taken !== undefined && tests !== undefined && (
            <>
              {taken} of {tests}
              <span className="sr-only"> tests taken</span>
              {typeof average === 'number' && ` · ${average}%`}
            </>
          )}
        </span>
      </Link>
    </li>
  )
}

function measureText(taken: number | undefined, tests: number | undefined): string {
  if (tests === undefined) return ''
  const all = countOf(tests, 'test')
  if (taken === undefined) return all
  return taken === 0 ? `Not started · ${all}` : `${taken} of ${all}`
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

function format(count: number): string {
  return count.toLocaleString('en-US')
}
