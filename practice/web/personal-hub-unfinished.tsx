import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { URLS } from '../../platform/urls.ts'
import { useUser } from '../../platform/web/session.tsx'
import { HubSection } from '../../platform/web/ui/section.tsx'
import { QUESTIONS_PER_TEST } from '../test-of-ten.ts'
import { fetchTestAhead, onIntent } from './ahead.ts'
import { builtTitle, choiceOf } from './build/built-test.ts'
import { continueUrl, testName } from './dashboard/lead-frame.tsx'
import { useUnfinished, useUnfinishedBuilt } from './quiz/unfinished.ts'
import { Ticks, ticksOf } from './sitting/ticks.tsx'

export function UnfinishedTests() {
  const user = useUser()
  const tests = useUnfinished(user.id)
  const built = useUnfinishedBuilt(user.id)
  if (tests.length + built.length === 0) return null
  return (
    <HubSection title="In progress" note="Kept on this device for seven days">
      <ul>
        {tests.map((test) => (
          <UnfinishedRow
            key={continueUrl(test)}
            test={test}
            title={testName(test)}
            place={`question ${test.question}`}
            total={QUESTIONS_PER_TEST}
            to={continueUrl(test)}
            onIntent={onIntent(
              () =>
                test.testNumber && fetchTestAhead(test.category, test.difficulty, test.testNumber),
            )}
          />
        ))}
      </ul>
      <UnfinishedBuilt isBare />
    </HubSection>
  )
}

export function UnfinishedBuilt(props: { isBare?: boolean }) {
  const user = useUser()
  const tests = useUnfinishedBuilt(user.id)
  if (tests.length === 0) return null
  return (
    <ul
      aria-label="Built tests in progress"
      className={props.isBare ? '' : 'mt-6 border-line border-t'}
    >
      {tests.map((test) => {
        const choice = choiceOf(new URLSearchParams(test.search))
        const total = choice.ids.length
        return (
          <UnfinishedRow
            key={test.search}
            test={test}
            title={builtTitle(choice)}
            place={`question ${test.question} of ${total}`}
            total={total}
            to={`${URLS.builtTest}?${test.search}`}
          />
        )
      })}
    </ul>
  )
}

function UnfinishedRow(props: {
  test: { question: number; answered: number }
  title: string
  place: ReactNode
  total: number
  to: string
  onIntent?: Record<string, () => unknown>
}) {
  return (
    <li className="grid grid-cols-[1fr_auto] items-center gap-x-6 border-line border-b py-3">
      <div>
        <p>{props.title}</p>
        <p className="hint mt-0.5">{props.place}</p>
        <div className="mt-2 w-[122px]">
          <Ticks ticks={ticksOf(props.test, props.total)} isFine />
        </div>
      </div>
      <Link to={props.to} className="btn btn-ghost" {...props.onIntent}>
        Continue<span className="sr-only"> {props.title}</span>
      </Link>
    </li>
  )
}
