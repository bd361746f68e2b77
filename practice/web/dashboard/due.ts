import { URLS } from '../../../platform/urls.ts'
import { countOf, inWords } from '../../../platform/words.ts'
import { SHORT_NAMES } from '../../categories.ts'
import type { Today } from './lead-content.ts'

const ALOUD = '/aloud'

/** 'six minutes', 'one minute', '25 minutes' */
export function minutesInWords(minutes: number): string {
  return `${inWords(minutes, 'zero')} ${minutes === 1 ? 'minute' : 'minutes'}`
}

export function dueHeading(today: Today): string {
  return `${countOfDue(today)} due`
}

/** '12 questions', and where only spoken answers are due '2 spoken answers'. */
export function countOfDue({ due, spokenDue }: Today): string {
  if (due.count === 0) return countOf(spokenDue, 'spoken answer')
  return countOf(due.count + spokenDue, 'question')
}

/** 'Valuation 7 · Accounting 4 · Aloud 1 · and 3 new' */
export function dueCategories({ due, spokenDue }: Today): string {
  return [
    ...due.categories.map(({ category, count }) => `${SHORT_NAMES[category]} ${count}`),
    ...(spokenDue > 0 ? [`Aloud ${spokenDue}`] : []),
    ...(due.count > 0 && due.alsoNew ? [`and ${due.alsoNew} new`] : []),
  ].join(' · ')
}

/** Where what is due is answered: spoken answers alone have a screen of their own. */
export function dueUrl({ due, spokenDue }: Today): string {
  return due.count === 0 && spokenDue > 0 ? ALOUD : URLS.due
}

/** The review's code; its questions are those of the moment. */
export function fetchDueAhead(): void {
  import('../due/due.tsx').catch(() => {})
}
