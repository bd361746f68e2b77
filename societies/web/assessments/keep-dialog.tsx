import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { call } from '../../../platform/web/api.ts'
import { Dialog } from '../../../platform/web/ui/dialog.tsx'
import { setKeepUntil } from '../../contract/seasons.ts'
import { nameOfAssessment, useAssessment, useSociety } from '../console/console.tsx'
import { societyKey } from '../console/queries.ts'
import { endOfDay, lastDay } from './end-of-day.ts'
import type { ReadSettings } from './lifecycle-queries.ts'

/** Another day on which an assessment deletes itself, or the society's again. */
export function KeepDialog(props: {
  kept: NonNullable<ReadSettings['kept']>
  onClose: () => void
}) {
  const { kept, onClose } = props
  const { until, hasOwnDay } = kept
  const assessment = useAssessment()
  const { code, timeZone } = assessment
  const { society } = useSociety()
  const queryClient = useQueryClient()
  const id = useId()
  const [day, setDay] = useState(until ? lastDay(until, timeZone) : '')
  const [missing, setMissing] = useState(false)
  const save = useMutation({
    mutationFn: (keepUntil: string | null) =>
      call(setKeepUntil, { params: { society: society.id, code }, body: { keepUntil } }),
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: societyKey(society.id) })
      onClose()
    },
  })

  function onSubmit(event: FormEvent) {
    event.preventDefault()
    if (save.isPending) return
    setMissing(day === '')
    if (day !== '') save.mutate(endOfDay(day, timeZone).toISOString())
  }

  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={`Until when ${nameOfAssessment(assessment)} is kept`}
    >
      <form onSubmit={onSubmit} noValidate name="keep" className="flex flex-col gap-4">
        <div>
          <label className="label" htmlFor={`${id}-day`}>
            Last day of answers and names
          </label>
          <input
            id={`${id}-day`}
            type="date"
            className="field"
            value={day}
            aria-invalid={missing ? true : undefined}
            aria-describedby={`${id}-hint ${id}-error`}
            onChange={(event) => setDay(event.target.value)}
          />
          <p id={`${id}-hint`} className="hint mt-1">
            At least 14 days from now: all owners are told first. As short as an appeal allows, as
            long as one may come.
          </p>
          <p id={`${id}-error`} role="alert" className="mt-1">
            {missing ? 'Please choose a day.' : save.error?.message}
          </p>
        </div>
        <div className="flex flex-wrap gap-3">
          <button type="submit" className="btn" aria-disabled={save.isPending}>
            {save.isPending ? 'Saving…' : 'Keep until this day'}
          </button>
          {hasOwnDay && (
            <button
              type="button"
              className="btn btn-ghost"
              aria-disabled={save.isPending}
              onClick={() => {
                if (!save.isPending) save.mutate(null)
              }}
            >
              As the society says again
            </button>
          )}
        </div>
      </form>
    </Dialog>
  )
}
