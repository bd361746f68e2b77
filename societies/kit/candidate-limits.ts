import { EMAIL_LENGTH } from '../../accounts/email.ts'

/* Limits for a list of candidates and its mails. They are separate from candidate-lines.ts because every page about
   candidates loads them, and only the page that adds candidates needs its rules. */

/** The maximum number of candidates added in one request. */
export const MOST_LINES = 2_000
export const MOST_CANDIDATES = 5_000
/** The maximum of candidates times questions, so that the results of a full test load in seconds. */
export const MOST_ANSWERS = 500_000
/** In characters. */
export const CANDIDATE_LENGTHS = {
  name: 200,
  email: EMAIL_LENGTH,
  room: 40,
  note: 500,
  /** The same maximum as for a typed username (assessments/contract.ts). */
  username: 200,
  extra: 20,
  exempt: 200,
} as const
export const TEXT_LENGTH = 500_000
/** The maximum length of the paragraph that organizers write into the mails, in characters. */
export const PARAGRAPH_LENGTH = 1_000

/** Whether mail programs would make a link of a name, which mails show to strangers. */
export const hasLink = (name: string): boolean =>
  /@|:\/\/|www\.|\S[.。]\p{L}{2,}|(\d+\.){3}\d/iu.test(name.normalize('NFKC'))
export const LINK_PROBLEM = 'A name can’t have a link or an address in it.'

/** Matches text without invisible characters or characters that change the text direction. */
export const VISIBLE = /^[^\p{Cc}\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]*$/u
