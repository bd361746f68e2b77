import { useUser } from '../../platform/web/session.tsx'
import { HubSection } from '../../platform/web/ui/section.tsx'
import { QUESTIONS_PER_TEST } from '../test-of-ten.ts'
import { fetchTestAhead, onIntent } from './ahead.ts'
import { UnfinishedBuilt, UnfinishedRow } from './build/unfinished-built.tsx'
import { continueUrl, testName } from './dashboard/lead-frame.tsx'
import { useUnfinished, useUnfinishedBuilt } from './quiz/unfinished.ts'

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
