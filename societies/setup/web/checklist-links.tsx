import { Link } from 'react-router'
import { assessmentUrl, societyUrl } from '../../../platform/urls.ts'
import type { Act } from '../../kit/roles.ts'
import { useSociety } from '../../kit/web/console/console.tsx'
import type { ChecklistLink, Listed } from '../contract-overview.ts'

/** The polling interval in milliseconds, because tests open and run without any action on the page. */
export const LOOK_MS = 10_000

export const checklistUrl = (
  society: string,
  code: string,
  { page, question, item }: ChecklistLink,
): string =>
  page === 'team'
    ? societyUrl(society, page)
    : `${assessmentUrl(society, code, item ? `${page}/${item}` : page)}${question ? `?question=${question}` : ''}`

const NEEDED: Readonly<Record<Exclude<ChecklistLink['page'], ''>, Act>> = {
  questions: 'read_questions',
  'questions/import': 'write_questions',
  settings: 'set_rules_before_start',
  candidates: 'manage_candidates',
  'candidates/add': 'manage_candidates',
  team: 'manage_members',
  incidents: 'decide_incident',
  analysis: 'rule_on_question',
  results: 'see_scores',
  fairness: 'release_results',
}

export const mayOpen = (may: (act: Act) => boolean, page: ChecklistLink['page']): boolean =>
  page === '' || may(NEEDED[page])

/** A link that on a phone is tall enough to tap. */
export const TALL_LINK = 'link max-md:inline-flex max-md:min-h-11 max-md:items-center'
export const ROW_LINK = `${TALL_LINK} relative z-1 inline-flex min-h-6 items-center underline underline-offset-3`

/** The tasks after a test, one line each with a link (product 7.8.11). */
export function WaitingLines(props: { code: string; waiting: Listed['waiting'] }) {
  const { society } = useSociety()
  if (props.waiting.length === 0) return null
  return (
    <ul className="grid gap-1 max-md:gap-0">
      {props.waiting.map(({ text, page, label }) => (
        <li key={text}>
          <b className="amber font-semibold">{text}</b>{' '}
          <Link to={assessmentUrl(society.id, props.code, page)} className={ROW_LINK}>
            {label}
            {/* Several links have the same label, so screen readers get the text too. */}
            <span className="sr-only">: {text}</span>
          </Link>
        </li>
      ))}
    </ul>
  )
}
