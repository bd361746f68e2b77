/** The options of every question, in practice and in assessments: always these four (product 1.2.5). */
export const OPTION_LETTERS = ['A', 'B', 'C', 'D'] as const
export type OptionLetter = (typeof OPTION_LETTERS)[number]
