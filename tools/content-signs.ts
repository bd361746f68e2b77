// Real signs in what people read (product 10.6.2): − and × are set as wide as +, and a screen reader says
// 'minus' and 'times' where a hyphen is passed over and x is a letter.

/** A hyphen before a figure, a bracket or a variable, or between two terms; not in 10-year or 805-30. */
const MINUS = /(?<=^|[\s(="'^×])-(?=[$€£]?[\d(]|[a-zA-Z]+[)\s])|(?<=\S\s+)-(?=\s+\S)/g

/** x between two terms. The variable has a word or a sign of a sum beside it: 'the amount x', 'x = 600'. */
const TIMES =
  /(?<=\S\s+|^)x(?=\s+[\d($€£−-]|\s+[a-zA-Z]{1,2}(?:\d|\b(?!['’]))|\s+[a-zA-Z]+\b)(?!\s+(?:between|after|before|and|or|is|to|that|with|per|if|for|in|of)\b)/g

/** A word that names what stands behind it, so that x is a variable there. */
const NAMES_IT =
  /(?:^|\s)(?:meter|amount|satisfies|gives|sees|at|than|for|with|that|by|and|or|[+−/=-])\s+$/

/** The text with real signs, as long as before: one character each. */
export function mendSigns(text: string): string {
  return text
    .replace(TIMES, (sign, place: number) => (NAMES_IT.test(text.slice(0, place)) ? sign : '×'))
    .replace(MINUS, '−')
}

/** Where a text has a hyphen for minus or the letter x for times: some characters around each. */
export function findTypedSigns(text: string): string[] {
  const mended = mendSigns(text)
  return [...text].flatMap((letter, place) =>
    letter === mended[place] ? [] : [text.slice(Math.max(0, place - 8), place + 9)],
  )
}
