import { Link } from 'react-router'
import { URLS } from '../../../platform/urls.ts'
import { useUser } from '../../../platform/web/session.tsx'
import { ticksOf } from '../dashboard/lead.tsx'
import { useUnfinishedBuilt } from '../quiz/unfinished.ts'
import { Ticks } from '../sitting/ticks.tsx'
import { builtTitle, choiceOf } from './built-test.ts'

export function UnfinishedBuilt(props: { isBare?: boolean }) {
  const user = useUser()
  const tests = useUnfinishedBuilt(user.id).map((test) => {
    const choice = choiceOf(new URLSearchParams(test.search))
    return { ...test, title: builtTitle(choice), total: choice.ids.length }
  })
  if (tests.length === 0) return null
  return (
    <ul
      aria-label="Built tests in progress"
      className={props.isBare ? '' : 'mt-6 border-line border-t'}
    >
      {tests.map((test) => (
        <li
          key={test.search}
          className="grid grid-cols-[1fr_auto] items-center gap-x-6 border-line border-b py-3"
        >
          <div>
            <p>{test.title}</p>
            <p className="hint mt-0.5">
              question {test.question} of {test.total}
            </p>
            <div className="mt-2 w-[122px]">
              <Ticks ticks={ticksOf(test, test.total)} isFine />
            </div>
          </div>
          <Link to={`${URLS.builtTest}?${test.search}`} className="btn btn-ghost">
            Continue<span className="sr-only"> {test.title}</span>
          </Link>
        </li>
      ))}
    </ul>
  )
}
