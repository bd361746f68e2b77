import { EMAIL_LENGTH } from '../../accounts/email.ts'

/*
 * Limits of a list of candidates and its mails. They are apart from the rules of candidate-lines.ts, because every
 * page about candidates loads them, and only the page that adds candidates needs the rules.
 */

/** Candidates that are added at once. */
export const MOST_LINES = 2_000
/** Candidates of a test. */
export const MOST_CANDIDATES = 5_000
/** Candidates times questions, so that the results of a full test are read in seconds. */
export const MOST_ANSWERS = 500_000
/** Characters. */
export const CANDIDATE_LENGTHS = {
  name: 200,
  email: EMAIL_LENGTH,
  room: 40,
  note: 500,
  /** as long as a candidate can type it (assessments/contract.ts) */
  username: 200,
  extra: 20,
  exempt: 200,
} as const
export const TEXT_LENGTH = 500_000
/** Characters of the paragraph that organizers write into the mails. */
export const PARAGRAPH_LENGTH = 1_000

/** Whether mail programs make a link of a name. Mails show it to people who didn't ask for them. */
export const hasLink = (name: string): boolean =>
  /@|:\/\/|www\.|\S[.。]\p{L}{2,}|(\d+\.){3}\d/iu.test(name.normalize('NFKC'))
export const LINK_PROBLEM = 'A name can’t have a link or an address in it.'

/** A text without invisible characters, and without those that turn the direction of writing. */
export const VISIBLE = /^[^\p{Cc}\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]*$/u
