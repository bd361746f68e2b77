import * as z from 'zod/mini'
import { inSociety, organizerMay } from '../kit/contract.ts'

export const LOG_PAGE = 100

const filters = {
  /** a test's code; left out: the whole society */
  assessment: z.optional(z.string().check(z.maxLength(60))),
  actor: z.optional(z.string().check(z.maxLength(200))),
  action: z.optional(z.string().check(z.maxLength(60))),
}

const entry = z.strictObject({
  id: z.int(),
  at: z.iso.datetime(),
  by: z.string(),
  isYou: z.boolean(),
  via: z.enum(['console', 'command']),
  assessment: z.nullable(z.string()),
  action: z.string(),
  /** the text after the actor's name: 'changed the window' */
  what: z.string(),
  reason: z.nullable(z.string()),
  /** other details in their logged order; before: null if it is hidden */
  facts: z.array(
    z.strictObject({ name: z.string(), before: z.nullable(z.string()), after: z.string() }),
  ),
  /** up to five incidents and candidates of the entry, by number because names may be hidden */
  about: z.array(
    z.strictObject({
      /** null if the entry has the name, because the number must not appear next to it */
      candidate: z.nullable(z.uuid()),
      number: z.nullable(z.int()),
      /** null: the whole candidate */
      incident: z.nullable(
        z.strictObject({
          /** hidden name; null if the entry has the candidate's name */
          name: z.nullable(z.string()),
          /** what happened: 'Away for 14 s' */
          lead: z.string(),
          at: z.iso.datetime(),
          strike: z.nullable(z.int()),
        }),
      ),
    }),
  ),
})

const READ = organizerMay('read_log', ['own_actions'], 'none')

export const readSocietyLog = inSociety('GET /log', READ, 'Entries, newest first', {
  query: z.strictObject({
    ...filters,
    /** an entry id; only older entries are returned */
    before: z.optional(z.string().check(z.regex(/^\d{1,9}$/))),
  }),
  response: z.strictObject({
    /** newest first */
    entries: z.array(entry),
    hasOlder: z.boolean(),
    /** false: the caller only sees their own entries */
    isAll: z.boolean(),
    /** how many entries match the filters */
    count: z.int(),
    assessments: z.array(z.string()),
    actors: z.array(z.string()),
    actions: z.array(z.string()),
  }),
})

/** Maximum entries in an export. Filters narrow it down. */
export const LOG_EXPORT = 10_000

const EXPORT = organizerMay('read_log', [], 'none')

export const exportSocietyLog = inSociety('POST /log/csv', EXPORT, 'Log as CSV', {
  body: z.strictObject(filters),
  response: z.strictObject({ csv: z.string() }),
})
