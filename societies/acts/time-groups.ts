/** Groups of a preview of time by what happens, the rarest first. */
export const TIME_GROUPS = ['reopens', 'ends', 'plans', 'has_extra', 'moves', 'stays'] as const
export type TimeGroup = (typeof TIME_GROUPS)[number]
