/** Every question has these four options, in practice and in assessments (product 1.2.5). */
export const OPTION_LETTERS = ['A', 'B', 'C', 'D'] as const
export type OptionLetter = (typeof OPTION_LETTERS)[number]
