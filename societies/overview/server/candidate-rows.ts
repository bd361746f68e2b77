import sql from 'sql-template-tag'
import { TROUBLES } from '../../../assessments/rehearsal.ts'
import { describeDuration } from '../../../platform/durations.ts'
import { countOf, numberWord } from '../../../platform/words.ts'
import { momentIn, slipTold, toldOf, withOwnStart } from '../../candidates/credential-letter.ts'
import type { Client } from '../../kit/server/action.ts'
import type { Row } from '../../setup/contract-overview.ts'
import { type About, gapOf } from './rows.ts'

export interface CandidateFacts {
  /** on the list; demo candidates and revoked ones don't count */
  count: number
  /** of those, candidates with a working password */
  withPassword: number
  extraCount: number
  /** the shortest and longest extra time of candidates who have some */
  leastExtraSeconds: number
  mostExtraSeconds: number
  /** candidates with their own start window */
  otherStartCount: number
  /** candidates with events that don't count */
  exemptCount: number
  /** candidates who checked their computer, and those with a problem to fix */
  checkedCount: number
  toFixCount: number
  /** members in the whole society who have rehearsed */
  triedCount: number
}

export async function readCandidateFacts(
  client: Client,
  codes: readonly string[],
): Promise<Map<string, CandidateFacts>> {
  const { rows } = await client.query<CandidateFacts & { code: string }>(
    sql`select a.code, count(c.id)::int as count, count(c.password_made_at)::int as "withPassword",
       count(*) filter (where c.extra_seconds > 0)::int as "extraCount",
       coalesce(min(c.extra_seconds) filter (where c.extra_seconds > 0), 0) as "leastExtraSeconds",
       coalesce(max(c.extra_seconds), 0) as "mostExtraSeconds",
       count(c.starts_from)::int as "otherStartCount",
       count(*) filter (where c.exempt_kinds <> '{}')::int as "exemptCount",
       count(d.id)::int as "checkedCount",
       count(*) filter (where d.troubles && ${TROUBLES}::text[])::int as "toFixCount",
       (select count(*)::int from device_checks h where h.society_id = a.society_id
          and h.candidate_id is null) as "triedCount"
     from assessments a
     left join candidates c on c.assessment = a.code and not c.is_demo and c.revoked_at is null
     left join device_checks d on d.candidate_id = c.id
     where a.code = any(${codes}::text[]) group by a.code`,
  )
  return new Map(rows.map(({ code, ...facts }) => [code, facts]))
}

/** Counts candidates of a test with the same email and the same printed credentials. */
interface MailFacts {
  code: string
  startsFrom: Date | null
  startsUntil: Date | null
  state: 'queued' | 'sent' | 'unsure' | 'failed' | 'stopped' | null
  /** the time in the email (toldOf), unless the printed credentials are newer */
  told: string | null
  /** the time on the printed credentials (slipTold) */
  slipTold: string | null
  slipMadeAt: Date
  count: number
}

export async function readMailFacts(
  client: Client,
  codes: readonly string[],
): Promise<MailFacts[]> {
  const { rows } = await client.query<MailFacts>(
    sql`select c.assessment as code, m.state, case when c.slip_told is null then m.told end as told,
       c.slip_told as "slipTold", c.starts_from as "startsFrom", c.starts_until as "startsUntil",
       max(c.slip_made_at) as "slipMadeAt", count(*)::int as count
     from candidates c left join lateral (
       select x.state, x.told from credential_mails x where x.candidate_id = c.id
       order by x.created_at desc, x.id limit 1) m on true
     where c.assessment = any(${codes}::text[]) and not c.is_demo and c.revoked_at is null
       and (m.state is not null or c.slip_told is not null)
     group by 1, 2, 3, 4, 5, 6`,
  )
  return rows
}

export function candidatesRow(
  { count, withPassword }: CandidateFacts,
  mails: readonly MailFacts[],
  about: About,
): Row {
  if (count === 0) {
    return {
      state: gapOf(about),
      word: 'No one',
      finding: 'No candidates yet.',
      rest: 'Paste names or upload a CSV file. You can send credentials by email or print them.',
      link: { page: 'candidates/add', label: 'Add candidates' },
    }
  }
  const sum = (isMeant: (one: MailFacts) => unknown) =>
    mails.filter(isMeant).reduce((total, one) => total + one.count, 0)
  const isSent = ({ state }: MailFacts) => state === 'sent' || state === 'unsure'
  const misled = sum(
    (one) => isSent(one) && one.told && one.told !== toldOf(withOwnStart(about, one)),
  )
  const slips = oldSlips(mails, about)
  const otherwise = { state: 'attention', word: 'Outdated' } as const
  if (misled > 0) {
    const newMail =
      'The window or duration changed after the emails were sent. A new email has the new time and a new password.'
    return {
      ...otherwise,
      finding: `${numberWord(misled)} ${misled === 1 ? 'candidate was' : 'candidates were'} told a different time.`,
      rest: slips ? `${newMail} ${slips.finding} ${slips.printed}` : newMail,
      link: { page: 'candidates', label: `Send ${countOf(misled, 'email')} again` },
    }
  }
  if (slips) {
    return {
      ...otherwise,
      finding: slips.finding,
      rest: `${slips.printed} A new sheet has the new time and a new password.`,
      link: { page: 'candidates', label: 'See which sheets' },
    }
  }
  const without = count - withPassword
  const mailed = [
    [sum(isSent), 'email was sent', 'emails were sent'],
    [sum(({ state }) => state === 'queued'), 'waits', 'wait'],
    [sum(({ state }) => state === 'failed'), 'was refused', 'were refused'],
  ] as const
  const came = mailed.flatMap(([some, one, many]) => (some > 0 ? [countOf(some, one, many)] : []))
  const rest = `${came.join(', ') || 'You can send credentials by email or print them'}.`
  if (without === 0) {
    return {
      state: 'ready',
      word: 'Ready',
      finding: `${countOf(count, 'candidate')} on the list, all with a password.`,
      rest,
      link: { page: 'candidates', label: 'See the list' },
    }
  }
  return {
    state: gapOf(about),
    word: `${withPassword} of ${count}`,
    finding:
      withPassword === 0
        ? 'Candidates have no passwords yet.'
        : `${numberWord(without)} of ${count} candidates ${without === 1 ? 'has' : 'have'} no password yet.`,
    rest,
    link: { page: 'candidates', label: `Hand out ${countOf(without, 'password')}` },
  }
}

/** Describes printed credentials with an outdated time; null if there are none. */
function oldSlips(mails: readonly MailFacts[], about: About) {
  const times = new Map<string, { count: number; madeAt: Date }>()
  for (const { slipTold: told, slipMadeAt: madeAt, count, ...own } of mails) {
    if (told === null || told === slipTold(withOwnStart(about, own))) continue
    const before = times.get(told) ?? { count: 0, madeAt }
    const newest = before.madeAt > madeAt ? before.madeAt : madeAt
    times.set(told, { count: before.count + count, madeAt: newest })
  }
  if (times.size === 0) return null
  const old = [...times.values()].reduce((total, { count }) => total + count, 0)
  const printed = [...times].map(
    ([told, { count, madeAt }]) =>
      `Printed on ${momentIn(madeAt, about.timeZone)}, ${countOf(count, 'sheet says', 'sheets say')} ${told}.`,
  )
  return {
    finding: `${numberWord(old)} printed ${old === 1 ? 'sheet has' : 'sheets have'} an old time.`,
    printed: printed.join(' '),
  }
}

export function rehearsalRow(
  { count, checkedCount, toFixCount, triedCount }: CandidateFacts,
  about: About,
): Row {
  const isDone = checkedCount + triedCount > 0
  const toFix = `${numberWord(toFixCount)} ${toFixCount === 1 ? 'has' : 'have'} something to fix.`
  return {
    state: isDone ? 'ready' : gapOf(about),
    word: isDone ? 'Tried' : 'Not yet',
    finding:
      triedCount > 0
        ? `${countOf(triedCount, 'organizer has', 'organizers have')} tried it.`
        : isDone
          ? `${countOf(checkedCount, 'candidate has', 'candidates have')} tried it.`
          : 'No one has tried it yet.',
    rest:
      count > 0
        ? `${checkedCount} of ${count} candidates have tried their computer.${toFixCount > 0 ? ` ${toFix}` : ''}`
        : 'Try it once on your own computer.',
    link:
      isDone && count > 0
        ? { page: 'candidates', label: 'See who' }
        : { page: '', label: 'Open the checklist' },
  }
}

export function accommodationsRow(facts: CandidateFacts): Row {
  const { extraCount, exemptCount } = facts
  const least = describeDuration(facts.leastExtraSeconds)
  const most = describeDuration(facts.mostExtraSeconds)
  const range = least === most ? most : `${least} to ${most}`
  const isNone = extraCount + exemptCount === 0
  return {
    state: 'ready',
    word: isNone ? 'None' : countOf(extraCount + exemptCount, 'candidate'),
    finding:
      extraCount > 0
        ? `${numberWord(extraCount)} ${extraCount === 1 ? 'has' : 'have'} extra time (${range}).`
        : 'No one has extra time.',
    rest:
      exemptCount > 0
        ? `Some events don’t count for ${countOf(exemptCount, 'candidate')}.`
        : isNone
          ? 'Fine if no one needs it.'
          : 'It is added to those candidates’ own clocks.',
    link: { page: 'candidates', label: isNone ? 'Give extra time' : 'See who' },
  }
}
