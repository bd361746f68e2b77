import { TriangleAlert } from 'lucide-react'
import { Link } from 'react-router'
import { assessmentUrl } from '../../../platform/urls.ts'
import { useEndpoint } from '../../../platform/web/use-endpoint.ts'
import { getOverview } from '../../contract/lifecycle.ts'
import type { LiveCounts } from '../../contract/live.ts'
import { countOf } from '../../number-words.ts'
import { spanUntil, zoneMoment } from '../../zone-time.ts'
import { checklistUrl, mayOpen } from '../assessments/checklist-links.tsx'
import { useAssessment, useSociety } from '../console/console.tsx'

/** Before the opening: how long still, who waits, and what is amber in the checklist (product 7.14.9). */
export function BeforeOpening(props: { opensMs: number; nowMs: number; waiting: number }) {
  const { opensMs, nowMs, waiting } = props
  const { society, may } = useSociety()
  const { code, timeZone } = useAssessment()
  const overview = useEndpoint(
    getOverview,
    { params: { society: society.id, code } },
    { every: 10_000 },
  )
  const amber = overview.data?.rows.filter(({ state }) => state === 'attention') ?? []
  return (
    <section aria-label="Before it opens" className="mb-9">
      <h1>
        Opens in <span className="figures">{spanUntil(opensMs - nowMs)}</span>
      </h1>
      <p className="mt-2 text-[15px] text-ink-2">
        {zoneMoment(opensMs, timeZone, nowMs)}.{' '}
        {waiting === 0
          ? 'Nobody has signed in yet.'
          : `${countOf(waiting, 'candidate has', 'candidates have')} signed in and ${waiting === 1 ? 'waits' : 'wait'}: their page starts by itself.`}
      </p>
      {amber.length > 0 && (
        <ul className="mt-5 max-w-[76ch] border-line border-t">
          {amber.map(({ row, finding, link }) => (
            <li
              key={row}
              className="flex flex-wrap items-center gap-x-3 gap-y-1 border-line border-b py-2.5"
            >
              <TriangleAlert size={16} aria-hidden className="amber flex-none" />
              <span className="min-w-0 flex-1">
                <span className="sr-only">To mend: </span>
                {finding}
              </span>
              {mayOpen(may, link.page) && (
                <Link
                  to={checklistUrl(society.id, code, link)}
                  className="link max-md:inline-flex max-md:min-h-11 max-md:items-center"
                >
                  {link.label}
                </Link>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

/** Whether nobody can start any more and nobody is inside. */
export function isOver(
  { inside, done }: LiveCounts,
  closesMs: number | null,
  nowMs: number,
): boolean {
  return closesMs !== null && closesMs < nowMs && inside === 0 && done > 0
}

/** After the end: that everybody is out, and whose answers came too late (product 7.14.9). */
export function EverybodyOut({ counts }: { counts: LiveCounts }) {
  const { society, may } = useSociety()
  const { code } = useAssessment()
  return (
    <section aria-label="After the end" className="mb-9">
      <h1>Everybody is out.</h1>
      <p className="mt-2 text-[15px] text-ink-2">
        {countOf(counts.done, 'candidate', 'candidates')} sat the test
        {counts.absent > 0 && `, ${counts.absent} did not come`}.{' '}
        {counts.late > 0 && (
          <span className={may('accept_late_answers') ? 'amber font-medium' : ''}>
            Answers of {countOf(counts.late, 'candidate')} came after the end and do not count.{' '}
            {may('accept_late_answers') && '‘Late answers’ says whether any of them may. '}
          </span>
        )}
        {may('report_incident') && (
          <Link
            to={assessmentUrl(society.id, code, 'incidents')}
            className="link max-md:inline-flex max-md:min-h-11 max-md:items-center"
          >
            Go to Incidents
          </Link>
        )}
      </p>
    </section>
  )
}
