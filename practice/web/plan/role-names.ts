import type { Role } from '../../schedule/plan-choices.ts'

/** What a role is called on the page. */
export const ROLE_NAMES: Record<Role, string> = {
  'investment-banking': 'Investment banking',
  'sales-and-trading': 'Sales & trading',
  quant: 'Quant trading',
  consulting: 'Consulting',
}
