import { randomUUID } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import PostalMime from 'postal-mime'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createAccountMails } from '../../accounts/server/mails.ts'
import { HOUR, MINUTE, passTime, SECOND } from '../../tests/rig/auth-rig.ts'
import { recoveryIn, type Smtp, startSmtp } from '../../tests/rig/auth-smtp.ts'
import { signUp, useRig } from '../../tests/rig/rig.ts'
import { enqueueMail, type MailQueue, nudgeMailQueue, startMailQueue } from './mail-queue.ts'
import { createMailer } from './mailer.ts'

const rig = useRig()
const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
  await rig.db.$client.query('delete from mails')
})

function startQueue(
  smtpUrl: string | undefined,
  options: { outboxDir?: string; pollMs?: number } = {},
): MailQueue {
  const { db, now, publicUrl, secretKey, log } = rig.dependencies
  const { outboxDir = '/nonexistent', pollMs = 0 } = options
  const from = 'Superday <no-reply@superday.example>'
  const mailer = createMailer({ smtpUrl, from, outboxDir, log })
  const queue = startMailQueue({
    db,
    now,
    mailer,
    kinds: createAccountMails({ db, now, publicUrl, secretKey }),
    log,
    pollMs,
  })
  cleanups.push(() => queue.stop())
  return queue
}

async function useSmtp(options?: Parameters<typeof startSmtp>[0]): Promise<Smtp> {
  const smtp = await startSmtp(options)
  cleanups.push(() => smtp.stop())
  return smtp
}

const ONCE = { count: 1, withinMs: 1 }

/** Signs up a user and queues a mail for them. */
async function enqueued(kind: 'recovery' | 'password_changed' = 'password_changed') {
  const email = `m${randomUUID().slice(0, 8)}@example.com`
  await signUp(rig, email)
  await enqueueMail(rig.db, { kind, recipient: email, now: rig.clock.now }, ONCE)
  return email
}

const rows = async () =>
  (await rig.db.$client.query('select * from mails order by created_at')).rows

describe('a mail', () => {
  test('reaches its recipient as plain text and HTML, from the configured sender', async () => {
    const smtp = await useSmtp()
    const email = await enqueued()
    expect(await startQueue(smtp.url).runOnce()).toBe(1)
    expect(smtp.received).toHaveLength(1)
    expect(smtp.received[0]).toMatchObject({
      recipients: [email],
      from: { name: 'Superday', address: 'no-reply@superday.example' },
      to: [{ address: email }],
      subject: 'Your password was changed',
      text: expect.stringContaining('was changed on 2 March 2026'),
      html: expect.stringContaining('was changed on 2 March 2026'),
    })
    expect(smtp.received[0]?.text).not.toMatch(/<\w+/)
    // Opening the mail must load nothing from other servers.
    expect(smtp.received[0]?.html).not.toMatch(/<(img|script|link|iframe)|url\(/)
    expect(await rows()).toMatchObject([{ closed_at: rig.clock.now, tries: 1, last_error: null }])
  })

  test('for recovery has the same link in both parts and six digits', async () => {
    const smtp = await useSmtp()
    await enqueued('recovery')
    await startQueue(smtp.url).runOnce()
    const { link, token, code } = recoveryIn(smtp.received[0])
    expect(link).toBe(`http://localhost:3000/auth?recovery=${token}`)
    expect(token).toMatch(/^[\w-]{43}$/)
    expect(smtp.received[0]?.html).toContain(`href="${link}"`)
    expect(smtp.received[0]?.html).toContain(code)
    expect(smtp.received[0]?.text).toContain("If you didn't ask for this, ignore this email.")
  })

  test('is sent once however often the queue runs', async () => {
    const smtp = await useSmtp()
    await enqueued()
    const queue = startQueue(smtp.url)
    const counts = await Promise.all([queue.runOnce(), queue.runOnce(), queue.runOnce()])
    expect(counts.reduce((sum, count) => sum + count)).toBe(1)
    passTime(rig, HOUR)
    expect(await queue.runOnce()).toBe(0)
    expect(smtp.received).toHaveLength(1)
  })

  test('is left to the queue that is sending it right now', async () => {
    const smtp = await useSmtp()
    await enqueued()
    const queue = startQueue(smtp.url)
    const other = await rig.db.$client.connect()
    await other.query('begin')
    await other.query('select from mails for update')
    const running = queue.runOnce()
    await other.query("update mails set next_try_at = next_try_at + interval '2 minutes'")
    await other.query('commit')
    other.release()
    expect(await running).toBe(0)
    expect(smtp.received).toEqual([])
  })

  test('is sent once by two queues on one database, 30 times', async () => {
    const smtp = await useSmtp()
    await Promise.all(Array.from({ length: 30 }, () => enqueued()))
    const [one, two] = [startQueue(smtp.url), startQueue(smtp.url)]
    const counts = await Promise.all([one.runOnce(), two.runOnce()])
    expect(counts[0] + counts[1]).toBe(30)
    const recipients = smtp.received.map((mail) => mail.recipients[0])
    expect(recipients).toHaveLength(30)
    expect(new Set(recipients).size).toBe(30)
  })
})

describe('a failing mail server', () => {
  test('gets the mail later, once, after growing delays', async () => {
    const probe = await startSmtp()
    await probe.stop()
    const email = await enqueued()
    const queue = startQueue(probe.url)
    const waits: [afterMs: number, tries: number][] = [
      [SECOND, 1],
      [5 * SECOND, 2],
      [30 * SECOND, 3],
      [2 * MINUTE, 4],
      [10 * MINUTE, 5],
      [10 * MINUTE, 6],
    ]
    for (const [afterMs, tries] of waits) {
      expect(await queue.runOnce()).toBe(0)
      const [row] = await rows()
      expect(row).toMatchObject({ tries, closed_at: null, last_error: expect.any(String) })
      expect(row.next_try_at.getTime() - rig.clock.now.getTime()).toBe(afterMs)
      passTime(rig, afterMs - 1)
      await queue.runOnce()
      expect((await rows())[0].tries, 'not before it is due').toBe(tries)
      passTime(rig, 1)
    }
    const smtp = await useSmtp({ port: probe.port })
    expect(await queue.runOnce()).toBe(1)
    expect(await queue.runOnce()).toBe(0)
    expect(smtp.received.map(({ recipients }) => recipients)).toEqual([[email]])
    expect(rig.logged.some(({ msg }) => msg === 'mail not sent')).toBe(true)
  })

  test('is given up after a day', async () => {
    const probe = await startSmtp()
    await probe.stop()
    await enqueued()
    const queue = startQueue(probe.url)
    passTime(rig, 24 * HOUR)
    await queue.runOnce()
    expect((await rows())[0].closed_at).toBeNull()
    passTime(rig, 10 * MINUTE)
    await queue.runOnce()
    expect((await rows())[0]).toMatchObject({ closed_at: rig.clock.now, tries: 2 })
  })

  test('does not hold up later mails when it refuses one for now', async () => {
    let refused = ''
    const smtp = await useSmtp({
      onRcptTo({ address }, _session, done) {
        if (address !== refused) return done()
        done(Object.assign(new Error('Mailbox busy'), { responseCode: 450 }))
      },
    })
    refused = await enqueued()
    const fine = await Promise.all(Array.from({ length: 6 }, () => enqueued()))
    const queue = startQueue(smtp.url)
    // Only the log says why a mail wasn't sent.
    expect(await queue.runOnce(), JSON.stringify(rig.logged)).toBe(6)
    expect(smtp.received.map((mail) => mail.recipients[0]).sort()).toEqual(fine.sort())
    refused = ''
    passTime(rig, SECOND)
    expect(await queue.runOnce()).toBe(1)
  })

  test('is trusted immediately when it says that the mailbox does not exist', async () => {
    const smtp = await useSmtp({
      onRcptTo(_address, _session, done) {
        done(Object.assign(new Error('No such user'), { responseCode: 550 }))
      },
    })
    await enqueued()
    await startQueue(smtp.url).runOnce()
    expect((await rows())[0]).toMatchObject({
      closed_at: rig.clock.now,
      tries: 1,
      last_error: expect.stringContaining('No such user'),
    })
  })
})

test('another node sends a mail two minutes after the node that took it died', async () => {
  const smtp = await useSmtp()
  await enqueued()
  // This is what the other node did before it died.
  await rig.db.$client.query('update mails set tries = 1, next_try_at = $1', [
    new Date(rig.clock.now.getTime() + 2 * MINUTE),
  ])
  const queue = startQueue(smtp.url)
  expect(await queue.runOnce()).toBe(0)
  passTime(rig, 2 * MINUTE)
  expect(await queue.runOnce()).toBe(1)
})

test('an address without an account gets no mail, and the row is closed', async () => {
  const smtp = await useSmtp()
  const nobody = { kind: 'recovery', recipient: 'nobody@example.com', now: rig.clock.now }
  await enqueueMail(rig.db, nobody, ONCE)
  expect(await startQueue(smtp.url).runOnce()).toBe(0)
  expect(smtp.received).toEqual([])
  expect(await rows()).toMatchObject([{ closed_at: rig.clock.now, last_error: null }])
})

test('a sent mail stays for two days, for the daily limits, and no longer', async () => {
  const smtp = await useSmtp()
  await enqueued()
  await startQueue(smtp.url).runOnce()
  for (const [hours, left] of [
    [47, 1],
    [2, 0],
  ] as const) {
    passTime(rig, hours * 60 * MINUTE)
    startQueue(smtp.url, { pollMs: 60_000 })
    nudgeMailQueue(rig.db)
    await vi.waitFor(async () => expect(await rows()).toHaveLength(left))
  }
})

test("a nudge wakes this process's queue before its next poll", async () => {
  const smtp = await useSmtp()
  startQueue(smtp.url, { pollMs: 60_000 })
  const email = await enqueued()
  nudgeMailQueue(rig.db)
  await expect.poll(() => smtp.received.map(({ recipients }) => recipients)).toEqual([[email]])
})

test('the queue polls by itself, stops when told, and takes no mail afterwards', async () => {
  const smtp = await useSmtp()
  const queue = startQueue(smtp.url, { pollMs: 10 })
  await enqueued()
  await expect.poll(() => smtp.received.length).toBe(1)
  await queue.stop()
  await enqueued()
  nudgeMailQueue(rig.db)
  expect(await queue.runOnce()).toBe(0)
  expect(smtp.received).toHaveLength(1)
})

test('an unreadable table is logged once and does not stop the queue', async () => {
  const smtp = await useSmtp()
  startQueue(smtp.url, { pollMs: 5 })
  await rig.db.$client.query('alter table mails rename to mails_away')
  const failures = () => rig.logged.filter(({ msg }) => msg.includes('mail queue'))
  await expect.poll(() => failures().length).toBe(1)
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(failures()).toHaveLength(1)
  await rig.db.$client.query('alter table mails_away rename to mails')
  await enqueued()
  await expect.poll(() => smtp.received.length).toBe(1)
})

test('finished mails are deleted after a week', async () => {
  const smtp = await useSmtp()
  await enqueued('recovery')
  await startQueue(smtp.url).runOnce()
  expect(await rows()).toHaveLength(1)
  passTime(rig, 8 * 24 * HOUR)
  startQueue(smtp.url, { pollMs: 10 })
  await expect.poll(rows).toEqual([])
})

test('without a mail server a mail becomes a file for its owner only, and its link is logged', async () => {
  const outboxDir = path.join(await mkdtemp(path.join(tmpdir(), 'superday mail ')), 'outbox')
  cleanups.push(() => rm(path.dirname(outboxDir), { recursive: true }))
  const email = await enqueued('recovery')
  expect(await startQueue(undefined, { outboxDir }).runOnce()).toBe(1)
  const [file] = await readdir(outboxDir)
  expect(file).toMatch(/^[\w-]{36}\.eml$/)
  const place = path.join(outboxDir, file as string)
  expect((await stat(place)).mode & 0o777).toBe(0o600)
  const parsed = await PostalMime.parse(await readFile(place))
  expect(parsed.to).toMatchObject([{ address: email }])
  const { link } = recoveryIn(parsed)
  expect(rig.logged.at(-1)).toMatchObject({ link, file: place })
})

test('the mail table never contains a secret that opens an account', async () => {
  const smtp = await useSmtp()
  await enqueued('recovery')
  await startQueue(smtp.url).runOnce()
  const { token, code } = recoveryIn(smtp.received[0])
  const { rows: all } = await rig.db.$client.query(
    `select (select json_agg(m)::text from mails m) || (select json_agg(r)::text from recovery_tokens r) as text`,
  )
  const stored: string = all[0].text
  expect(stored).not.toContain(token)
  expect(stored).not.toContain(Buffer.from(token, 'base64url').toString('hex'))
  expect(stored).not.toContain(`"${code}"`)
})
