import { ApiFailure } from '../../../platform/web/api.ts'
import { Message } from '../../../platform/web/ui/message.tsx'
import { ActButton, useAct } from '../kit/use-act.tsx'

/** Whether keys were not handed out because nobody has shown who it is for a while (product 7.13.9). */
export const areCovered = (error: unknown): boolean =>
  error instanceof ApiFailure && error.code === 'fresh_proof_required'

/** In place of what has keys: one button, which asks once and reads it then. */
export function CoveredKeys({ read }: { read: () => Promise<unknown> }) {
  const uncover = useAct(read)
  return (
    <Message
      title="The keys are covered"
      actions={
        <ActButton act={uncover} busy="One moment…" className="btn">
          Uncover them
        </ActButton>
      }
    >
      Whoever finds this computer unlocked reads no keys. It is asked once whether it is you, and
      holds while you work on them, until you have been away for half an hour.
    </Message>
  )
}
