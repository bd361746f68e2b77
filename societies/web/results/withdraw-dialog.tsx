import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { call } from '../../../platform/web/api.ts'
import { Dialog } from '../../../platform/web/ui/dialog.tsx'
import { withdrawRelease } from '../../contract/results.ts'
import { FormField, Refusal } from '../assessments/form-parts.tsx'
import { ReasonField } from '../console/reason-field.tsx'
import { usePlace } from '../console/use-act.ts'
import { resultsKey } from './queries.ts'

/** Takes a release back, with the reason (product 7.17.12). */
export function WithdrawDialog({ onClose }: { onClose: () => void }) {
  const place = usePlace()
  const client = useQueryClient()
  const [reason, setReason] = useState('')
  const withdrawing = useMutation({
    mutationFn: () => call(withdrawRelease, { params: place, body: { reason: reason.trim() } }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: resultsKey(place), exact: true })
      onClose()
    },
  })
  function submit(event: FormEvent): void {
    event.preventDefault()
    if (reason.trim() !== '' && !withdrawing.isPending) withdrawing.mutate()
  }
  return (
    <Dialog open onOpenChange={onClose} title="Take the release back">
      <form onSubmit={submit} className="grid gap-4">
        <p>Candidates read nothing any more. Who has read the own result has read it.</p>
        <FormField label="Why" hint="It stands in the log.">
          {(described) => (
            <ReasonField {...described} maxLength={500} value={reason} onChange={setReason} />
          )}
        </FormField>
        <Refusal error={withdrawing.error} />
        <div className="flex flex-wrap gap-2">
          <button
            type="submit"
            className="btn"
            aria-disabled={reason.trim() === '' || withdrawing.isPending}
          >
            {withdrawing.isPending ? 'Taking it back…' : 'Take it back'}
          </button>
          <button type="button" className="btn btn-ghost" onClick={onClose}>
            Leave it
          </button>
        </div>
      </form>
    </Dialog>
  )
}
