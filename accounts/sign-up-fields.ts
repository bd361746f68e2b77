/** Years of studies that a person can give, whole numbers (product 2.3.2). */
export const FIRST_YEAR_OF_STUDIES = 1
export const LAST_YEAR_OF_STUDIES = 10

/** Characters of degree and university (product 2.3.1). */
export const METADATA_TEXT_LIMIT = 200

/**
 * The year of studies that was typed: null when the field was left empty, undefined when it is none
 * (product 2.3.2).
 */
export function readYearOfStudies(text: string): number | null | undefined {
  if (text.trim() === '') return null
  const year = /^[1-9]\d*$/.test(text.trim()) ? Number(text) : Number.NaN
  return year >= FIRST_YEAR_OF_STUDIES && year <= LAST_YEAR_OF_STUDIES ? year : undefined
}

/** What is said when the box of the terms is not ticked, to the letter (product 2.3.3). */
export const TERMS_REQUIRED =
  'Terms and conditions required: Please accept the terms and conditions to create an account.'
