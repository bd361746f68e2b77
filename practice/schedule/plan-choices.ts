// Every page loads these choices with the contract, so they are separate from the calendar.

export const ROLE_NAMES = {
  'investment-banking': 'Investment banking',
  'sales-and-trading': 'Sales & trading',
  quant: 'Quant trading',
  'asset-management': 'Asset management',
  'private-equity': 'Private equity & credit',
  venture: 'Venture capital',
  'corporate-banking': 'Corporate banking',
  consulting: 'Consulting',
} as const
export type Role = keyof typeof ROLE_NAMES
export const ROLES = Object.keys(ROLE_NAMES) as Role[]

export const MINUTES_A_DAY = [10, 20, 40] as const
