import { isDayOff, type PlanDates, phaseOf } from './plan.ts'

/** Hours of the person's own clock at which a reminder may come (product 3.16.8). */
export const REMINDER_HOURS = Array.from({ length: 13 }, (_, index) => 8 + index)

export const REMINDER_CHANNELS = ['mail', 'push'] as const
export type ReminderChannel = (typeof REMINDER_CHANNELS)[number]

/** After so many that nobody followed it stops by itself (product 3.16.9). */
const UNANSWERED_LIMIT = 3

/** Whether to remind, say that it stops, or stay quiet (product 3.16.8, 3.16.9); at most once a day. */
export function reminderOf(
  plan: PlanDates,
  today: string,
  { practicedOn, sentOn }: { practicedOn: string | null; sentOn: readonly string[] },
): 'none' | 'remind' | 'stop' {
  if (phaseOf(plan, today) === 'past' || isDayOff(plan, today)) return 'none'
  if (practicedOn === today || sentOn.includes(today)) return 'none'
  const unanswered = sentOn.filter((day) => practicedOn === null || day > practicedOn)
  return unanswered.length >= UNANSWERED_LIMIT ? 'stop' : 'remind'
}
