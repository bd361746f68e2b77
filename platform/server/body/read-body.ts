import type { $ZodType } from 'zod/v4/core'
import { ApiError } from '../api-error.ts'
import { isStorableJson } from './storable.ts'

/** Maximum bytes of a request body (product 9.1.6). */
const BODY_LIMIT_BYTES = 100_000

export const unstorable = () =>
  new ApiError(400, 'bad_request', 'The request contains characters that cannot be stored.')

/** JSON escapes of characters that a text column can't store. Raw UTF-8 can't contain them. */
const ESCAPED_UNSTORABLE = /\\u(0000|d[89a-f])/i

/** Reads the body as JSON. Errors: those of readText and storableJson. */
export const readJson = async (request: Request) => storableJson(await readText(request))

/** Parses JSON that can be stored. Errors: 400 bad_json, 400 bad_request for NUL or a lone surrogate. */
export function storableJson(text: string): unknown {
  const value = parseJson(text)
  // The text is searched first, because walking every body would slow each call.
  if (ESCAPED_UNSTORABLE.test(text) && !isStorableJson(value)) throw unstorable()
  return value
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new ApiError(400, 'bad_json', 'The request is not valid JSON.')
  }
}

/** The only body type. JSON is UTF-8, whatever charset the header names. */
const JSON_TYPE = /^application\/json[ \t]*(;|$)/i

/**
 * Reads the body as text, up to the limit. It must be declared as JSON, because another site can send forms and plain
 * text. Errors: 413 body_too_large; 415 unsupported_media_type, except for an empty body.
 */
export async function readText(request: Request, limitBytes = BODY_LIMIT_BYTES): Promise<string> {
  const tooLarge = () => tooLargeFor(limitBytes)
  const length = request.headers.get('content-length')
  if (Number(length ?? 0) > limitBytes) throw tooLarge()
  // Node reads no more than the announced length. Reading the text directly avoids a stream, which would cost an eighth
  // of a small call.
  const text =
    length === null
      ? (await readChunks(request, limitBytes)).toString('utf8')
      : await request.text()
  if (text !== '' && !JSON_TYPE.test(request.headers.get('content-type') ?? '')) {
    throw new ApiError(
      415,
      'unsupported_media_type',
      'The request has to be JSON. Please send it with Content-Type: application/json.',
    )
  }
  return text
}

/** Counts the bytes of a body without a content-length as they arrive. */
async function readChunks(request: Request, limitBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of (request.body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength
    if (size > limitBytes) throw tooLargeFor(limitBytes)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const tooLargeFor = (limitBytes: number) =>
  new ApiError(413, 'body_too_large', `The request is larger than ${limitBytes} bytes.`)

/** Reads a file sent as the request's body. Errors: 413 body_too_large, 415 unsupported_media_type. */
export async function readFile(request: Request, limitBytes: number): Promise<Buffer> {
  if (Number(request.headers.get('content-length') ?? 0) > limitBytes) {
    throw tooLargeFor(limitBytes)
  }
  const bytes = await readChunks(request, limitBytes)
  const type = request.headers.get('content-type') ?? ''
  if (bytes.length > 0 && !/^application\/octet-stream[ \t]*(;|$)/i.test(type)) {
    throw new ApiError(
      415,
      'unsupported_media_type',
      'The request has to be a file. Please send it with Content-Type: application/octet-stream.',
    )
  }
  return bytes
}

/**
 * Rejects lists that are longer than their schema allows, and objects with more fields, before their items are checked.
 * Errors: 400 bad_request.
 */
export function requireLengths(schema: $ZodType, value: unknown): void {
  const { def } = schema._zod as {
    def: {
      element?: $ZodType
      innerType?: $ZodType
      shape?: Record<string, $ZodType>
      checks?: { _zod: { def: { check: string; maximum?: number } } }[]
    }
  }
  if (def.innerType) requireLengths(def.innerType, value)
  else if (def.element && Array.isArray(value)) {
    for (const { _zod: one } of def.checks ?? []) {
      if (one.def.check === 'max_length' && value.length > (one.def.maximum ?? 0)) throw tooLong()
    }
    for (const one of value) requireLengths(def.element, one)
  } else if (def.shape && typeof value === 'object' && value !== null) {
    const names = Object.keys(value)
    if (names.length > Object.keys(def.shape).length) throw tooLong()
    for (const name of names) {
      const field = def.shape[name]
      if (field) requireLengths(field, (value as Record<string, unknown>)[name])
    }
  }
}

const tooLong = () =>
  new ApiError(400, 'bad_request', 'The request has a list that is too long, or too many fields.')
