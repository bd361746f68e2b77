const NUMBERS = 'No One Two Three Four Five Six Seven Eight Nine Ten Eleven Twelve'.split(' ')

/** How a sentence begins with a number: 'Four', '24'. */
export function numberWord(count: number): string {
  return NUMBERS[count] ?? String(count)
}

/** '1 thing', '24 things' */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}

/** 'Morning, Afternoon and Evening' */
export function listOf(names: readonly string[]): string {
  return names.length < 2
    ? (names[0] ?? '')
    : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}

/** '021': how the number that stands for a candidate is written wherever the name is covered (product 7.16.12). */
export const blindNumber = (number: number): string => String(number).padStart(3, '0')
