const SMALL = 'no one two three four five six seven eight nine ten eleven twelve'.split(' ')

/** '1 thing', '24 things' */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}

/** 'Morning', 'Morning and Evening', 'Morning, Afternoon and Evening' */
export function listOf(names: readonly (string | number)[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}

/** A number within a sentence: 'four', or digits above twelve. */
export function inWords(count: number, zero = 'no'): string {
  return count === 0 ? zero : (SMALL[count] ?? String(count))
}

/** A number that starts a sentence: 'Four', '24'. */
export function numberWord(count: number, zero = 'no'): string {
  return upperFirst(inWords(count, zero))
}

function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
