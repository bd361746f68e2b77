import { AdminError } from '../../../platform/server/admin-error.ts'
import { parseLocalTime } from './local-time.ts'
import { refuse } from './refuse.ts'

/**
 * Converts a time that a member typed to an instant. It's separate from local-time.ts, which worker threads import too.
 * Errors: 400 bad_time.
 */
export function momentOf(text: string, timeZone: string): Date {
  try {
    return parseLocalTime(text, timeZone)
  } catch (error) {
    throw error instanceof AdminError ? refuse(400, 'bad_time', error.message) : error
  }
}
