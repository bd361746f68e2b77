import { useId, useState } from 'react'
import { Dialog } from '../../../../platform/web/ui/dialog.tsx'
import { ReasonField } from '../../console/reason-field.tsx'

/** Asks for a reason that others read, and does something. */
export function ReasonDialog(props: {
  title: string
  description: string
  act: string
  isBusy: boolean
  problem: string | null
  onClose: () => void
  onAct: (reason: string) => void
}) {
  const id = useId()
  const [reason, setReason] = useState('')
  const canAct = reason.trim() !== '' && !props.isBusy
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && props.onClose()}
      title={props.title}
      description={props.description}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (canAct) props.onAct(reason.trim())
        }}
      >
        <label htmlFor={id} className="label">
          Reason
        </label>
        <ReasonField id={id} value={reason} maxLength={500} onChange={setReason} />
        {props.problem && (
          <p role="alert" className="amber mt-2">
            {props.problem}
          </p>
        )}
        <div className="mt-4 flex flex-wrap justify-end gap-2">
          <button type="button" className="btn btn-ghost" onClick={props.onClose}>
            Cancel
          </button>
          <button type="submit" className="btn" aria-disabled={!canAct}>
            {props.act}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
