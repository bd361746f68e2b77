import { once } from 'node:events'
import { Readable } from 'node:stream'
import type pg from 'pg'

/*
 * COPY over pg, which speaks the messages and leaves what to do with them to a query of one's own:
 *
 *   out:  query ─▶   ◀─ copyData … commandComplete, readyForQuery
 *   in:   query ─▶   ◀─ copyInResponse   copyData … copyDone ─▶   ◀─ commandComplete, readyForQuery
 */

/** What pg hands to a query: @types/pg leaves out the messages of COPY. */
type CopyConnection = pg.Connection & {
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
  sendCopyFail(message: string): void
}

/** How much is read ahead of the one who writes it away. */
const READ_AHEAD_BYTES = 256 * 1024

/** The tag of a finished COPY tells how many rows it took: 'COPY 12'. */
const rowsOf = (tag: string) => Number(tag.split(' ')[1])

class CopyOut extends Readable implements pg.Submittable {
  rows: number | null = null
  private readonly text: string
  private connection: pg.Connection | undefined
  private error: Error | undefined

  constructor(text: string) {
    super({ highWaterMark: READ_AHEAD_BYTES })
    this.text = text
  }

  submit(connection: pg.Connection): void {
    this.connection = connection
    connection.query(this.text)
  }

  handleCopyData({ chunk }: { chunk: Buffer }): void {
    // A copy: pg reads the next messages into the same memory.
    if (!this.push(Buffer.from(chunk))) this.connection?.stream.pause()
  }

  override _read(): void {
    this.connection?.stream.resume()
  }

  handleCommandComplete({ text }: { text: string }): void {
    this.rows = rowsOf(text)
  }

  handleError(error: Error): void {
    this.error = error
    // What follows the error must be read although nobody reads rows any more.
    this.connection?.stream.resume()
    this.destroy(error)
  }

  handleReadyForQuery(): void {
    if (!this.error) this.push(null)
  }
}

/**
 * The rows of `copy … to stdout`, as bytes in pieces of any size; the server waits while nobody reads.
 * A connection whose rows were not read to their end is of no further use.
 * @returns how many rows there were
 * Errors: those of the server and of the connection.
 */
export async function* copyOut(
  client: pg.Client,
  text: string,
): AsyncGenerator<Buffer, number, undefined> {
  const rows = client.query(new CopyOut(text))
  yield* rows as AsyncIterable<Buffer>
  return rows.rows ?? 0
}

class CopyIn implements pg.Submittable {
  readonly started: Promise<CopyConnection>
  readonly done: Promise<number>
  private readonly text: string
  private start!: (connection: CopyConnection) => void
  private finish!: (rows: number) => void
  private fail!: (error: Error) => void
  private rows = 0

  constructor(text: string) {
    this.text = text
    this.started = new Promise((resolve) => {
      this.start = resolve
    })
    this.done = new Promise((resolve, reject) => {
      this.finish = resolve
      this.fail = reject
    })
  }

  submit(connection: pg.Connection): void {
    connection.query(this.text)
  }

  handleCopyInResponse(connection: CopyConnection): void {
    this.start(connection)
  }

  handleCommandComplete({ text }: { text: string }): void {
    this.rows = rowsOf(text)
  }

  handleError(error: Error): void {
    this.fail(error)
  }

  handleReadyForQuery(): void {
    this.finish(this.rows)
  }
}

/**
 * Feeds bytes to `copy … from stdin`, no faster than the server takes them.
 * @returns how many rows were stored
 * Errors: those of the source, of the server and of the connection; the statement has failed then, and
 * its transaction with it.
 */
export async function copyIn(
  client: pg.Client,
  text: string,
  source: AsyncIterable<Buffer>,
): Promise<number> {
  const copy = client.query(new CopyIn(text))
  const connection = await Promise.race([copy.started, copy.done.then(neverStarted)])
  try {
    for await (const piece of source) {
      connection.sendCopyFromChunk(piece)
      if (connection.stream.writableNeedDrain) {
        // A refused row ends the waiting too: the server's answer comes before the drain.
        await Promise.race([once(connection.stream, 'drain'), copy.done])
      }
    }
  } catch (error) {
    connection.sendCopyFail('The rest of the rows could not be read.')
    // Whichever failed first is the reason: the server, or the source that then made the server fail.
    await copy.done.catch((refusal: { code?: string }) => {
      if (refusal !== error && refusal.code !== QUERY_CANCELED) throw refusal
    })
    throw error
  }
  connection.endCopyFrom()
  return copy.done
}

/** What the server answers to copyFail. */
const QUERY_CANCELED = '57014'

function neverStarted(): never {
  throw new Error('The statement was no COPY FROM STDIN.')
}
