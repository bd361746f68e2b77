import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { URLS } from '../../../platform/urls.ts'
import { call } from '../../../platform/web/api.ts'
import { Question } from '../../../platform/web/ui/dialog.tsx'
import { toast } from '../../../platform/web/ui/toast.tsx'
import { leaveSociety } from '../../contract.ts'
import { useSociety } from '../console/console.tsx'
import { mySocietiesQuery } from '../console/queries.ts'

/** Ends all of one's own roles, after a question. The last owner hears why not. */
export function LeaveSociety() {
  const { society } = useSociety()
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const [isAsking, setIsAsking] = useState(false)
  const leave = useMutation({
    mutationFn: () => call(leaveSociety, { params: { society: society.id } }),
    onSuccess: async () => {
      toast.success(`You have left ${society.name}`)
      await navigate(URLS.organise, { replace: true })
      void queryClient.invalidateQueries(mySocietiesQuery)
    },
  })
  return (
    <>
      <button type="button" className="btn btn-ghost" onClick={() => setIsAsking(true)}>
        Leave this society
      </button>
      <Question
        open={isAsking}
        onOpenChange={setIsAsking}
        title={`Leave ${society.name}?`}
        description="Your roles end at once. Only an invitation lets you in again. What you did stays in the log."
      >
        <button type="button" className="btn btn-ghost" onClick={() => setIsAsking(false)}>
          Stay
        </button>
        <button
          type="button"
          className="btn"
          aria-disabled={leave.isPending}
          onClick={() => !leave.isPending && leave.mutate()}
        >
          {leave.isPending ? 'Leaving…' : 'Leave'}
        </button>
        <p role="alert" className="basis-full">
          {leave.error?.message}
        </p>
      </Question>
    </>
  )
}
