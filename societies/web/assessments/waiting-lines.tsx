import { Link } from 'react-router'
import { assessmentUrl } from '../../../platform/urls.ts'
import { useSociety } from '../console/console.tsx'
import type { Surveyed } from './checklist-links.ts'

/** What waits once a test is over, a line each with where it is settled (product 7.8.11); nothing when nothing does. */
export function WaitingLines(props: { code: string; waiting: Surveyed['waiting'] }) {
  const { society } = useSociety()
  if (props.waiting.length === 0) return null
  return (
    <ul className="grid gap-1 max-md:gap-0">
      {props.waiting.map(({ text, page, label }) => (
        <li key={text}>
          <b className="amber font-semibold">{text}</b>{' '}
          <Link
            to={assessmentUrl(society.id, props.code, page)}
            className="link relative z-1 underline underline-offset-3 max-md:inline-flex max-md:min-h-11 max-md:items-center"
          >
            {label}
            {/* Several lines of a page lead to one word each. */}
            <span className="sr-only">: {text}</span>
          </Link>
        </li>
      ))}
    </ul>
  )
}
