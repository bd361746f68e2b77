import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { URLS } from '../../../platform/urls.ts'
import { toast } from '../../../platform/web/ui/toast.tsx'
import { ActionDialog } from '../../kit/web/ask.tsx'
import { useSociety } from '../../kit/web/console/console.tsx'
import { mySocietiesQuery } from '../../kit/web/console/queries.ts'
import { leaveSociety } from '../contract.ts'

/** Ends all of one's own roles, after a question. The last owner hears why not. */
export function LeaveSociety() {
  const { society } = useSociety()
  const navigate = useNavigate()
  const client = useQueryClient()
  const [isAsking, setIsAsking] = useState(false)
  return (
    <>
      <button type="button" className="btn btn-ghost" onClick={() => setIsAsking(true)}>
        Leave this society
      </button>
      {isAsking && (
        <ActionDialog
          title={`Leave ${society.name}?`}
          text="Your roles end at once. Only an invitation lets you in again. What you did stays in the log."
          endpoint={leaveSociety}
          input={{ params: { society: society.id } }}
          button={['Leave', 'Leaving…']}
          done={async () => {
            toast.success(`You have left ${society.name}`)
            client.setQueryData(
              mySocietiesQuery.queryKey,
              (mine) =>
                mine && {
                  ...mine,
                  societies: mine.societies.filter(({ id }) => id !== society.id),
                },
            )
            await navigate(URLS.organise, { replace: true })
          }}
          onClose={() => setIsAsking(false)}
        />
      )}
    </>
  )
}
