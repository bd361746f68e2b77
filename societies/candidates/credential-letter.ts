import { zoneName, zoneTime } from '../kit/zone-time.ts'
import { STRIKES_FOR_CANDIDATES } from '../setup/exemptions.ts'

export interface LetterFacts {
  society: string
  session: string | null
  opensAt: Date | null
  closesAt: Date | null
  timeZone: string
  durationSeconds: number
  /** the contact for candidates; null where there is none */
  contact: string | null
  /** written by the organizers, plain text */
  paragraph: string
  /** without a slash at its end */
  publicUrl: string
}

export interface LetterReader {
  name: string | null
  username: string
  extraSeconds: number
  /** where the candidate sits; null where no room is named */
  room: string | null
  /** whether the window is the reader's alone, and not the test's */
  hasOwnStart: boolean
  /** of the reader's own rehearsal (product 7.11.2) */
  rehearsalLink: string
}

type TestTime = Pick<LetterFacts, 'opensAt' | 'closesAt' | 'timeZone' | 'durationSeconds'>

/** A candidate's first and last moment to start, where they are not the test's. */
export interface OwnStart {
  startsFrom: Date | null
  startsUntil: Date | null
}

/** The test's time as one candidate has it. */
export const withOwnStart = <Test extends Pick<TestTime, 'opensAt' | 'closesAt'>>(
  test: Test,
  { startsFrom, startsUntil }: OwnStart,
): Test => ({
  ...test,
  opensAt: startsFrom ?? test.opensAt,
  closesAt: startsUntil ?? test.closesAt,
})

/** The time in a letter, as a text to compare with the time that the test has later. */
export const toldOf = ({ opensAt, closesAt, timeZone, durationSeconds }: TestTime): string =>
  [opensAt?.toISOString() ?? '', closesAt?.toISOString() ?? '', timeZone, durationSeconds].join(' ')

/** A sentence, a button, or what is typed as it stands. */
type LetterPart = string | { button: string; link: string } | { code: string }

/** The mail with a candidate's credentials (product 7.10.8); the page shows it with a placeholder. */
export function credentialLetter(
  facts: LetterFacts,
  { name, username, extraSeconds, room, hasOwnStart, rehearsalLink }: LetterReader,
  password: string,
): { subject: string; link: string; parts: LetterPart[] } {
  const { society, session, contact, paragraph, publicUrl, durationSeconds } = facts
  const what = session ? `${society}, ${session}` : society
  const link = `${publicUrl}/recruitment`
  const extra = `${minutesOf(durationSeconds)} and ${minutesOf(extraSeconds)} of extra time`
  return {
    subject: `Your password for the ${what} recruitment test`.replace(/\s+/g, ' '),
    link,
    parts: [
      name ? `Hello ${name},` : 'Hello,',
      `You are invited to the ${what} recruitment test on Superday.`,
      ...windowSentences(facts),
      ...(hasOwnStart
        ? ['This time is yours only. The other candidates start at another time.']
        : []),
      `You have ${minutesOf(durationSeconds + extraSeconds)} minutes from your start${extraSeconds > 0 ? ` (${extra})` : ''}.`,
      ...(room ? [`Your room: ${room}.`] : []),
      STRIKES_FOR_CANDIDATES,
      ...paragraph
        .trim()
        .split(/\s*\n\s*/)
        .filter(Boolean),
      'Your username:',
      { code: username },
      'Your password:',
      { code: password },
      "On the day, open this page, continue as a guest or sign in, choose the society, and enter both. Capitals and hyphens don't matter.",
      { button: 'Go to the test', link },
      `Before the day, rehearse on the computer that you will use. It takes five minutes and doesn't count: ${rehearsalLink}`,
      'If you got several of these mails, use the newest one. Its password replaces the others.',
      contact ? `Questions: ${contact}` : 'Questions: ask the society that invited you.',
    ],
  }
}

/** The time on a printed sheet, as a text to compare (product 7.10.20): the start and the minutes. */
export function slipTold(test: Omit<TestTime, 'closesAt'>): string {
  const { opensAt, timeZone } = test
  const start = opensAt ? `${momentIn(opensAt, timeZone)}, ${zoneName(timeZone)} time, ` : ''
  return `${start}${minutesOf(test.durationSeconds)} minutes`
}

function windowSentences({ opensAt, closesAt, timeZone }: LetterFacts): string[] {
  if (!opensAt && !closesAt) return []
  const from = opensAt ? ` from ${momentIn(opensAt, timeZone)}` : ''
  const until = closesAt ? ` until ${momentIn(closesAt, timeZone)}` : ''
  return [`You can start${from}${until}, ${zoneName(timeZone)} time.`]
}

/** 'Wednesday 25 November 2026, 09:00' */
export function momentIn(date: Date, timeZone: string): string {
  const day = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
  }).format(date)
  return `${day.replace(',', '')}, ${zoneTime(date, timeZone)}`
}

/** 30, or 7.5 */
export const minutesOf = (seconds: number): string => String(Math.round(seconds / 6) / 10)

/** What a mail server's refusal means, for the sender; the page shows its own words after it (product 7.10.11). */
export function plainMailError(words: string): string {
  return (
    MEANINGS.find(([pattern]) => pattern.test(words))?.[1] ?? 'The mail server rejected the mail.'
  )
}

const MEANINGS: readonly [RegExp, string][] = [
  [/5\.2\.2|4\.2\.2|mailbox (is )?full|quota/i, 'The mailbox is full.'],
  [
    /5\.1\.[12]0?\b|\b55[0-4]\b.*(user|mailbox|recipient|unknown|exist)/i,
    'This mailbox does not exist.',
  ],
  [/5\.7\.|spam|policy|blocked|blacklist/i, 'The mail server blocks mail from here.'],
  [/EAUTH|\b535\b|5\.7\.8|authentication/i, 'The mail server rejected the sign-in.'],
  [/ENOTFOUND|EDNS|EAI_AGAIN|domain/i, 'The mail server was not found.'],
  [/ECONN|ESOCKET|ETIMEDOUT|timeout|closed|socket/i, 'The mail server did not answer.'],
  [/\b4\d\d\b|4\.\d\.\d|greylist|try again|later/i, 'The mail server asks to try again later.'],
  [/\b55\d\b/, 'The mail server rejected this address.'],
]
