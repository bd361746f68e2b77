import { useState } from 'react'
import type { Endpoint } from '../../../platform/endpoint.ts'
import { dialogOnDemand } from '../../../platform/web/ui/on-demand.ts'
import type { FieldSpec, ActionDialog as Whole } from './action-dialog.tsx'

/** Confirms an action; see action-dialog.tsx. The form code loads on demand, after the page. */
export const ActionDialog = dialogOnDemand(
  async () => (await import('./action-dialog.tsx')).ActionDialog,
) as unknown as typeof Whole

/** A button with the dialog that it opens, whose other props it takes. */
export function AskButton<E extends Endpoint>(
  props: { words: string; label?: string; className?: string } & Omit<
    Parameters<typeof Whole<E>>[0],
    'onClose'
  >,
) {
  const { words, label, className = 'btn btn-ghost', ...dialog } = props
  const [isAsking, setIsAsking] = useState(false)
  return (
    <>
      <button
        type="button"
        className={className}
        aria-label={label}
        onClick={() => setIsAsking(true)}
      >
        {words}
      </button>
      {isAsking && <ActionDialog {...dialog} onClose={() => setIsAsking(false)} />}
    </>
  )
}

export const REASON = {
  kind: 'area',
  label: 'Reason',
  hint: 'It is saved in the log.',
  maxLength: 500,
  wrong: 'Give a reason.',
} satisfies FieldSpec
