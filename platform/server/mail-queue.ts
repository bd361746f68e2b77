import { randomUUID } from 'node:crypto'
import { and, asc, eq, inArray, isNotNull, isNull, lt, lte, sql } from 'drizzle-orm'
import type pg from 'pg'
import { type Database, fieldLists, type Queryable } from '../database/database.ts'
import { mails } from '../database/tables.ts'
import type { Letter } from './letter.ts'
import { describeError, type Logger } from './log.ts'
import { type Mailer, SENDING_AT_ONCE } from './mailer.ts'

/** Queues a mail in the caller's transaction, unless the recipient's limit is reached. `about`: an id. */
export async function enqueueMail(
  tx: Queryable,
  mail: { kind: string; recipient: string; now: Date; about?: string },
  limit: { count: number; withinMs: number },
): Promise<void> {
  const at = mail.now.toISOString()
  const since = new Date(mail.now.getTime() - limit.withinMs).toISOString()
  await tx.execute(sql`
    insert into ${mails} (id, kind, recipient, about, created_at, next_try_at)
    select ${randomUUID()}::uuid, ${mail.kind}, ${mail.recipient}, ${mail.about ?? null}::uuid, ${at}::timestamptz, ${at}::timestamptz
    where ${limit.count}::int > (
      select count(*) from ${mails}
      where kind = ${mail.kind} and recipient = ${mail.recipient}
        and created_at > ${since}::timestamptz
    )`)
}

/** Queues many mails of one kind, `paceMs` apart, with lower priority than mails that someone waits for. */
export async function enqueueManyMails(
  client: Pick<pg.PoolClient, 'query'>,
  { kind, now, first, paceMs }: { kind: string; now: Date; first: Date; paceMs: number },
  many: readonly { recipient: string; about: string }[],
): Promise<void> {
  await client.query(
    `insert into mails (id, kind, recipient, about, created_at, next_try_at, priority)
     select gen_random_uuid(), $1, one.recipient, one.about, $2,
       $3::timestamptz + (one.place - 1) * $4::int * interval '1 ms', ${OF_MANY}
     from unnest($5::text[], $6::uuid[]) with ordinality as one (recipient, about, place)`,
    [kind, now, first, paceMs, ...fieldLists(many, 'recipient', 'about')],
  )
}

/** Priorities: a mail that a user is waiting for, and a bulk mail. */
const URGENT = 0
const OF_MANY = 1
/** Connections that bulk mails may use. The rest stay free for urgent mails. */
const OF_MANY_AT_ONCE = SENDING_AT_ONCE / 2

/** Functions that wake this process's queues, by database. */
const wakers = new WeakMap<Database, Set<() => void>>()

/** Wakes this process's queue, if it has one, to send new mails. */
export function nudgeMailQueue(db: Database): void {
  for (const wake of wakers.get(db) ?? []) wake()
}

/** How long a node keeps a mail it claimed. If the node died, another takes the mail afterwards. */
const CLAIM_MS = 2 * 60_000
/** Pauses after the first, second … failed try; the last one repeats. */
const RETRY_MS = [1_000, 5_000, 30_000, 2 * 60_000, 10 * 60_000]
/** A mail that couldn't be delivered for this long is given up. */
const GIVE_UP_MS = 24 * 60 * 60_000
/** Closed mails stay for two days, because limits count an address's mails even after its account was deleted. */
const KEEP_CLOSED_MS = 2 * 24 * 60 * 60_000
const POLL_MS = 1_000
const TIDY_EVERY_MS = 60 * 60_000

export type Mail = typeof mails.$inferSelect

/** What a room defines for each kind of mail that it queues. */
export interface MailKind {
  /** Writes the text before each try. Returns null if no account has the address any more. */
  write(mail: Mail): Promise<Letter | null>
  /** runs after sending; may run again if it failed */
  sent?(mail: Mail): Promise<void>
  /** runs when the mail server rejected the mail, with its reply; `isFinal`: the mail isn't retried */
  failed?(mail: Mail, failure: { reason: string; isFinal: boolean }): Promise<void>
}

export interface MailQueue {
  /** Sends all due mails. Returns how many were sent. */
  runOnce(): Promise<number>
  /** Stops polling and waits for the mails being sent. */
  stop(): Promise<void>
}

/**
 * Sends the table's mails from any node, each once. No transaction is open while it talks to the mail server:
 *   claim (next_try_at = now + 2 min) → write the text → send → closed_at = now
 *                                                      → failed: next_try_at = now + 1 s, 5 s, …
 * After two minutes another node replaces one that died. Urgent mails precede bulk mails, which use at most half of the
 * connections.
 */
export function startMailQueue(options: {
  db: Database
  now: () => Date
  mailer: Mailer
  /** every room's kinds, by name */
  kinds: Record<string, MailKind>
  log: Logger
  /** 0 disables polling, so that only runOnce sends */
  pollMs?: number
}): MailQueue {
  const { db, now, mailer, log, pollMs = POLL_MS } = options
  const running = new Set<Promise<unknown>>()
  /** Wakes a run before one of its mails is done. */
  let ring = () => {}
  let stopped = false
  let busy = false
  let again = false
  let failing = false
  let tidiedAt = 0

  async function runOnce(): Promise<number> {
    const urgent = new Set<Promise<void>>()
    const ofMany = new Set<Promise<void>>()
    let sent = 0
    let failure: unknown
    const begin = (mail: Mail) => {
      const lane = mail.priority === URGENT ? urgent : ofMany
      const delivery: Promise<void> = deliver(options, mail)
        .then((isSent) => {
          if (isSent) sent += 1
        })
        .catch((error) => {
          failure ??= error
        })
        .finally(() => lane.delete(delivery))
      lane.add(delivery)
    }
    while (true) {
      const bell = new Promise<void>((resolve) => {
        ring = resolve
      })
      let hasClaimed = false
      if (!stopped && !failure) {
        try {
          const free = SENDING_AT_ONCE - urgent.size - ofMany.size
          const first = await claim(db, now(), URGENT, free)
          first.forEach(begin)
          const rest = SENDING_AT_ONCE - urgent.size - ofMany.size
          const most = Math.min(rest, OF_MANY_AT_ONCE - ofMany.size)
          const then = await claim(db, now(), OF_MANY, most)
          then.forEach(begin)
          hasClaimed = first.length + then.length > 0
        } catch (error) {
          // The mails being sent finish first.
          failure ??= error
        }
      }
      const underWay = [...urgent, ...ofMany]
      // All mails may have finished during the second claim, so more may be due.
      if (underWay.length === 0 && hasClaimed) continue
      if (underWay.length === 0) break
      // One of these may take half a minute. New mails use the free connections in the meantime.
      await Promise.race([...underWay, bell])
    }
    if (failure) throw failure
    return sent
  }

  async function wake(): Promise<void> {
    // A nudge during a run may concern a row that the run didn't see.
    again = true
    ring()
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
      // Log it only once, because it is retried every second.
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

/** Claims up to `most` due mails, so that other nodes skip them. */
async function claim(db: Database, at: Date, priority: number, most: number): Promise<Mail[]> {
  if (most <= 0) return []
  const due = db
    .select({ id: mails.id })
    .from(mails)
    .where(and(isNull(mails.closedAt), eq(mails.priority, priority), lte(mails.nextTryAt, at)))
    .orderBy(asc(mails.nextTryAt))
    .limit(most)
    .for('update', { skipLocked: true })
  return db
    .update(mails)
    .set({ tries: sql`${mails.tries} + 1`, nextTryAt: new Date(at.getTime() + CLAIM_MS) })
    .where(inArray(mails.id, due))
    .returning()
}

/** Sends one claimed mail and stores the outcome. Returns whether it was sent. */
async function deliver(
  options: Parameters<typeof startMailQueue>[0],
  mail: Mail,
): Promise<boolean> {
  const { db, now, mailer, kinds, log } = options
  const kind = kinds[mail.kind]
  const letter = (await kind?.write(mail)) ?? null
  // No account has this address, so the mail isn't sent.
  if (!letter) {
    await close(db, mail, now(), null)
    return false
  }
  try {
    await mailer.send(mail.id, mail.recipient, letter)
  } catch (error) {
    await postpone(db, mail, now(), error, { kind, log })
    return false
  }
  // This comes first: if the mail were closed and this failed, no record of sending would exist.
  await kind?.sent?.(mail)
  await close(db, mail, now(), null)
  return true
}

function close(db: Database, mail: Mail, at: Date, lastError: string | null) {
  return db.update(mails).set({ closedAt: at, lastError }).where(eq(mails.id, mail.id))
}

async function postpone(
  db: Database,
  mail: Mail,
  at: Date,
  error: unknown,
  { kind, log }: { kind: MailKind | undefined; log: Logger },
) {
  const reason = (error instanceof Error ? error.message : String(error)).slice(0, 300)
  log.warn({ mail: mail.id, kind: mail.kind, tries: mail.tries, error: reason }, 'mail not sent')
  const tooOld = at.getTime() - mail.createdAt.getTime() > GIVE_UP_MS
  const isFinal = tooOld || isRefusedForGood(error)
  await kind?.failed?.(mail, { reason, isFinal })
  if (isFinal) {
    await close(db, mail, at, reason)
    return
  }
  const wait = RETRY_MS[Math.min(mail.tries, RETRY_MS.length) - 1] as number
  await db
    .update(mails)
    .set({ nextTryAt: new Date(at.getTime() + wait), lastError: reason })
    .where(and(eq(mails.id, mail.id), isNull(mails.closedAt)))
}

/** The mail server rejects this recipient or mail permanently, so retrying is useless. */
function isRefusedForGood(error: unknown): boolean {
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown }
  const isOfThisMail = code === 'EENVELOPE' || code === 'EMESSAGE'
  return isOfThisMail && typeof responseCode === 'number' && responseCode >= 550
}

async function tidy(db: Database, at: Date): Promise<void> {
  const before = new Date(at.getTime() - KEEP_CLOSED_MS)
  await db.delete(mails).where(and(isNotNull(mails.closedAt), lt(mails.closedAt, before)))
}
