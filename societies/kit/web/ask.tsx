import { dialogOnDemand } from '../../../platform/web/ui/on-demand.ts'
import type { FieldSpec, ActionDialog as Whole } from './action-dialog.tsx'

/** Asks before an act; see action-dialog.tsx. Forms come later than the page. */
export const ActionDialog = dialogOnDemand(
  async () => (await import('./action-dialog.tsx')).ActionDialog,
) as unknown as typeof Whole

/** Why something is done; it can be read in the log. */
export const REASON = {
  kind: 'area',
  label: 'Reason',
  hint: 'It is saved in the log.',
  maxLength: 500,
  wrong: 'Give a reason.',
} satisfies FieldSpec
