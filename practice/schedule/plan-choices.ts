// Apart from the calendar: every page begins with the contract, which needs these alone.

/** The roles that a plan prepares for (product 3.16.1). */
export const ROLES = ['investment-banking', 'sales-and-trading', 'quant', 'consulting'] as const
export type Role = (typeof ROLES)[number]

export const MINUTES_A_DAY = [10, 20, 40] as const
export type MinutesADay = (typeof MINUTES_A_DAY)[number]
