import type { Role } from '../../schedule/plan-choices.ts'

export const ROLE_NAMES: Record<Role, string> = {
  'investment-banking': 'Investment banking',
  'sales-and-trading': 'Sales & trading',
  quant: 'Quant trading',
  consulting: 'Consulting',
}
