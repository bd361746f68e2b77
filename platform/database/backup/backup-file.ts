import { createHash, createHmac, type Hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { z } from 'zod'
import { AdminError } from '../../server/admin-error.ts'
import { deriveKey } from '../secret-key.ts'

/*
 * A backup, gunzipped, is lines of UTF-8:
 *   {"superday":"backup","format":1,…}            the header (backupHeaderSchema)
 *   {"table":"users","columns":["id",…]}          for each table, after those that its rows refer to …
 *   8f2c…\tana@example.com\t…                     … its rows as COPY's text format writes them
 *   \.                                            and COPY's end mark, which can't be a row
 *   {"sha256":"…","seal":"…"}                     of all bytes above; nothing follows
 * The checksum detects damage. The seal is its HMAC with a key derived from SECRET_KEY, and detects forgery.
 */

export const BACKUP_FORMAT = 1
const END_MARK = Buffer.from('\\.\n')
const END_MARK_LATER = Buffer.from('\n\\.\n')
const LINE_BREAK = 0x0a
/** Longer than any header, so a longer first line means that the file isn't a backup. */
const LONGEST_LINE_BYTES = 1024 * 1024
const READ_BYTES = 256 * 1024

const identifier = z.string().min(1)
const count = z.int().nonnegative()

const backupHeaderSchema = z.strictObject({
  superday: z.literal('backup'),
  format: z.literal(BACKUP_FORMAT),
  /** the database's newest migration: its name and its timestamp in milliseconds */
  schema: z.strictObject({ name: z.string(), at: count }),
  /** ISO 8601, UTC */
  createdAt: z.iso.datetime(),
  /** fingerprint of the SECRET_KEY that the data needs (fingerprintOf) */
  keyFingerprint: z.string(),
  tables: z.array(z.strictObject({ name: identifier, rows: count })),
  /** next values of identity columns, as decimal strings because they may have 64 bits */
  counters: z.array(
    z.strictObject({ table: identifier, column: identifier, next: z.string().regex(/^\d+$/) }),
  ),
})
export type BackupHeader = z.infer<typeof backupHeaderSchema>

const tableHeaderSchema = z.strictObject({ table: identifier, columns: z.array(identifier) })
const checksumSchema = z.strictObject({ sha256: z.string(), seal: z.string() })

const lineOf = (value: object) => Buffer.from(`${JSON.stringify(value)}\n`)

function seal(secretKey: Buffer, sha256: string): string {
  return createHmac('sha256', deriveKey(secretKey, 'backup seal')).update(sha256).digest('hex')
}

/** Yields a backup's bytes before gzip. Rows are in COPY's text format. */
export async function* frameBackup(
  header: BackupHeader,
  tables: Iterable<{ name: string; columns: string[]; rows: AsyncIterable<Buffer> }>,
  secretKey: Buffer,
): AsyncGenerator<Buffer> {
  const hash = createHash('sha256')
  const hashed = (piece: Buffer) => {
    hash.update(piece)
    return piece
  }
  yield hashed(lineOf(header))
  for (const { name, columns, rows } of tables) {
    yield hashed(lineOf({ table: name, columns }))
    for await (const piece of rows) yield hashed(piece)
    yield hashed(END_MARK)
  }
  const sha256 = hash.digest('hex')
  yield lineOf({ sha256, seal: seal(secretKey, sha256) })
}

/** Callbacks for the parts of a backup, called in file order. An error from any of them stops the reading. */
export interface BackupVisitor {
  header(header: BackupHeader): Promise<void> | void
  /** must read all rows */
  table(name: string, columns: string[], rows: AsyncIterable<Buffer>): Promise<void>
}

/**
 * Reads a backup. Only the end shows that it is whole, so callers must be able to undo what the visitor did. Without
 * `secretKey` the seal isn't checked. Errors: AdminError when the file is no backup, too new, damaged or changed.
 */
export async function readBackup(
  file: string,
  secretKey: Buffer | null,
  visitor: BackupVisitor,
): Promise<BackupHeader> {
  // pipeline passes errors of either side to the reader.
  const bytes = pipeline(
    createReadStream(file, { highWaterMark: READ_BYTES }),
    createGunzip({ chunkSize: READ_BYTES }),
    () => {},
  )
  try {
    return await readParts(new Lines(bytes), secretKey, visitor)
  } catch (error) {
    throw explainDamage(error)
  } finally {
    bytes.destroy()
  }
}

async function readParts(
  lines: Lines,
  secretKey: Buffer | null,
  visitor: BackupVisitor,
): Promise<BackupHeader> {
  const header = parseHeader(await lines.readLine())
  await visitor.header(header)
  for (const { name } of header.tables) {
    const { table, columns } = parseLine(tableHeaderSchema, await lines.readLine())
    if (table !== name) throw new AdminError(damaged(`expected ${name} but found ${table}`))
    await visitor.table(table, columns, lines.readRows())
  }
  const sha256 = lines.digest()
  const end = parseLine(checksumSchema, await lines.readLine())
  if (end.sha256 !== sha256) throw new AdminError(damaged('its checksum is wrong'))
  if (secretKey && end.seal !== seal(secretKey, sha256)) {
    throw new AdminError(
      'The backup was changed after it was made: its seal is wrong. Nothing was changed; please use another backup.',
    )
  }
  if (!(await lines.isAtEnd())) throw new AdminError(damaged('it continues after its end'))
  return header
}

function parseHeader(line: string): BackupHeader {
  const { format } = parseLine(
    z.looseObject({ superday: z.literal('backup'), format: count }),
    line,
  )
  if (format > BACKUP_FORMAT) {
    throw new AdminError(
      `The backup has format ${format}, but this program supports formats up to ${BACKUP_FORMAT}. Please restore it with the Superday version that made it, or a newer one.`,
    )
  }
  return parseLine(backupHeaderSchema, line)
}

function parseLine<T>(schema: z.ZodType<T>, line: string): T {
  try {
    return schema.parse(JSON.parse(line))
  } catch {
    throw new AdminError(damaged('one of its lines is invalid'))
  }
}

const damaged = (how: string) =>
  `The file isn't a backup or is damaged: ${how}. Nothing was changed; please use another backup.`

function explainDamage(error: unknown): unknown {
  const { code, message } = error as { code?: unknown; message: string }
  // zlib reports Z_DATA_ERROR, or Z_BUF_ERROR for a file that was cut off.
  return typeof code === 'string' && code.startsWith('Z_')
    ? new AdminError(damaged(message))
    : error
}

/** Reads bytes line by line and hashes them. */
class Lines {
  private readonly source: AsyncIterator<Buffer>
  private readonly hash: Hash = createHash('sha256')
  /** always begins at the start of a line */
  private rest: Buffer = Buffer.alloc(0)

  constructor(source: AsyncIterable<Buffer>) {
    this.source = source[Symbol.asyncIterator]()
  }

  async readLine(): Promise<string> {
    let end = this.rest.indexOf(LINE_BREAK)
    while (end < 0) {
      if (this.rest.length > LONGEST_LINE_BYTES) throw new AdminError(damaged('it has no lines'))
      await this.requireMore()
      end = this.rest.indexOf(LINE_BREAK)
    }
    return this.take(end + 1).toString('utf8')
  }

  /** Yields chunks of whole rows and consumes the end mark. */
  async *readRows(): AsyncGenerator<Buffer> {
    while (!this.rest.subarray(0, END_MARK.length).equals(END_MARK)) {
      const mark = this.rest.indexOf(END_MARK_LATER)
      const end = mark >= 0 ? mark : this.rest.lastIndexOf(LINE_BREAK)
      if (end >= 0) yield this.take(end + 1)
      else await this.requireMore()
    }
    this.take(END_MARK.length)
  }

  /** The hash of everything read so far. */
  digest(): string {
    return this.hash.copy().digest('hex')
  }

  async isAtEnd(): Promise<boolean> {
    return this.rest.length === 0 && !(await this.readMore())
  }

  private take(length: number): Buffer {
    const taken = this.rest.subarray(0, length)
    this.rest = this.rest.subarray(length)
    this.hash.update(taken)
    return taken
  }

  private async requireMore(): Promise<void> {
    if (!(await this.readMore())) throw new AdminError(damaged('its end is missing'))
  }

  private async readMore(): Promise<boolean> {
    const { done, value } = await this.source.next()
    if (done) return false
    this.rest = this.rest.length === 0 ? value : Buffer.concat([this.rest, value])
    return true
  }
}
