import type { QueryKey } from '@tanstack/react-query'
import { type FetchQueryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { ApiFailure } from '../../../platform/web/api.ts'
import { Message } from '../../../platform/web/ui/message.tsx'
import { useProof } from '../console/proof.tsx'

/** Whether keys were not handed out because nobody has shown who it is for a while (product 7.13.9). */
export const areCovered = (error: unknown): boolean =>
  error instanceof ApiFailure && error.code === 'fresh_proof_required'

/** In place of what has keys: one button, which asks once and reads it then. */
export function CoveredKeys<T, Key extends QueryKey>({
  query,
}: {
  query: FetchQueryOptions<T, Error, T, Key>
}) {
  const client = useQueryClient()
  const withProof = useProof()
  const uncover = useMutation({
    mutationFn: () => withProof(() => client.fetchQuery({ ...query, staleTime: 0 })),
  })
  return (
    <Message
      title="The keys are covered"
      actions={
        <button
          type="button"
          className="btn"
          aria-disabled={uncover.isPending}
          onClick={() => !uncover.isPending && uncover.mutate()}
        >
          {uncover.isPending ? 'One moment…' : 'Uncover them'}
        </button>
      }
    >
      Whoever finds this computer unlocked reads no keys. It is asked once whether it is you, and
      holds while you work on them, until you have been away for half an hour.
      <span role="alert" className="block">
        {uncover.error?.message}
      </span>
    </Message>
  )
}
