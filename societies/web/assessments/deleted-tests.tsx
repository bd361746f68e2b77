import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../platform/web/api.ts'
import { toast } from '../../../platform/web/ui/toast.tsx'
import { listDeletedAssessments, restoreAssessment } from '../../contract/lifecycle.ts'
import { countOf } from '../../number-words.ts'
import { zoneDay } from '../../zone-time.ts'
import { nameOfAssessment, useSociety } from '../console/console.tsx'
import { societyKey } from '../console/queries.ts'
import { useNowMs } from '../console/use-now.ts'
import { Refusal } from '../kit/fields.tsx'

const deletedQuery = (society: string) =>
  queryOptions({
    queryKey: [...societyKey(society), 'deleted'],
    queryFn: ({ signal }) => call(listDeletedAssessments, { params: { society } }, { signal }),
    staleTime: 0,
  })

/** The tests that owners can restore (product 7.8.9). */
export function DeletedTests() {
  const { society } = useSociety()
  const nowMs = useNowMs(60_000)
  const client = useQueryClient()
  const found = useQuery(deletedQuery(society.id))
  const restoring = useMutation({
    mutationFn: (code: string) =>
      call(restoreAssessment, { params: { society: society.id }, body: { code } }),
    onSuccess: (_, code) => toast.success(`${code} is restored`),
    onSettled: () => client.invalidateQueries({ queryKey: societyKey(society.id) }),
  })
  if (!found.data) return null
  const day = (iso: string) => zoneDay(iso, society.timeZone, nowMs)
  return (
    <section className="mt-10" aria-labelledby="deleted">
      <div className="head">
        <h2 id="deleted">Deleted</h2>
      </div>
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
              aria-disabled={restoring.isPending}
              onClick={() => !restoring.isPending && restoring.mutate(one.code)}
            >
              Restore<span className="sr-only"> {one.code}</span>
            </button>
          </li>
        ))}
      </ul>
      <Refusal error={restoring.error} />
    </section>
  )
}
