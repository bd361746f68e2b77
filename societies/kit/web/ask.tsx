import { dialogOnDemand } from '../../../platform/web/ui/on-demand.ts'
import type { FieldSpec, ActionDialog as Whole } from './action-dialog.tsx'

/** Confirms an action; see action-dialog.tsx. The form code loads on demand, after the page. */
export const ActionDialog = dialogOnDemand(
  async () => (await import('./action-dialog.tsx')).ActionDialog,
) as unknown as typeof Whole

export const REASON = {
  kind: 'area',
  label: 'Reason',
  hint: 'It is saved in the log.',
  maxLength: 500,
  wrong: 'Give a reason.',
} satisfies FieldSpec
