import * as z from 'zod/mini'
import { OPTION_LETTERS } from './option-letters.ts'

// The letters have their own file, because the landing page needs them without the schema library.
export { OPTION_LETTERS, type OptionLetter } from './option-letters.ts'

export const optionLetterSchema = z.enum(OPTION_LETTERS)
