import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { dayAfter } from '../../../platform/local-day.ts'
import { quizUrl, URLS } from '../../../platform/urls.ts'
import { dayName, weekdayName } from '../../../platform/web/dates.ts'
import { fetchScreenAhead } from '../../../platform/web/screens.ts'
import { CellSkeleton } from '../../../platform/web/ui/skeleton.tsx'
import { useToday } from '../../../platform/web/use-today.ts'
import { countOf } from '../../../platform/words.ts'
import { phaseOf } from '../../schedule/plan.ts'
import { ROLE_NAMES } from '../../schedule/plan-choices.ts'
import { fetchTestAhead, onIntent } from '../ahead.ts'
import { useTitles } from '../topics.ts'
import {
  countOfDue,
  dueCategories,
  dueCount,
  dueMinutes,
  dueUrl,
  FIRST_TEST,
  type TestAddress,
  type Today,
} from './lead-content.ts'
import { testName } from './lead-frame.tsx'

/** Shows due questions or, if the lead already shows them, the next test (product 1.7.8). */
export function DueCell(props: {
  today: Today | undefined
  isError: boolean
  isLeading: boolean
  isNew: boolean
}) {
  const { today } = props
  const next = today?.next ?? (props.isNew ? FIRST_TEST : null)
  const plan = today?.plan?.plan
  const day = useToday()
  const isLastEvening = plan && phaseOf(plan, day) === 'last-evening'
  return (
    <section className="front-cell" aria-labelledby="due">
      {!today ? (
        props.isError ? (
          <Text title="Due today" text="Reviews could not be loaded.">
            Try again later.
          </Text>
        ) : (
          <CellSkeleton heading={<Heading>Due today</Heading>} note="Loading due questions" />
        )
      ) : isLastEvening ? (
        <Text
          title="Interview"
          text={ROLE_NAMES[plan.role]}
          action={
            <Link to={URLS.plan} className="btn btn-ghost">
              See plan
            </Link>
          }
        >
          {dayName(plan.interviewOn ?? '')}
        </Text>
      ) : props.isLeading ? (
        next ? (
          <NextTest test={next} />
        ) : (
          <Text title="Next" text="You have taken every test.">
            All tests taken.
          </Text>
        )
      ) : dueCount(today) > 0 ? (
        <>
          <Text
            title="Due today"
            text={dueCategories(today)}
            action={
              <Link
                to={dueUrl(today)}
                className="btn btn-ghost"
                {...onIntent(() => fetchScreenAhead(dueUrl(today)))}
              >
                Review
              </Link>
            }
          >
            {countOfDue(today)} · {countOf(dueMinutes(today), 'minute')}
          </Text>
          <DaysAhead counts={today.due.nextSevenDays} />
        </>
      ) : today.due.nextSevenDays.some((count) => count > 0) ? (
        <>
          <Text title="Due today" text={comingText(today.due.nextSevenDays)}>
            Nothing more today.
          </Text>
          <DaysAhead counts={today.due.nextSevenDays} />
        </>
      ) : (
        <Text title="Due today" text="Questions you miss come back here until you know them.">
          Nothing yet.
        </Text>
      )}
    </section>
  )
}

function comingText(nextSevenDays: readonly number[]): string {
  const days = nextSevenDays.findIndex((count) => count > 0)
  const count = nextSevenDays[days] ?? 0
  return `${count} ${count === 1 ? 'comes' : 'come'} back ${days <= 1 ? 'tomorrow' : `in ${days} days`}.`
}

function Text(props: {
  title: string
  text: string
  /** whether the text is cut off at the end of a line on a phone */
  isShort?: boolean
  action?: ReactNode
  children: ReactNode
}) {
  return (
    <div className="front-text">
      <Heading>{props.title}</Heading>
      <p className="serif">{props.children}</p>
      <p className={`front-about running ${props.isShort ? 'front-about-short' : ''}`}>
        {props.text}
      </p>
      {props.action && <div className="front-action">{props.action}</div>}
    </div>
  )
}

function NextTest({ test }: { test: TestAddress }) {
  const { category, difficulty, testNumber } = test
  const title = useTitles(category, difficulty)?.[testNumber - 1]
  return (
    <Text
      title="Next"
      text={title || '\u00a0'}
      isShort
      action={
        <Link
          to={quizUrl(category, difficulty, testNumber)}
          className="btn btn-ghost"
          {...onIntent(() => fetchTestAhead(category, difficulty, testNumber))}
        >
          Start Test {testNumber}
        </Link>
      }
    >
      {testName(test)}
    </Text>
  )
}

const Heading = ({ children }: { children: string }) => (
  <h2 id="due" className="eyebrow font-sans">
    {children}
  </h2>
)

function DaysAhead({ counts }: { counts: readonly number[] }) {
  const today = useToday()
  const most = Math.max(1, ...counts)
  return (
    <figure className="front-days">
      <ol className="seven-days" aria-label="Due in the next seven days">
        {counts.map((count, index) => {
          const name = weekdayName(dayAfter(today, index))
          return (
            <li key={name} className={index === 0 ? 'text-ink' : undefined}>
              <span className="font-[550]">{count}</span>
              <span
                aria-hidden
                className={`w-[9px] ${index === 0 ? 'bg-ink' : 'bg-line-strong'}`}
                style={{ height: Math.max(1, (count / most) * 31) }}
              />
              <span>
                <span aria-hidden>{name.slice(0, 1)}</span>
                <span className="sr-only"> on {name}</span>
              </span>
            </li>
          )
        })}
      </ol>
      <figcaption className="hint">The next seven days</figcaption>
    </figure>
  )
}
