/** Outcome groups in a time preview, rarest first. */
export const TIME_GROUPS = ['reopens', 'ends', 'plans', 'has_extra', 'moves', 'stays'] as const
export type TimeGroup = (typeof TIME_GROUPS)[number]
