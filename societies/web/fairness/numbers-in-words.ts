const SMALL = [
  ...['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'],
  ...['eleven', 'twelve'],
]

/** 'nine', '37': as a page writes numbers in a sentence. */
export const inWords = (count: number): string => SMALL[count] ?? `${count}`

/** 'two owners', 'one author', '105 scores' */
export const counted = (count: number, one: string, more = `${one}s`): string =>
  `${inWords(count)} ${count === 1 ? one : more}`

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** 'a', 'a and b', 'a, b and c' */
export const listed = (parts: readonly string[]): string =>
  parts.length < 2 ? (parts[0] ?? '') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`

const LONG_DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })

/** '25 November 2027' of '2027-11-25' */
export const dayOf = (day: string): string => LONG_DAY.format(new Date(`${day}T00:00:00Z`))

/** '2 December 2026', where it is now */
export const dayIn = (iso: string, timeZone: string): string =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone }).format(new Date(iso))
