import type { Row } from '../../checklist.ts'
import { momentIn, slipTold, toldOf } from '../../credential-letter.ts'
import { describeDuration } from '../../minutes.ts'
import { countOf, numberWord } from '../../number-words.ts'
import type { Client } from '../action.ts'
import { type About, stateOfRow } from './about.ts'

export interface CandidateFacts {
  /** on the list; demo candidates and revoked ones don't count */
  count: number
  /** of those, who was handed a password that opens something */
  withPassword: number
  extraCount: number
  /** the least and the most extra time of those who have some */
  leastExtraSeconds: number
  mostExtraSeconds: number
  /** for whom some events don't count */
  exemptCount: number
}

/** What became of the mails with the credentials. */
export interface MailFacts {
  queued: number
  sent: number
  /** refused by the mail server, or given up */
  failed: number
  /** sent ones by what they told of the time (toldOf) */
  told: Map<string, number>
  /** passwords that are on paper, by what the slips tell of the time (slipTold), with when they were printed last */
  slips: Map<string, { count: number; madeAt: Date }>
}

export const NO_CANDIDATES: CandidateFacts = {
  count: 0,
  withPassword: 0,
  extraCount: 0,
  leastExtraSeconds: 0,
  mostExtraSeconds: 0,
  exemptCount: 0,
}

/** By code. */
export async function readCandidateFacts(
  client: Client,
  codes: readonly string[],
): Promise<Map<string, CandidateFacts>> {
  const { rows } = await client.query<CandidateFacts & { code: string }>(
    `select assessment as code, count(*)::int as count,
       count(password_made_at)::int as "withPassword",
       count(*) filter (where extra_seconds > 0)::int as "extraCount",
       coalesce(min(extra_seconds) filter (where extra_seconds > 0), 0) as "leastExtraSeconds",
       max(extra_seconds) as "mostExtraSeconds",
       count(*) filter (where exempt_kinds <> '{}')::int as "exemptCount"
     from candidates where assessment = any($1::text[]) and not is_demo and revoked_at is null
     group by assessment`,
    [codes],
  )
  return new Map(rows.map(({ code, ...facts }) => [code, facts]))
}

/** By code: of each candidate the newest mail. */
export async function readMailFacts(
  client: Client,
  codes: readonly string[],
): Promise<Map<string, MailFacts>> {
  const { rows } = await client.query<{
    code: string
    state: string | null
    told: string | null
    slipTold: string | null
    slipMadeAt: Date
    count: number
  }>(
    `select c.assessment as code, m.state, case when c.slip_told is null then m.told end as told,
       c.slip_told as "slipTold", max(c.slip_made_at) as "slipMadeAt", count(*)::int as count
     from candidates c left join lateral (
       select x.state, x.told from credential_mails x where x.candidate_id = c.id
       order by x.created_at desc, x.id limit 1) m on true
     where c.assessment = any($1::text[]) and not c.is_demo and c.revoked_at is null
       and (m.state is not null or c.slip_told is not null)
     group by 1, 2, 3, 4`,
    [codes],
  )
  const found = new Map<string, MailFacts>()
  for (const { code, state, told, slipTold, slipMadeAt, count } of rows) {
    const facts = found.get(code) ?? { ...NO_MAILS, told: new Map(), slips: new Map() }
    if (slipTold !== null) {
      const { count: before = 0, madeAt = slipMadeAt } = facts.slips.get(slipTold) ?? {}
      const latest = madeAt > slipMadeAt ? madeAt : slipMadeAt
      facts.slips.set(slipTold, { count: before + count, madeAt: latest })
    }
    if (state === 'queued') facts.queued += count
    if (state === 'failed') facts.failed += count
    if (state === 'sent' || state === 'unsure') {
      facts.sent += count
      if (told) facts.told.set(told, (facts.told.get(told) ?? 0) + count)
    }
    found.set(code, facts)
  }
  return found
}

export const NO_MAILS: MailFacts = {
  queued: 0,
  sent: 0,
  failed: 0,
  told: new Map(),
  slips: new Map(),
}

/** Row 4 of the checklist (product 7.8.7). */
export function candidatesRow(facts: CandidateFacts, mails: MailFacts, about: About): Row {
  const { count, withPassword } = facts
  if (count === 0) {
    return {
      state: stateOfRow(about, { isDone: false }),
      word: 'Nobody',
      finding: 'Nobody is on the list.',
      rest: 'Paste names or drop a CSV; credentials go by mail or on a printed slip.',
      missing: 'Nobody is on the list yet.',
      link: { page: 'candidates/add', label: 'Add candidates' },
    }
  }
  const without = count - withPassword
  const now = toldOf(about)
  const misled = [...mails.told].reduce((sum, [told, n]) => (told === now ? sum : sum + n), 0)
  const slips = oldSlips(mails, about)
  if (slips !== null && misled === 0) {
    return {
      state: stateOfRow(about, { isDone: false, isWrong: true }),
      word: 'Told otherwise',
      finding: slips.finding,
      rest: `${slips.printed} A new slip tells the new time; it has a new password too.`,
      missing: slips.finding,
      link: { page: 'candidates', label: 'See whose slips' },
    }
  }
  if (misled > 0) {
    return {
      state: stateOfRow(about, { isDone: false, isWrong: true }),
      word: 'Told otherwise',
      finding: `${misled === 1 ? 'One candidate was' : `${misled} candidates were`} told another time.`,
      rest:
        'The window or the duration was changed after the mails had left. A new mail tells the new time; it has a new password too.' +
        (slips ? ` ${slips.finding} ${slips.printed}` : ''),
      missing: `${misled === 1 ? 'One candidate was' : `${numberWord(misled)} candidates were`} told another time.`,
      link: { page: 'candidates', label: `Send ${countOf(misled, 'mail')} anew` },
    }
  }
  const isDone = without === 0
  const came = [
    mails.sent > 0 ? countOf(mails.sent, 'mail went out', 'mails went out') : '',
    mails.queued > 0 ? countOf(mails.queued, 'waits', 'wait') : '',
    mails.failed > 0 ? countOf(mails.failed, 'was refused', 'were refused') : '',
  ].filter(Boolean)
  return {
    state: stateOfRow(about, { isDone, isWrong: false }),
    word: isDone ? 'Ready' : `${withPassword} of ${count}`,
    finding: `${count} on the list, ${withPassword === count ? 'all have a password' : withPassword === 0 ? 'nobody has a password' : `${withPassword} ${withPassword === 1 ? 'has' : 'have'} a password`}.`,
    rest: came.length > 0 ? `${came.join(', ')}.` : 'Credentials go by mail or on a printed slip.',
    missing: isDone
      ? null
      : withPassword === 0
        ? 'Candidates have no passwords yet.'
        : `${without === 1 ? 'One candidate has' : `${numberWord(without)} candidates have`} no password yet.`,
    link: {
      page: 'candidates',
      label: isDone ? 'See the list' : `Hand out ${countOf(without, 'password')}`,
    },
  }
}

/** Slips that tell another time than holds now: how many, and when each was printed with what; null where none does. */
function oldSlips({ slips }: MailFacts, about: About): { finding: string; printed: string } | null {
  const now = slipTold(about)
  const old = [...slips].filter(([told]) => told !== now)
  const count = old.reduce((sum, [, slip]) => sum + slip.count, 0)
  if (count === 0) return null
  return {
    finding: `${numberWord(count)} printed ${count === 1 ? 'slip tells' : 'slips tell'} another time.`,
    printed: old
      .map(
        ([told, { count: of, madeAt }]) =>
          `Printed on ${momentIn(madeAt, about.timeZone)}, ${countOf(of, 'slip tells', 'slips tell')} ${told}.`,
      )
      .join(' '),
  }
}

/** What looks after itself: extra time and exemptions. */
export function accommodationsRow({ ...facts }: CandidateFacts): Row {
  const { extraCount, exemptCount, leastExtraSeconds, mostExtraSeconds } = facts
  const isNone = extraCount + exemptCount === 0
  const least = describeDuration(leastExtraSeconds)
  const most = describeDuration(mostExtraSeconds)
  return {
    state: 'ready',
    word: isNone ? 'None' : countOf(extraCount + exemptCount, 'candidate'),
    finding: isNone
      ? 'Nobody has more time.'
      : extraCount > 0
        ? `${numberWord(extraCount)} ${extraCount === 1 ? 'has' : 'have'} more time (${least === most ? most : `${least} to ${most}`}).`
        : 'Nobody has more time.',
    rest:
      exemptCount > 0
        ? `Of ${exemptCount === 1 ? 'one candidate' : `${exemptCount} candidates`} some events don’t count.`
        : isNone
          ? 'Nothing to do is a right answer here.'
          : 'It is added to each one’s own clock.',
    missing: null,
    link: { page: 'candidates', label: isNone ? 'Give extra time' : 'See who' },
  }
}
