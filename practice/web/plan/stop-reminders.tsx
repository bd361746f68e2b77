import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../platform/web/api.ts'
import { Message } from '../../../platform/web/ui/message.tsx'
import { StandalonePage, useTitle } from '../../../platform/web/ui/page.tsx'
import { stopReminders } from '../../contract/plan.ts'

/** /stop-reminders#TOKEN from a mail works without signing in, but needs a click on the button (product 3.16.10). */
export function StopReminders() {
  useTitle('Stop reminders')
  const [token] = useState(() => location.hash.slice(1))
  const stop = useMutation({ mutationFn: () => call(stopReminders, { params: { token } }) })
  return (
    <StandalonePage>
      {stop.isSuccess ? (
        <Message title="No more reminders" actions={null}>
          You keep your progress. You can turn reminders back on in your plan.
        </Message>
      ) : (
        <Message
          title="Stop the reminders?"
          actions={
            <button
              type="button"
              className="btn"
              aria-disabled={stop.isPending}
              onClick={() => !stop.isPending && stop.mutate()}
            >
              Stop reminders
            </button>
          }
        >
          {stop.isError ? stop.error.message : "You won't get any more practice reminders."}
        </Message>
      )}
    </StandalonePage>
  )
}
