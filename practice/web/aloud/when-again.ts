/** 'tomorrow', 'in 3 days', 'in 3 weeks', 'in 2 months': when something comes back, in whole days from 1. */
export function whenAgain(days: number): string {
  if (days <= 1) return 'tomorrow'
  if (days >= 60) return `in ${Math.round(days / 30)} months`
  return days >= 14 && days % 7 === 0 ? `in ${days / 7} weeks` : `in ${days} days`
}

/** The same of a day, from today: 'due today' once it has come. @param days from today, may be negative */
export function whenDue(days: number): string {
  return days <= 0 ? 'due today' : whenAgain(days)
}
