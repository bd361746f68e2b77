import { TriangleAlert } from 'lucide-react'
import { Link } from 'react-router'
import { spanUntil } from '../../../platform/durations.ts'
import { assessmentUrl } from '../../../platform/urls.ts'
import { useEndpoint } from '../../../platform/web/use-endpoint.ts'
import { countOf } from '../../../platform/words.ts'
import { useAssessment, useSociety } from '../../kit/web/console/console.tsx'
import { usePlace } from '../../kit/web/use-act.tsx'
import { zoneMoment } from '../../kit/zone-time.ts'
import { getOverview } from '../../setup/contract-overview.ts'
import { checklistUrl, mayOpen } from '../../setup/web/checklist-links.tsx'
import type { LiveCounts } from '../contract.ts'

const LINK = 'link max-md:inline-flex max-md:min-h-11 max-md:items-center'

/** Before the opening: the time left, who waits, and what the checklist shows in amber (product 7.14.9). */
export function BeforeOpening(props: { opensMs: number; nowMs: number; waiting: number }) {
  const { opensMs, nowMs, waiting } = props
  const { may } = useSociety()
  const { timeZone } = useAssessment()
  const place = usePlace()
  const overview = useEndpoint(getOverview, { params: place }, { every: 10_000 })
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
                <span className="sr-only">To fix: </span>
                {finding}
              </span>
              {mayOpen(may, link.page) && (
                <Link to={checklistUrl(place.society, place.code, link)} className={LINK}>
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

/** After the end: that everybody is out, and whose answers came too late (product 7.14.9). */
export function EverybodyOut({ counts }: { counts: LiveCounts }) {
  const { may } = useSociety()
  const { society, code } = usePlace()
  return (
    <section aria-label="After the end" className="mb-9">
      <h1>Everybody is out.</h1>
      <p className="mt-2 text-[15px] text-ink-2">
        {countOf(counts.done, 'candidate')} sat the test
        {counts.absent > 0 && `, ${counts.absent} did not come`}.{' '}
        {counts.late > 0 && (
          <span className={may('accept_late_answers') ? 'amber font-medium' : ''}>
            Answers of {countOf(counts.late, 'candidate')} came after the end and do not count.{' '}
            {may('accept_late_answers') && '‘Late answers’ says whether any of them may. '}
          </span>
        )}
        {may('report_incident') && (
          <Link to={assessmentUrl(society, code, 'incidents')} className={LINK}>
            Go to Incidents
          </Link>
        )}
      </p>
    </section>
  )
}
