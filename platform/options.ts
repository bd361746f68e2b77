import * as z from 'zod/mini'

/** The options of every question, in practice and in assessments: always these four. */
export const OPTION_LETTERS = ['A', 'B', 'C', 'D'] as const
export type OptionLetter = (typeof OPTION_LETTERS)[number]

export const optionLetterSchema = z.enum(OPTION_LETTERS)
