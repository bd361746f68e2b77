import { afterEach, describe, expect, it } from 'vitest'
import { createAccountMails } from '../../../accounts/server/mails.ts'
import { type MailQueue, startMailQueue } from '../../../platform/server/mail-queue.ts'
import { createMailer } from '../../../platform/server/mailer.ts'
import { additionOf, crowd, listed, listOf, organizing } from '../../../tests/rig/acts-rig.ts'
import { takeSeat } from '../../../tests/rig/assessment-rig.ts'
import { type Smtp, startSmtp } from '../../../tests/rig/auth-smtp.ts'
import { signUp, useRig } from '../../../tests/rig/rig.ts'
import { readChecklists } from '../../overview/server/checklist.ts'
import type { CandidateFacts } from '../contract.ts'
import { createCredentialMail } from './mails.ts'

const rig = useRig({ rateLimits: true })
const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
  await rig.sql`delete from mails`
})

async function mailServer(options: Parameters<typeof startSmtp>[0] = {}): Promise<Smtp> {
  const smtp = await startSmtp(options)
  cleanups.push(() => smtp.stop())
  return smtp
}

function queueTo(smtp: Smtp, more: Partial<Parameters<typeof startMailQueue>[0]> = {}): MailQueue {
  const { db, now, log } = rig.dependencies
  const queue = startMailQueue({
    ...{ db, now, log, pollMs: 0 },
    mailer: createMailer({ smtpUrl: smtp.url, from: 'a@superday.example', outboxDir: '', log }),
    kinds: { ...createAccountMails(rig.dependencies), ...createCredentialMail(rig.dependencies) },
    ...more,
  })
  cleanups.push(() => queue.stop())
  return queue
}

/** Creates a test with this many candidates and queues their credential mails. */
async function mailed(lines: number | Record<string, string>[]) {
  const organizer = await organizing(rig)
  const people = typeof lines === 'number' ? crowd(lines) : lines
  const added = await organizer.call('POST', '', additionOf(people, { mail: true }))
  return {
    ...organizer,
    added: added.body,
    candidates: (await listOf(organizer.call)).map(({ id }) => id),
  }
}
const ANA = { name: 'Ana Silva', email: 'ana@x.pt' }

const later = (seconds: number) => {
  rig.clock.now = new Date(rig.clock.now.getTime() + seconds * 1000)
}

type Call = Awaited<ReturnType<typeof organizing>>['call']
const statesOf = async (call: Call) => {
  const counts: Record<string, number> = {}
  for (const { mail } of await listOf(call)) {
    counts[mail?.state ?? 'none'] = (counts[mail?.state ?? 'none'] ?? 0) + 1
  }
  return counts
}
const passwordIn = (text = '') => /^[a-z2-9]{4}-[a-z2-9]{4}-[a-z2-9]{5}$/m.exec(text)?.[0] ?? ''

const opens = async (code: string, username: string, password: string) => {
  const { token } = await signUp(rig)
  const { status } = await rig.call('POST', `/api/assessments/${code}/verify`, {
    token,
    body: { username, password },
  })
  return status === 200
}

/** Returns the overview's row about candidates. */
const rowOf = async (code: string) => {
  const rows = await rig.sql`
    select code, is_draft as "isDraft", opens_at as "opensAt", closes_at as "closesAt",
       time_zone as "timeZone", duration_seconds as "durationSeconds"
     from assessments where code = ${code}`
  return (await readChecklists(rig.db.$client, rows, rig.clock.now)).get(code)?.candidates
}
const misled = async (call: Call) =>
  (await listOf(call)).map(({ isToldOtherwise }) => isToldOtherwise)

describe('credentials by mail', () => {
  it('have a password each, created when the mail is sent', async () => {
    const { call, code, added } = await mailed([{ ...ANA, extra: '8' }, { name: 'Ben' }])
    expect(added).toEqual({ added: 2, unchanged: 0, mailed: 1 })
    const waiting = { passwordMadeAt: null, mail: { state: 'queued' } }
    expect((await listOf(call))[0]).toMatchObject(waiting)
    const smtp = await mailServer()
    expect(await queueTo(smtp).runOnce()).toBe(1)
    const [mail] = smtp.received
    expect(mail).toMatchObject({
      recipients: ['ana@x.pt'],
      subject: 'Your password for the Test Society recruitment test',
    })
    for (const said of [
      'Hello Ana Silva,',
      'Monday 2 March 2026, 09:10',
      'Lisbon time',
      'You have 28 minutes',
      'ana.silva',
      'http://localhost:3000/recruitment',
    ]) {
      expect(mail?.text).toContain(said)
    }
    const password = passwordIn(mail?.text)
    expect(await opens(code, 'ana.silva', password)).toBe(true)
    expect((await listOf(call))[0]).toMatchObject({
      passwordMadeAt: rig.clock.now.toISOString(),
      mail: { state: 'sent', address: 'ana@x.pt' },
    })
    // The password isn't stored anywhere in the database.
    for (const table of ['mails', 'credential_mails', 'admin_actions', 'candidates']) {
      const rows = await rig.sql(`select t::text as row from ${table} t`)
      expect(JSON.stringify(rows)).not.toContain(password)
    }
  })

  it('have a new password when sent again; the old one and its sessions end, and the candidate sees why', async () => {
    const { call, code, candidates, opensAt } = await mailed([ANA])
    const smtp = await mailServer()
    const queue = queueTo(smtp)
    await queue.runOnce()
    const old = passwordIn(smtp.received[0]?.text)
    const send = async () => (await call('POST', '/send', { candidates })).body
    expect(await send()).toMatchObject({ queued: 1, left: 0 })
    // One mail is waiting, so a second request doesn't queue another.
    expect(await send()).toMatchObject({ queued: 0, left: 1 })
    expect(await opens(code, 'ana.silva', old)).toBe(true)
    rig.clock.now = opensAt
    const seat = await takeSeat(rig, code, 'ana.silva', undefined, old)
    await seat.start()
    await queue.runOnce()
    expect((await seat.status()).body).toMatchObject({ reason: 'password_changed' })
    expect(await opens(code, 'ana.silva', old)).toBe(false)
    expect(await opens(code, 'ana.silva', passwordIn(smtp.received[1]?.text))).toBe(true)
    const history = (await call('GET', `/by-id/${candidates[0]}`)).body
    expect(history.mails.map((one: { state: string }) => one.state)).toEqual(['sent', 'sent'])
  })

  it('reach the other candidates if one in ten is rejected, and rejected ones keep the old password', async () => {
    const { call, code, candidates } = await listed(rig, 30)
    const { slips } = (await call('POST', '/slips', { candidates })).body
    const smtp = await mailServer({
      onRcptTo({ address }, _session, done) {
        if (!/^ana[012]@/.test(address)) return done()
        done(Object.assign(new Error('5.2.2 mailbox full'), { responseCode: 552 }))
      },
    })
    await call('POST', '/send', { candidates })
    later(60)
    await queueTo(smtp).runOnce()
    expect(await statesOf(call)).toEqual({ sent: 27, failed: 3 })
    expect(smtp.received).toHaveLength(27)
    const refused = (await listOf(call)).find(({ mail }) => mail?.state === 'failed')
    expect(refused?.mail?.error).toContain('5.2.2 mailbox full')
    const slip = slips.find(({ username }: { username: string }) => username === refused?.username)
    expect(await opens(code, slip.username, slip.password)).toBe(true)
  })

  it('are retried while the mail server is down and then sent once', async () => {
    const { call } = await mailed(5)
    const smtp = await mailServer({
      onRcptTo: (_address, _session, done) =>
        done(Object.assign(new Error('try again later'), { responseCode: 451 })),
    })
    later(1)
    await queueTo(smtp).runOnce()
    expect(await statesOf(call)).toEqual({ queued: 5 })
    expect((await listOf(call))[0]?.mail?.error).toContain('try again later')
    const well = await mailServer()
    later(5)
    await queueTo(well).runOnce()
    expect(await statesOf(call)).toEqual({ sent: 5 })
    expect(well.received.map(({ recipients }) => recipients[0]).sort()).toEqual(
      crowd(5).map(({ email }) => email),
    )
  })

  it('are sent once or reported as unsure if the server stops during a handover', async () => {
    const { call, code } = await mailed(6)
    const smtp = await mailServer()
    const kind = createCredentialMail(rig.dependencies).candidate_credentials
    let handedOver = 0
    // Simulates a node that hands over the third mail and dies before it can record this.
    const sent: typeof kind.sent = async (mail) => {
      handedOver += 1
      if (handedOver >= 3) throw new Error('killed')
      await kind.sent?.(mail)
    }
    const dying = queueTo(smtp, { kinds: { candidate_credentials: { ...kind, sent } } })
    later(10)
    await expect(dying.runOnce()).rejects.toThrow('killed')
    await dying.stop()
    const before = smtp.received.length
    expect(before).toBeLessThan(6)
    later(121)
    await queueTo(smtp).runOnce()
    expect(await statesOf(call)).toEqual({ sent: 8 - before, unsure: before - 2 })
    const recipients = smtp.received.map(({ recipients }) => recipients[0])
    expect(new Set(recipients).size).toBe(6)
    expect(recipients).toHaveLength(6)
    // The passwords in delivered mails work.
    for (const { text } of smtp.received) {
      const username = /^(ana\.silva\d|anasilva\d|ana\.\w+)$/m.exec(text ?? '')?.[0] ?? 'none'
      expect(await opens(code, username, passwordIn(text))).toBe(true)
    }
  })

  it('can be stopped while they wait and are then not sent', async () => {
    const { call } = await mailed(20)
    const smtp = await mailServer()
    const queue = queueTo(smtp)
    later(1)
    const sent = await queue.runOnce()
    expect(sent).toBeGreaterThan(3)
    expect(sent).toBeLessThan(20)
    expect((await call('POST', '/stop', {})).body).toEqual({ stopped: 20 - sent })
    later(60)
    expect(await queue.runOnce()).toBe(0)
    expect(await statesOf(call)).toEqual({ sent, stopped: 20 - sent })
    // Stopped mails can be requested again.
    const waiting = (await listOf(call)).filter(({ mail }) => mail?.state === 'stopped')
    const again = await call('POST', '/send', { candidates: waiting.map(({ id }) => id) })
    expect(again.body.queued).toBe(20 - sent)
  })

  it('are not sent to an address that changed meanwhile or to a removed candidate', async () => {
    const { call } = await mailed(3)
    const [first, second] = (await listOf(call)) as [CandidateFacts, CandidateFacts]
    const { version, name, room, note, extraSeconds, exemptKinds } = first
    const fields = { version, name, room, note, extraSeconds, exemptKinds, starts: null }
    await call('PUT', `/by-id/${first.id}`, { ...fields, email: 'new@x.pt' })
    await call('POST', '/remove', { candidates: [second.id] })
    const smtp = await mailServer()
    later(60)
    expect(await queueTo(smtp).runOnce()).toBe(1)
    expect(smtp.received.map(({ recipients }) => recipients)).toEqual([['ana2@student.example']])
  })

  it('are counted on the overview if their time is outdated, until new ones are sent', async () => {
    const { call, code, candidates } = await mailed(2)
    const smtp = await mailServer()
    const queue = queueTo(smtp)
    later(60)
    await queue.runOnce()
    expect(await rowOf(code)).toMatchObject({ state: 'ready' })
    await rig.sql`update assessments set closes_at = closes_at + interval '1 hour' where code = ${code}`
    expect(await rowOf(code)).toMatchObject({
      state: 'attention',
      finding: 'Two candidates were told a different time.',
    })
    expect(await misled(call)).toEqual([true, true])
    await call('POST', '/send', { candidates })
    // The new mails are queued and get the current time when they leave.
    expect(await misled(call)).toEqual([false, false])
    later(60)
    await queue.runOnce()
    expect(await rowOf(code)).toMatchObject({ state: 'ready' })
  })

  it('are reported with their print date if a sheet has an outdated start, until it is reprinted', async () => {
    const { call, code, candidates } = await listed(rig, 2)
    const [first, second] = candidates
    await call('POST', '/slips', { candidates })
    const change = (sql: string) => rig.sql(`update assessments set ${sql} where code = $1`, code)
    // Printed sheets don't show the last moment to start.
    await change(`closes_at = closes_at + interval '1 hour'`)
    expect(await rowOf(code)).toMatchObject({ state: 'ready' })
    await change('duration_seconds = duration_seconds + 300')
    expect(await rowOf(code)).toMatchObject({
      ...{ state: 'attention', finding: 'Two printed sheets have an old time.' },
      rest: expect.stringMatching(
        /^Printed on \w+ \d+ \w+ 2026, \d\d:\d\d, 2 sheets say .*minutes\. A new/,
      ),
    })
    expect(await misled(call)).toEqual([true, true])
    await call('POST', '/slips', { candidates: [first] })
    expect(await rowOf(code)).toMatchObject({ finding: 'One printed sheet has an old time.' })
    await call('POST', '/slips', { candidates: [second] })
    expect(await rowOf(code)).toMatchObject({ state: 'ready' })
    expect(await misled(call)).toEqual([false, false])
  })

  it('are sent only for a published test, and not after the last moment to start', async () => {
    const { call, code } = await organizing(rig)
    await rig.sql`update assessments set is_draft = true where code = ${code}`
    const refused = await call('POST', '', additionOf(crowd(1), { mail: true }))
    expect(refused).toMatchObject({ status: 409, body: { code: 'still_draft' } })
    expect(await listOf(call)).toEqual([])
    await rig.sql`update assessments set is_draft = false where code = ${code}`
    await call('POST', '', additionOf(crowd(1), { mail: true }))
    later(2 * 3_600)
    const smtp = await mailServer()
    await queueTo(smtp).runOnce()
    expect(smtp.received).toEqual([])
  })

  it('are limited to ten per address, even from several tests at the same time', async () => {
    const tests = []
    for (let nr = 0; nr < 4; nr++) {
      const { call, code } = await organizing(rig)
      await call('POST', '', additionOf(crowd(6)))
      await rig.sql`update candidates set email = 'one@x.pt' where assessment = ${code}`
      tests.push({ call, candidates: (await listOf(call)).map(({ id }) => id) })
    }
    const sent = await Promise.all(
      tests.map(({ call, candidates }) => call('POST', '/send', { candidates })),
    )
    expect(sent.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    const mails = await rig.sql`select from mails where recipient = 'one@x.pt'`
    expect(mails).toHaveLength(10)
  })

  it('are limited to 5,000 a day per society; a larger batch sends none', async () => {
    const { call, candidates } = await listed(rig, 3)
    await call('POST', '/send', { candidates: candidates.slice(0, 1) })
    await rig.sql`update rate_limits set points = 4999 where key like 'credentialsOfSociety:%'`
    const refused = await call('POST', '/send', { candidates: candidates.slice(1) })
    expect(refused).toMatchObject({ status: 429, body: { code: 'too_many' } })
    expect(await statesOf(call)).toEqual({ queued: 1, none: 2 })
    expect((await call('POST', '/send', { candidates: candidates.slice(1, 2) })).status).toBe(200)
  })
})

it('two thousand credential mails do not delay a recovery mail, even with slow recipients', async () => {
  await mailed(2_000)
  later(300)
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  const smtp = await mailServer({
    onRcptTo({ address }, _session, done) {
      if (address.startsWith('ana')) void held.then(() => done(new Error('too late')))
      else done()
    },
  })
  const email = 'student@example.com'
  await signUp(rig, email)
  const queue = queueTo(smtp, { pollMs: 20 })
  // The mail server now holds both connections that bulk mails may use.
  await new Promise((resolve) => setTimeout(resolve, 300))
  await rig.call('POST', '/auth/v1/recover', { body: { email } })
  const began = performance.now()
  while (smtp.received.length === 0 && performance.now() - began < 5_000) {
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  expect(smtp.received.map(({ recipients }) => recipients)).toEqual([[email]])
  // Close the queued mails before awaiting, so that the queue ends after the mail in progress.
  await rig.sql`update mails set closed_at = now() where closed_at is null`
  release()
  await queue.stop()
})
