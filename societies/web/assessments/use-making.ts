import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { assessmentUrl } from '../../../platform/urls.ts'
import { toast } from '../../../platform/web/ui/toast.tsx'
import { useSociety } from '../console/console.tsx'
import { societyKey } from '../console/queries.ts'

/** What was made: its code, and the one that was asked for. */
export interface Made {
  code: string
  wanted: string
}

/** Runs what makes an assessment; then its pages are opened, and a code that became another one is told. */
export function useMaking<Input>(
  make: (input: Input) => Promise<Made>,
  where: (made: Made, input: Input) => { page?: string; state?: unknown } = () => ({}),
) {
  const { society } = useSociety()
  const client = useQueryClient()
  const navigate = useNavigate()
  return useMutation({
    mutationFn: make,
    onSuccess: async (made, input) => {
      void client.invalidateQueries({ queryKey: societyKey(society.id) })
      if (made.code !== made.wanted) {
        toast.success(
          `Its code is ${made.code}`,
          `Another society on this server has ${made.wanted} already.`,
        )
      }
      const { page, state } = where(made, input)
      await navigate(assessmentUrl(society.id, made.code, page), { state })
    },
  })
}
