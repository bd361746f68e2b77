import { Link } from 'react-router'
import { useUser } from '../../platform/web/session.tsx'
import { HubSection } from '../../platform/web/ui/section.tsx'
import { QUESTIONS_PER_TEST } from '../test-of-ten.ts'
import { fetchTestAhead, onIntent } from './ahead.ts'
import { UnfinishedBuilt } from './build/unfinished-built.tsx'
import { ticksOf } from './dashboard/lead.tsx'
import { continueUrl, testName } from './dashboard/lead-frame.tsx'
import { useUnfinished, useUnfinishedBuilt } from './quiz/unfinished.ts'
import { Ticks } from './sitting/ticks.tsx'

/** Every test that was begun on this device and not finished, the latest first; nothing without one. */
export function UnfinishedTests() {
  const user = useUser()
  const tests = useUnfinished(user.id)
  const built = useUnfinishedBuilt(user.id)
  if (tests.length + built.length === 0) return null
  return (
    <HubSection title="In progress" note="Kept on this device for seven days">
      <ul>
        {tests.map((test) => (
          <li
            key={continueUrl(test)}
            className="grid grid-cols-[1fr_auto] items-center gap-x-6 border-line border-b py-3"
          >
            <div>
              <p>{testName(test)}</p>
              <p className="hint mt-0.5">question {test.question}</p>
              <div className="mt-2 w-[122px]">
                <Ticks ticks={ticksOf(test, QUESTIONS_PER_TEST)} isFine />
              </div>
            </div>
            <Link
              to={continueUrl(test)}
              className="btn btn-ghost"
              {...onIntent(
                () =>
                  test.testNumber &&
                  fetchTestAhead(test.category, test.difficulty, test.testNumber),
              )}
            >
              Continue<span className="sr-only"> {testName(test)}</span>
            </Link>
          </li>
        ))}
      </ul>
      <UnfinishedBuilt isBare />
    </HubSection>
  )
}
