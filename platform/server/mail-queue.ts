import { randomUUID } from 'node:crypto'
import { and, asc, eq, inArray, isNotNull, isNull, lt, lte, sql } from 'drizzle-orm'
import type pg from 'pg'
import type { Database, Queryable } from '../database/database.ts'
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

/** Queues many mails of a kind at an even pace (`paceMs` apart), behind every mail that a person waits for. */
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
    [
      ...[kind, now, first, paceMs],
      many.map(({ recipient }) => recipient),
      many.map(({ about }) => about),
    ],
  )
}

/** Priorities: a mail that a user is waiting for, and a bulk mail. */
const URGENT = 0
const OF_MANY = 1
/** Connections that bulk mails can hold. The rest stay free for urgent mails, however slow the bulk is. */
const OF_MANY_AT_ONCE = SENDING_AT_ONCE / 2

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
/** Closed mails stay for two days: limits count an address's mails, also after its account was deleted. */
const KEEP_CLOSED_MS = 2 * 24 * 60 * 60_000
const POLL_MS = 1_000
const TIDY_EVERY_MS = 60 * 60_000

export type Mail = typeof mails.$inferSelect

/** What a room brings for each kind of mail that it puts in the queue. */
export interface MailKind {
  /** Makes the text when it is sent, again for each try; null when nobody has that address any more. */
  write(mail: Mail): Promise<Letter | null>
  /** what to note once it was handed over; done again where noting failed the first time */
  sent?(mail: Mail): Promise<void>
  /** what to note when the mail server did not take it, with its words; `isFinal`: it is not tried again */
  failed?(mail: Mail, failure: { reason: string; isFinal: boolean }): Promise<void>
}

export interface MailQueue {
  /** Sends what is due until nothing is left; tells how many mails were handed over. */
  runOnce(): Promise<number>
  /** Ends the polling, waits for what is being sent. */
  stop(): Promise<void>
}

/**
 * Sends the mails of the table: any node, each mail once. No transaction is open while the mail server is spoken to:
 *   claim (next_try_at = now + 2 min) → make the text → send → closed_at = now
 *                                                     → failed: next_try_at = now + 1 s, 5 s, …
 * After two minutes another node takes over from one that died. Urgent mails go before mails to many, which hold half
 * of the connections at most.
 */
export function startMailQueue(options: {
  db: Database
  now: () => Date
  mailer: Mailer
  /** every room's, by name */
  kinds: Record<string, MailKind>
  log: Logger
  /** 0 for no polling: then it runs only when it is told to */
  pollMs?: number
}): MailQueue {
  const { db, now, mailer, log, pollMs = POLL_MS } = options
  const running = new Set<Promise<unknown>>()
  /** what lets a run look again before one of its mails is through */
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
          // What is under way ends first.
          failure ??= error
        }
      }
      const underWay = [...urgent, ...ofMany]
      // All mails may have ended during the second claim: then more may be due.
      if (underWay.length === 0 && hasClaimed) continue
      if (underWay.length === 0) break
      // Of these one may take half a minute: what is put in the queue meanwhile goes by the free connections.
      await Promise.race([...underWay, bell])
    }
    if (failure) throw failure
    return sent
  }

  async function wake(): Promise<void> {
    // A nudge during a run may be about a row that the run did not see.
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

/** Takes mails that are due out of the reach of other nodes, `most` of them. */
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

/** Sends one claimed mail and writes down how it went. Tells whether it was handed over. */
async function deliver(
  options: Parameters<typeof startMailQueue>[0],
  mail: Mail,
): Promise<boolean> {
  const { db, now, mailer, kinds, log } = options
  const kind = kinds[mail.kind]
  const letter = (await kind?.write(mail)) ?? null
  // Nobody has that address (any more): asked for, but not to be sent.
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
  // First: were the mail closed and this not noted, nobody would ever know that it left.
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

/** The mail server wants neither this recipient nor this mail: trying all day would change nothing. */
function isRefusedForGood(error: unknown): boolean {
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown }
  const isOfThisMail = code === 'EENVELOPE' || code === 'EMESSAGE'
  return isOfThisMail && typeof responseCode === 'number' && responseCode >= 550
}

async function tidy(db: Database, at: Date): Promise<void> {
  const before = new Date(at.getTime() - KEEP_CLOSED_MS)
  await db.delete(mails).where(and(isNotNull(mails.closedAt), lt(mails.closedAt, before)))
}
