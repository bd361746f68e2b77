import type { Context } from 'hono'
import type { CurrentUser } from '../../platform/server/current-user.ts'
import type { AppDependencies } from '../../platform/server/dependencies.ts'
import type { Candidate } from './credentials.ts'
import type { Origin, Room, Seat } from './room.ts'

/** What the calls on an attempt share. */
export interface AssessmentTools {
  dependencies: AppDependencies
  room: Room
  /** What a call shows of its attempt, unchecked. */
  seatOf(code: string, user: CurrentUser, context: Context): Seat
  /** Errors: 403 bad_candidate_token. */
  candidateOf(code: string, user: CurrentUser, context: Context): Promise<Candidate>
  windowOf(context: Context): string
  originOf(user: CurrentUser, context: Context): Origin
}
