import type { AssessmentState } from '../kit/assessment-state.ts'
import { mayWith, type Role } from '../kit/roles.ts'

/** A role of a member, and for which assessment: null is all. */
interface ReachingRole {
  role: Role
  assessment: string | null
}

/**
 * Whether a member reads the keys of an assessment: now as its writers do, when nobody can sit it any more
 * ('closed' where that has come, else 'later'), or never (product 7.7.4). The server decides; pages ask for
 * nothing that it would refuse.
 */
export function keyReadingOf(
  roles: readonly ReachingRole[],
  code: string,
  state: AssessmentState,
): 'all' | 'closed' | 'later' | 'never' {
  const reaching = roles.filter(({ assessment }) => assessment === null || assessment === code)
  const extent = mayWith(
    reaching.map(({ role }) => role),
    'read_keys',
  )
  if (extent === 'all') return 'all'
  if (extent.length === 0) return 'never'
  return state === 'closed' ? 'closed' : 'later'
}
