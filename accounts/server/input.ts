import type { Context } from 'hono'
import { z } from 'zod'
import { readText } from '../../platform/server/body/read-body.ts'
import { isStorableJson } from '../../platform/server/body/storable.ts'
import { EMAIL, EMAIL_LENGTH } from '../email.ts'
import { FIRST_YEAR_OF_STUDIES, LAST_YEAR_OF_STUDIES, METADATA_TEXT_LIMIT } from '../limits.ts'
import { AuthError, invalid } from './errors.ts'

/** Maximum bytes of a person's metadata as JSON. Every access token contains it. */
const METADATA_LIMIT_BYTES = 4_096
const METADATA_DEPTH_LIMIT = 8

/** Bodies that were read before their call left the queue. */
const early = new WeakMap<Request, Promise<string>>()

/** Waits for the body. `readBody` then reports its errors. */
export async function awaitBody({ req }: Context): Promise<void> {
  if (req.method === 'GET') return
  const text = readText(req.raw)
  early.set(req.raw, text)
  await text.catch(() => {})
}

/** Parses the request's body: ignores unknown fields and treats null as absent. Errors: 400, 413, 415. */
export async function readBody<S extends z.ZodObject>(
  context: Context,
  schema: S,
): Promise<z.output<S>> {
  const text = await (early.get(context.req.raw) ?? readText(context.req.raw))
  const body = parseJson(text)
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw badJson('the body must be an object')
  }
  const given = Object.entries(body).filter(([, value]) => value !== null)
  const result = schema.safeParse(Object.fromEntries(given))
  if (result.success) return result.data
  const issue = result.error.issues[0]
  throw badJson(`${issue?.path.join('.')}: ${issue?.message}`)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw badJson(text === '' ? 'the body is empty' : 'the body is not JSON')
  }
}

const badJson = (detail: string) =>
  new AuthError(400, 'bad_json', `Could not parse request body as JSON: ${detail}`)

/** Normalizes an email address for storage. Errors: 400 validation_failed (product 2.3.7). */
export function parseEmail(text: string | undefined): string {
  const email = text?.trim().toLowerCase()
  if (!email) throw invalid('An email address is required')
  if (email.length > EMAIL_LENGTH) throw invalid('An email address is too long')
  if (!EMAIL.test(email)) throw invalid('Unable to validate email address: invalid format')
  return email
}

/** More keys don't fit in those bytes, and merging ten thousand would cost each call about 60 ms. */
const METADATA_KEYS_LIMIT = 700

export const metadataSchema = z
  .unknown()
  .refine((data) => Object.keys(data ?? {}).length <= METADATA_KEYS_LIMIT, 'has too many keys')
  .pipe(z.record(z.string(), z.unknown()))

const shortText = (name: string) =>
  z
    .string({ error: `${name} must be text` })
    .max(METADATA_TEXT_LIMIT, `${name} can have at most ${METADATA_TEXT_LIMIT} characters`)
    .nullish()

const knownMetadata = z.object({
  degree: shortText('degree'),
  university: shortText('university'),
  year_of_studies: z
    .number({
      error: `year_of_studies must be a number from ${FIRST_YEAR_OF_STUDIES} to ${LAST_YEAR_OF_STUDIES}`,
    })
    .int('year_of_studies must be a whole number')
    .min(FIRST_YEAR_OF_STUDIES, `year_of_studies must be at least ${FIRST_YEAR_OF_STUDIES}`)
    .max(LAST_YEAR_OF_STUDIES, `year_of_studies must be at most ${LAST_YEAR_OF_STUDIES}`)
    .nullish(),
})

/** Checks a person's metadata (product 2.3.1, 2.3.2, 2.3.4). Errors: 400 validation_failed. */
export function checkMetadata(metadata: Record<string, unknown>): Record<string, unknown> {
  const result = knownMetadata.safeParse(metadata)
  if (!result.success) throw invalid(result.error.issues[0]?.message ?? 'data is not valid')
  // The depth is checked first, because serializing very deep JSON would exhaust the stack.
  if (!isShallow(metadata, METADATA_DEPTH_LIMIT)) throw invalid('data is nested too deeply')
  const json = JSON.stringify(metadata)
  if (Buffer.byteLength(json) > METADATA_LIMIT_BYTES) {
    throw invalid(`data can have at most ${METADATA_LIMIT_BYTES} bytes`)
  }
  if (!isStorableJson(metadata)) throw invalid('data has characters that cannot be stored')
  return metadata
}

function isShallow(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  return depth > 0 && Object.values(value).every((inner) => isShallow(inner, depth - 1))
}
