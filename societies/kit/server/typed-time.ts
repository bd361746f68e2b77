import { AdminError } from '../../../platform/server/admin-error.ts'
import { parseLocalTime } from './local-time.ts'
import { refuse } from './refuse.ts'

/** Converts a typed time to an instant. Worker threads import only local-time.ts. Errors: 400 bad_time. */
export function momentOf(text: string, timeZone: string): Date {
  try {
    return parseLocalTime(text, timeZone)
  } catch (error) {
    throw error instanceof AdminError ? refuse(400, 'bad_time', error.message) : error
  }
}
