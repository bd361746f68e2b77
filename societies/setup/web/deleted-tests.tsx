import { call } from '../../../platform/web/api.ts'
import { toast } from '../../../platform/web/ui/toast.tsx'
import { useEndpoint } from '../../../platform/web/use-endpoint.ts'
import { countOf } from '../../../platform/words.ts'
import { nameOfAssessment, useSociety } from '../../kit/web/console/console.tsx'
import { useNowMs } from '../../kit/web/console/use-now.ts'
import { Section } from '../../kit/web/section.tsx'
import { Problem, useAct } from '../../kit/web/use-act.tsx'
import { zoneDay } from '../../kit/zone-time.ts'
import { listDeletedAssessments, restoreAssessment } from '../contract.ts'

/** The tests that owners can restore (product 7.8.9). */
export function DeletedTests() {
  const { society } = useSociety()
  const nowMs = useNowMs(60_000)
  const params = { society: society.id }
  const found = useEndpoint(listDeletedAssessments, { params }, { staleTime: 0 })
  const restore = useAct(
    (code: string) => call(restoreAssessment, { params, body: { code } }),
    (_, code) => toast.success(`${code} is restored`),
  )
  if (!found.data) return null
  const day = (iso: string) => zoneDay(iso, society.timeZone, nowMs)
  return (
    <Section title="Deleted" className="mt-10">
      {found.data.length === 0 && (
        <p className="border-line border-b py-3 text-ink-2">
          No deleted tests. For seven days a deleted test stays here, and any owner can restore it.
        </p>
      )}
      <ul>
        {found.data.map((one) => (
          <li
            key={one.code}
            className="flex flex-wrap items-center gap-x-4 gap-y-2 border-line border-b py-3"
          >
            <div className="min-w-0 flex-1 basis-60">
              <p className="font-medium">
                {nameOfAssessment(one)}{' '}
                <small className="hint">
                  {one.code} · {countOf(one.candidateCount, 'candidate')}
                </small>
              </p>
              <p className="hint">
                Deleted by {one.deletedBy}, {day(one.deletedAt)}. It can be restored until{' '}
                {day(one.until)}.
              </p>
            </div>
            <button
              type="button"
              className="btn btn-ghost btn-small max-md:min-h-11"
              aria-disabled={restore.isBusy}
              onClick={() => restore.run(one.code)}
            >
              Restore<span className="sr-only"> {one.code}</span>
            </button>
          </li>
        ))}
      </ul>
      <Problem text={restore.problem} />
    </Section>
  )
}
