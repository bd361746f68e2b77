import { zoneName, zoneTime } from '../kit/zone-time.ts'
import { STRIKES_FOR_CANDIDATES } from '../setup/exemptions.ts'

export interface LetterFacts {
  society: string
  session: string | null
  opensAt: Date | null
  closesAt: Date | null
  timeZone: string
  durationSeconds: number
  contact: string | null
  /** Plain text written by the organizers. */
  paragraph: string
  /** Has no trailing slash. */
  publicUrl: string
}

export interface LetterReader {
  name: string | null
  username: string
  extraSeconds: number
  room: string | null
  /** Whether the start window is this candidate's own instead of the test's. */
  hasOwnStart: boolean
  /** The link to the candidate's own rehearsal (product 7.11.2). */
  rehearsalLink: string
}

type TestTime = Pick<LetterFacts, 'opensAt' | 'closesAt' | 'timeZone' | 'durationSeconds'>

/** A candidate's own first and last moment to start; null where the test's applies. */
export interface OwnStart {
  startsFrom: Date | null
  startsUntil: Date | null
}

/** The test's time for one candidate, whose own window replaces the test's. */
export const withOwnStart = <Test extends Pick<TestTime, 'opensAt' | 'closesAt'>>(
  test: Test,
  { startsFrom, startsUntil }: OwnStart,
): Test => ({
  ...test,
  opensAt: startsFrom ?? test.opensAt,
  closesAt: startsUntil ?? test.closesAt,
})

/** Encodes the time in a letter, to detect later whether the test's time has changed. */
export const toldOf = ({ opensAt, closesAt, timeZone, durationSeconds }: TestTime): string =>
  [opensAt?.toISOString() ?? '', closesAt?.toISOString() ?? '', timeZone, durationSeconds].join(' ')

/** A sentence, a button, or code that candidates type exactly as shown. */
type LetterPart = string | { button: string; link: string } | { code: string }

/** Builds the credentials mail (product 7.10.8). The page previews it with a placeholder password. */
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
      'If you got several of these emails, use the newest one. Its password replaces the others.',
      contact ? `Questions: ${contact}` : 'Questions: ask the society that invited you.',
    ],
  }
}

/** Formats the time on a printed sheet, start and minutes, to detect later whether it's outdated (product 7.10.20). */
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

/** Example: 'Wednesday 25 November 2026, 09:00'. */
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

/** Examples: 30, 7.5. */
export const minutesOf = (seconds: number): string => String(Math.round(seconds / 6) / 10)

/** Explains a mail server's rejection. The page adds the server's own words (product 7.10.11). */
export function plainMailError(words: string): string {
  return (
    MEANINGS.find(([pattern]) => pattern.test(words))?.[1] ?? 'The mail server rejected the email.'
  )
}

const MEANINGS: readonly [RegExp, string][] = [
  [/5\.2\.2|4\.2\.2|mailbox (is )?full|quota/i, 'The mailbox is full.'],
  [
    /5\.1\.[12]0?\b|\b55[0-4]\b.*(user|mailbox|recipient|unknown|exist)/i,
    'This mailbox does not exist.',
  ],
  [/5\.7\.|spam|policy|blocked|blacklist/i, 'The mail server blocks email from here.'],
  [/EAUTH|\b535\b|5\.7\.8|authentication/i, 'The mail server rejected the sign-in.'],
  [/ENOTFOUND|EDNS|EAI_AGAIN|domain/i, 'The mail server was not found.'],
  [/ECONN|ESOCKET|ETIMEDOUT|timeout|closed|socket/i, 'The mail server did not answer.'],
  [/\b4\d\d\b|4\.\d\.\d|greylist|try again|later/i, 'The mail server asks to try again later.'],
  [/\b55\d\b/, 'The mail server rejected this address.'],
]
