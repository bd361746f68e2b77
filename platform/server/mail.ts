import { randomUUID } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { and, asc, eq, inArray, isNotNull, isNull, lt, lte, sql } from 'drizzle-orm'
import nodemailer from 'nodemailer'
import { type Letter, writeLetter } from '../../accounts/server/mail-texts.ts'
import { makeRecoveryToken } from '../../accounts/server/recovery/recovery-token.ts'
import type { Queryable } from '../../accounts/server/rows.ts'
import { recoveryTokens, users } from '../../accounts/server/tables.ts'
import type { Database } from '../database/database.ts'
import { giveToFolderOwner } from '../database/embedded/private-files.ts'
import { mails } from '../database/tables.ts'
import { describeError, type Logger } from './log.ts'

export interface Mailer {
  /**
   * Hands a mail over.
   * @param id the same for every try of one mail, so that a second copy can be told as one
   * Errors: whatever the mail server says; then it may be tried again.
   */
  send(id: string, recipient: string, letter: Letter): Promise<void>
  close(): void
}

/**
 * Sends over SMTP, or without `smtpUrl` writes .eml files into outboxDir, readable for their owner
 * alone, and logs the link: so a machine without a mail server can still recover a password.
 */
export function createMailer(options: {
  smtpUrl: string | undefined
  from: string
  outboxDir: string
  log: Logger
}): Mailer {
  const { smtpUrl, from, outboxDir, log } = options
  if (!smtpUrl) return createOutbox(from, outboxDir, log)
  const transport = nodemailer.createTransport(
    // Well under CLAIM_MS together, so that a mail is never in two hands.
    { url: smtpUrl, pool: true, maxConnections: SENDING_AT_ONCE, ...TIMEOUTS_MS },
    { from },
  )
  return {
    async send(id, to, { subject, text, html }) {
      await transport.sendMail({ messageId: messageId(id), to, subject, text, html })
    },
    close: () => transport.close(),
  }
}

const SENDING_AT_ONCE = 4
const TIMEOUTS_MS = {
  dnsTimeout: 10_000,
  connectionTimeout: 15_000,
  greetingTimeout: 15_000,
  socketTimeout: 30_000,
}

const messageId = (id: string) => `<${id}@mail.superday>`

function createOutbox(from: string, outboxDir: string, log: Logger): Mailer {
  const transport = nodemailer.createTransport({ streamTransport: true, buffer: true }, { from })
  return {
    async send(id, to, { subject, text, html, link }) {
      const { message } = await transport.sendMail({
        messageId: messageId(id),
        to,
        subject,
        text,
        html,
      })
      await mkdir(outboxDir, { recursive: true, mode: 0o700 })
      const file = path.join(outboxDir, `${id}.eml`)
      await writeFile(file, message as Buffer, { mode: 0o600 })
      giveToFolderOwner(outboxDir)
      giveToFolderOwner(file)
      log.warn({ file, link }, `no SMTP_URL, so this mail was written to a file: ${subject}`)
    },
    close: () => transport.close(),
  }
}

// ── The queue ───────────────────────────────────────────────────────────────────────────────────

/**
 * Puts a mail in the queue, within the transaction of the act that it tells about.
 * @param quietMs not if the same kind was asked for this recipient within that time
 */
export async function enqueueMail(
  tx: Queryable,
  mail: { kind: (typeof mails.$inferInsert)['kind']; recipient: string; now: Date },
  quietMs = 0,
): Promise<void> {
  const at = mail.now.toISOString()
  const since = new Date(mail.now.getTime() - quietMs).toISOString()
  await tx.execute(sql`
    insert into ${mails} (id, kind, recipient, created_at, next_try_at)
    select ${randomUUID()}::uuid, ${mail.kind}, ${mail.recipient}, ${at}::timestamptz, ${at}::timestamptz
    where not exists (
      select 1 from ${mails}
      where kind = ${mail.kind} and recipient = ${mail.recipient}
        and created_at > ${since}::timestamptz
    )`)
}

/** What wakes the queues of this process, by their database. */
const wakers = new WeakMap<Database, Set<() => void>>()

/** Tells the queue of this process, if it has one, that there is something to send. */
export function nudgeMailQueue(db: Database): void {
  for (const wake of wakers.get(db) ?? []) wake()
}

/** How long a mail is one node's own; when that node died, another takes it afterwards. */
const CLAIM_MS = 2 * 60_000
/** Waits after the first, second … failed try; the last of them repeats. */
const RETRY_MS = [1_000, 5_000, 30_000, 2 * 60_000, 10 * 60_000]
/** A mail that could not be handed over for this long is given up. */
const GIVE_UP_MS = 24 * 60 * 60_000
/** Mails that are done with are kept a while for whoever looks for one, then deleted. */
const KEEP_CLOSED_MS = 7 * 24 * 60 * 60_000
const POLL_MS = 1_000
const TIDY_EVERY_MS = 60 * 60_000

type Mail = typeof mails.$inferSelect

export interface MailQueue {
  /** Sends what is due until nothing is left; tells how many mails were handed over. */
  runOnce(): Promise<number>
  /** Ends the polling, waits for what is being sent. */
  stop(): Promise<void>
}

/**
 * Sends the mails of the table: any node, each mail once. A row is claimed by moving its next try
 * ahead, and no transaction is open while the mail server is spoken to:
 *
 *   claim (next_try_at = now + 2 min) → make the text → send → closed_at = now
 *                                                     → failed: next_try_at = now + 1 s, 5 s, …
 *
 * A node that dies in between leaves the row to the next one after two minutes.
 */
export function startMailQueue(options: {
  db: Database
  now: () => Date
  mailer: Mailer
  publicUrl: string
  secretKey: Buffer
  log: Logger
  /** 0 for no polling: then it runs only when it is told to */
  pollMs?: number
}): MailQueue {
  const { db, now, mailer, log, pollMs = POLL_MS } = options
  const running = new Set<Promise<unknown>>()
  let stopped = false
  let busy = false
  let again = false
  let failing = false
  let tidiedAt = 0

  async function runOnce(): Promise<number> {
    let sent = 0
    while (!stopped) {
      const claimed = await claim(db, now())
      if (claimed.length === 0) break
      const results = await Promise.all(claimed.map((mail) => deliver(options, mail)))
      sent += results.filter(Boolean).length
    }
    return sent
  }

  async function wake(): Promise<void> {
    // A nudge during a run may be about a row that the run did not see.
    again = true
    if (busy) return
    busy = true
    try {
      while (again && !stopped) {
        again = false
        await runOnce()
      }
      if (now().getTime() - tidiedAt > TIDY_EVERY_MS) {
        tidiedAt = now().getTime()
        await tidy(db, now())
      }
      failing = false
    } catch (error) {
      // Once is enough: it is tried again every second.
      if (!failing)
        log.warn({ error: describeError(error) }, 'the mail queue cannot read its table')
      failing = true
    } finally {
      busy = false
    }
  }

  function track<T>(work: Promise<T>): Promise<T> {
    running.add(work)
    const done = () => void running.delete(work)
    work.then(done, done)
    return work
  }

  const nudge = () => void track(wake())
  const timer = pollMs > 0 ? setInterval(nudge, pollMs) : undefined
  timer?.unref()
  const queues = wakers.get(db) ?? new Set()
  wakers.set(db, queues)
  if (pollMs > 0) queues.add(nudge)

  return {
    runOnce: () => track(runOnce()),
    async stop() {
      stopped = true
      clearInterval(timer)
      queues.delete(nudge)
      await Promise.allSettled(running)
      mailer.close()
    },
  }
}

/** Takes mails that are due out of the reach of other nodes. */
function claim(db: Database, at: Date): Promise<Mail[]> {
  const due = db
    .select({ id: mails.id })
    .from(mails)
    .where(and(isNull(mails.closedAt), lte(mails.nextTryAt, at)))
    .orderBy(asc(mails.nextTryAt))
    .limit(SENDING_AT_ONCE)
    .for('update', { skipLocked: true })
  return db
    .update(mails)
    .set({ tries: sql`${mails.tries} + 1`, nextTryAt: new Date(at.getTime() + CLAIM_MS) })
    .where(inArray(mails.id, due))
    .returning()
}

/** Sends one claimed mail and writes down how it went. Tells whether it was handed over. */
async function deliver(
  options: Parameters<typeof startMailQueue>[0],
  mail: Mail,
): Promise<boolean> {
  const { db, now, mailer, log } = options
  const letter = await compose(options, mail)
  // Nobody has that address (any more): asked for, but not to be sent.
  if (!letter) {
    await close(db, mail, now(), null)
    return false
  }
  try {
    await mailer.send(mail.id, mail.recipient, letter)
  } catch (error) {
    await postpone(db, mail, now(), error, log)
    return false
  }
  await close(db, mail, now(), null)
  if (mail.kind === 'recovery') {
    await db.update(users).set({ recoverySentAt: now() }).where(eq(users.email, mail.recipient))
  }
  return true
}

async function compose(
  { db, now, publicUrl, secretKey }: Parameters<typeof startMailQueue>[0],
  mail: Mail,
): Promise<Letter | null> {
  if (mail.kind !== 'recovery') {
    const link = mail.kind === 'password_changed' ? `${publicUrl}/auth` : publicUrl
    return writeLetter({ kind: mail.kind, link, at: mail.createdAt })
  }
  const [user] = await db
    .select({ id: users.id })
    .from(users)
    .where(eq(users.email, mail.recipient))
  if (!user) return null
  // Made only now, and anew for each try, so that the table never holds what opens an account.
  const { token, code } = await makeRecoveryToken(db, secretKey, now(), user.id)
  return writeLetter({ kind: 'recovery', link: `${publicUrl}/auth?recovery=${token}`, code })
}

function close(db: Database, mail: Mail, at: Date, lastError: string | null) {
  return db.update(mails).set({ closedAt: at, lastError }).where(eq(mails.id, mail.id))
}

async function postpone(db: Database, mail: Mail, at: Date, error: unknown, log: Logger) {
  const reason = (error instanceof Error ? error.message : String(error)).slice(0, 300)
  log.warn({ mail: mail.id, kind: mail.kind, tries: mail.tries, error: reason }, 'mail not sent')
  const tooOld = at.getTime() - mail.createdAt.getTime() > GIVE_UP_MS
  if (tooOld || isRefusedForGood(error)) {
    await close(db, mail, at, reason)
    return
  }
  const wait = RETRY_MS[Math.min(mail.tries, RETRY_MS.length) - 1] as number
  await db
    .update(mails)
    .set({ nextTryAt: new Date(at.getTime() + wait), lastError: reason })
    .where(and(eq(mails.id, mail.id), isNull(mails.closedAt)))
}

/** The mail server says that this mailbox does not exist: trying all day would change nothing. */
function isRefusedForGood(error: unknown): boolean {
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown }
  return code === 'EENVELOPE' && typeof responseCode === 'number' && responseCode >= 550
}

/** Deletes what nobody needs any more: mails long done with, recovery tokens long expired. */
async function tidy(db: Database, at: Date): Promise<void> {
  const before = new Date(at.getTime() - KEEP_CLOSED_MS)
  await db.delete(mails).where(and(isNotNull(mails.closedAt), lt(mails.closedAt, before)))
  await db.delete(recoveryTokens).where(lt(recoveryTokens.expiresAt, before))
}
