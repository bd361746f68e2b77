import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import { replacePasswords } from '../../../assessments/server/candidate-store.ts'
import { hashCandidatePassword, makePassword } from '../../../assessments/server/password-store.ts'
import type { ResponseOf } from '../../../platform/endpoint.ts'
import type { Sendable } from '../../../platform/server/api.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import { enqueueManyMails } from '../../../platform/server/mail-queue.ts'
import { createQuota } from '../../../platform/server/quota.ts'
import { type AssessmentRow, requireAssessment } from '../../access/server/assessments.ts'
import type { MemberInTest } from '../../access/server/serve-members.ts'
import { act, type Client } from '../../kit/server/action.ts'
import { refuse } from '../../kit/server/refuse.ts'
import type * as contract from '../contract.ts'
import { type OwnStart, slipTold, withOwnStart } from '../credential-letter.ts'

export const CREDENTIALS_MAIL = 'candidate_credentials'
export const RESULT_MAIL = 'candidate_result'

/** The delay between two mails of a society. A thousand take under two minutes and leave room for other mails. */
const PACE_MS = 100

/** Limits the mails that a society and a member can send to candidates per day (product 7.10.12). */
export type MailLimits = ReturnType<typeof createMailLimits>

export function createMailLimits(dependencies: AppDependencies) {
  const quotaOf = (name: string, limit: number, sentence: string) =>
    createQuota(dependencies, { name, limit, sentence })
  const toSupport = `A new society can send candidates 200 emails a day. For more, write to ${dependencies.supportEmail}.`
  return {
    ofSociety: quotaOf(
      'credentialsOfSociety',
      5_000,
      'Your society has sent candidates many emails today.',
    ),
    ofMember: quotaOf('credentialsOfMember', 5_000, 'You have sent candidates many emails today.'),
    /** A helper has a separate limit, so one room can't use up the society's. */
    ofHelper: quotaOf(
      'credentialsOfHelper',
      50,
      'You have sent candidates 50 emails today. An owner can send more.',
    ),
    /** Anyone can create a society, so new ones have a low limit until the server's operator raises it. */
    ofNewcomer: quotaOf('credentialsOfNewcomer', 200, toSupport),
  }
}

/** Consumes the quotas before mails to candidates are queued. Errors: 429 of the quotas. */
export async function takeMails(
  client: Client,
  { societyId, userId, extent }: MemberInTest,
  count: number,
  { ofSociety, ofMember, ofHelper, ofNewcomer }: MailLimits,
): Promise<void> {
  await ofSociety.take(societyId, count, client)
  await ofMember.take(userId, count, client)
  if (extent !== 'all') await ofHelper.take(userId, count, client)
  const newcomer = await client.query(
    sql`select from societies where id = ${societyId} and via = 'console'`,
  )
  for (const share of newcomer.rowCount === 1 ? [societyId, userId] : []) {
    await ofNewcomer.take(share, count, client)
  }
}

/** The maximum number of mails to one address in 24 hours, from all societies and to any number of candidates. */
export const MAILS_TO_ADDRESS = 10

/** Ranks this mail among the mails to candidate c's address in 24 hours. */
export const placeOfMail = (
  now: Date,
) => sql`row_number() over (partition by lower(c.email) order by c.id) + (
  select count(*) from mails q where q.recipient = lower(c.email)
    and q.kind in (${CREDENTIALS_MAIL}, ${RESULT_MAIL})
    and q.created_at > ${now}::timestamptz - interval '24 hours')`

/**
 * Locks the addresses of a test's candidates until the transaction ends, so that concurrent requests count mails to one
 * address correctly. A list has thousands of addresses, so the locks cover 64 hash groups.
 */
export async function holdAddresses(client: Client, code: string): Promise<void> {
  await client.query(sql`
    select pg_advisory_xact_lock(hashtextextended('mails to ' || one.nr, 0)) from (
      select distinct hashtext(lower(c.email)) & 63 as nr from candidates c
      where c.assessment = ${code} and c.email is not null order by nr offset 0) one`)
}

type Queued = Sendable<ResponseOf<typeof contract.sendCredentials>>

/** Queues mails with candidates' credentials. Errors: those of queueCredentials. */
export function sendCredentials(
  organizer: MemberInTest,
  ids: readonly string[],
  limits: MailLimits,
): Promise<Queued> {
  return act(organizer, 'send-credentials', organizer.code, async (client) => {
    const done = await queueCredentials(client, organizer, ids, limits)
    const { queued, left } = done
    return { result: done, detail: queued === 0 ? null : { queued, left } }
  })
}

/**
 * Queues credential mails for candidates with an address under its daily limit and no waiting mail (product 7.10.7).
 * The passwords are created when the mails leave (mails.ts). Errors: 409 still_draft, is_over; 429 of the quotas.
 */
export async function queueCredentials(
  client: Client,
  organizer: MemberInTest,
  ids: readonly string[],
  limits: MailLimits,
): Promise<Queued> {
  const { code, societyId, now, actor } = organizer
  const assessment = await requireAssessment(client, organizer, 'change')
  requireSendable(assessment, now)
  await holdCandidates(client, code, ids)
  await holdAddresses(client, code)
  const { rows } = await client.query<{ id: string; email: string }>(sql`
    select id, email from (
      select c.id, lower(c.email) as email, lower(coalesce(c.name, c.username)) as name,
        ${placeOfMail(now)} as nth
      from candidates c
      where c.assessment = ${code} and c.id = any (${ids}::uuid[]) and not c.is_demo
        and c.email is not null and c.revoked_at is null
        and coalesce(coalesce(c.starts_until, ${assessment.closesAt}::timestamptz) > ${now}, true)
        and not exists (select from credential_mails m
          where m.candidate_id = c.id and m.state = 'queued')
    ) one where nth <= ${MAILS_TO_ADDRESS} order by name`)
  const left = new Set(ids).size - rows.length
  if (rows.length === 0) return { queued: 0, left, untilAt: now }
  await takeMails(client, organizer, rows.length, limits)
  // New mails follow the society's waiting ones, so that two requests don't double the sending rate.
  const waiting = await client.query<{ last: Date | null }>(
    sql`select max(q.next_try_at) as last from mails q
     join credential_mails m on m.id = q.about join candidates c on c.id = m.candidate_id
     join assessments a on a.code = c.assessment
     where q.closed_at is null and q.kind = ${CREDENTIALS_MAIL} and q.tries = 0 and a.society_id = ${societyId}`,
  )
  const last = waiting.rows[0]?.last?.getTime() ?? 0
  const first = new Date(Math.max(now.getTime(), last + PACE_MS))
  const mails = rows.map(({ email }) => ({ recipient: email, about: randomUUID() }))
  await client.query(sql`
    insert into credential_mails (id, candidate_id, address, state, created_at, changed_at, made_by)
    select id, candidate, address, 'queued', ${now}::timestamptz, ${now}::timestamptz, ${actor}
    from unnest(${mails.map(({ about }) => about)}::uuid[], ${rows.map(({ id }) => id)}::uuid[],
      ${rows.map(({ email }) => email)}::text[]) as one (id, candidate, address)`)
  await enqueueManyMails(client, { kind: CREDENTIALS_MAIL, now, first, paceMs: PACE_MS }, mails)
  const untilAt = new Date(first.getTime() + (mails.length - 1) * PACE_MS)
  return { queued: mails.length, left, untilAt }
}

export async function holdCandidates(
  client: Client,
  code: string,
  ids: readonly string[],
): Promise<void> {
  await client.query(
    sql`select from candidates where assessment = ${code} and id = any (${ids}::uuid[]) and not is_demo
     order by id for no key update`,
  )
}

/** Passwords leave only while the test is published and can be started. Errors: 409 still_draft, is_over. */
function requireSendable({ isDraft, lastStartAt }: AssessmentRow, now: Date): void {
  if (isDraft) {
    throw refuse(
      409,
      'still_draft',
      'The assessment is a draft, so no password leaves yet. Publish it first, under Overview.',
    )
  }
  if (lastStartAt && lastStartAt <= now) {
    throw refuse(
      409,
      'is_over',
      'Candidates can no longer start, so no password leaves. Set a later window first.',
    )
  }
}

/** The reason a mail was stopped, as stored in its row. */
export type StopReason = 'asked' | 'address_changed' | 'shut_out' | 'not_open'

/**
 * Stops waiting mails. A mail that is being handed over is still sent.
 * @param ids candidate ids, or null for all
 * @returns the number of stopped mails
 */
export async function stopMails(
  client: Client,
  code: string,
  ids: readonly string[] | null,
  { now, reason }: { now: Date; reason: StopReason },
): Promise<number> {
  const { rowCount } = await client.query(
    sql`with held as (
       select m.id from credential_mails m join candidates c on c.id = m.candidate_id
       where c.assessment = ${code} and m.state = 'queued'
         and m.password_hash is null and c.id = any (coalesce(${ids}::uuid[], array[c.id]))
       order by m.id for no key update of m
     ), stopped as (
       update credential_mails m set state = 'stopped', error = ${reason}, changed_at = ${now}
       from held where m.id = held.id
       returning m.id
     ), closed as (
       update mails set closed_at = ${now} where about in (select id from stopped) and closed_at is null
     )
     select from stopped`,
  )
  return rowCount ?? 0
}

export function stopWaiting(organizer: MemberInTest): Promise<{ stopped: number }> {
  const { code, now } = organizer
  return act(organizer, 'stop-credentials', code, async (client) => {
    await requireAssessment(client, organizer)
    const stopped = await stopMails(client, code, null, { now, reason: 'asked' })
    return { result: { stopped }, detail: stopped === 0 ? null : { stopped } }
  })
}

type Slips = Sendable<ResponseOf<typeof contract.printSlips>>

/**
 * Creates new passwords for printing, returned only this once. The old passwords and their sessions end, and waiting
 * mails are stopped because they would replace the printed password. Only an owner's passwords let removed candidates
 * back in or can be created for finished ones (product 7.10.14). The printed time is stored to detect outdated sheets
 * (product 7.10.20). Errors: 403 shut_out; 409 still_draft, is_over.
 */
export function printSlips(
  organizer: MemberInTest,
  ids: readonly string[],
  secretKey: Buffer,
): Promise<Slips> {
  const { code, now, extent } = organizer
  return act(organizer, 'slips', code, async (client) => {
    const assessment = await requireAssessment(client, organizer)
    requireSendable(assessment, now)
    await holdCandidates(client, code, ids)
    type Row = Omit<Slips['slips'][number], 'password' | keyof OwnStart> & OwnStart & { id: string }
    const { rows } = await client.query<Row>(
      sql`select id, username, name, room, extra_seconds as "extraSeconds", starts_from as "startsFrom",
         starts_until as "startsUntil" from candidates
       where assessment = ${code} and id = any (${ids}::uuid[]) and not is_demo
       and (${extent === 'all'} or revoked_at is null
         and not exists (select from attempts t where t.candidate_id = candidates.id and t.submitted_at is not null))
       order by room nulls last, lower(coalesce(name, username)), username`,
    )
    if (rows.length === 0 && extent !== 'all') {
      // A new password would also let the member read the result.
      throw refuse(
        403,
        'shut_out',
        'Only an owner can create a password for a candidate who was removed or has finished.',
      )
    }
    const found = rows.map(({ id }) => id)
    await stopMails(client, code, found, { now, reason: 'asked' })
    const made = rows.map(({ id: candidateId, ...row }) => {
      const password = makePassword()
      const hash = hashCandidatePassword(secretKey, password)
      return { candidateId, hash, slip: { ...row, password } }
    })
    await replacePasswords(client, made, now, { readmit: true })
    await client.query(
      sql`update candidates c set slip_made_at = ${now}, slip_told = told
       from unnest(${found}::uuid[], ${rows.map((row) => slipTold(withOwnStart(assessment, row)))}::text[])
         as slip (id, told) where c.id = slip.id`,
    )
    const usernames = rows.map(({ username }) => username)
    return {
      result: { slips: made.map(({ slip }) => slip) },
      detail:
        made.length === 0
          ? null
          : { slips: made.length, ...(usernames.length <= 20 && { usernames }) },
    }
  })
}
