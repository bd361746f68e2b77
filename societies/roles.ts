/** A member's role in a society; one account may have several (product 7.7). */
export const ROLES = ['owner', 'author', 'invigilator', 'reviewer'] as const
export type Role = (typeof ROLES)[number]
