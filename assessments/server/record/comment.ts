import { type Api, ApiError, type EnterTurn } from '../../../platform/server/api.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import { writeComment } from '../../contract.ts'

/** How long after the end a candidate may tell the society something. */
const COMMENT_MS = 48 * 3_600_000

/** Until when a comment may be written and changed (product 6.10.10). */
export const commentEnd = (submittedAt: Date) => new Date(submittedAt.getTime() + COMMENT_MS)

/**
 * PUT /api/attempts/:reference/comment: what the candidate tells the society, for the account from which it was
 * sat last. It belongs to the attempt, as the answers do.
 * Errors: 404 for an attempt that is not this user's, or not over; 409 comment_closed after 48 hours.
 */
export function serveComment(api: Api, { db, now }: AppDependencies, enterTurn: EnterTurn): void {
  api.serveInTurn(writeComment, enterTurn, async ({ user, params, body }) => {
    const { rows } = await db.$client.query<{ id: string; submittedAt: Date }>(
      `select a.id, a.submitted_at as "submittedAt"
       from attempts a join assessments s on s.code = a.assessment and s.deleted_at is null
       where a.user_id = $1 and left(a.id::text, 8) = $2 and a.submitted_at is not null
       order by a.started_at desc limit 1`,
      [user.id, params.reference],
    )
    const [attempt] = rows
    if (!attempt) throw new ApiError(404, 'not_found', 'There is no such attempt.')
    const at = now()
    if (at >= commentEnd(attempt.submittedAt)) {
      throw new ApiError(
        409,
        'comment_closed',
        'The 48 hours after the end are over, so nothing can be written any more.',
      )
    }
    const text = body.text.trim()
    await db.$client.query(
      text === ''
        ? 'delete from attempt_comments where attempt_id = $1'
        : `insert into attempt_comments (attempt_id, text, written_at) values ($1, $2, $3)
           on conflict (attempt_id) do update set text = excluded.text, written_at = excluded.written_at`,
      text === '' ? [attempt.id] : [attempt.id, text, at],
    )
    return { comment: text === '' ? null : text }
  })
}
