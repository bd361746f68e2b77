import * as z from 'zod/mini'
import { OPTION_LETTERS } from './option-letters.ts'

// The letters have a file of their own: the landing page needs them without the library of the schema.
export { OPTION_LETTERS, type OptionLetter } from './option-letters.ts'

export const optionLetterSchema = z.enum(OPTION_LETTERS)
