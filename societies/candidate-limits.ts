import { EMAIL_LENGTH } from '../accounts/email.ts'
import { USERNAME_LENGTH } from './usernames.ts'

/*
 * How much a list of candidates and its mails may hold, apart from what judges them: the contract of every page
 * about candidates reads these numbers, and only the page that adds some needs the rest.
 */

/** Candidates that are added at once. */
export const MOST_LINES = 2_000
/** Characters. */
export const CANDIDATE_LENGTHS = {
  name: 200,
  email: EMAIL_LENGTH,
  room: 40,
  note: 500,
  username: USERNAME_LENGTH,
  extra: 20,
  exempt: 200,
} as const
/** Characters of a pasted text. */
export const TEXT_LENGTH = 500_000
/** Characters of the paragraph that organisers write into the mails. */
export const PARAGRAPH_LENGTH = 1_000
