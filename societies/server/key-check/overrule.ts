import { ApiError } from '../../../platform/server/api.ts'
import { act, type Organiser } from '../action.ts'
import type { OfSociety } from '../exchange/changeable.ts'
import { readKeyVerdicts, refuseInSitting } from './comparison.ts'

type Member = Organiser & { userId: string }

export interface OverruleInput {
  /** made by the page: the same press twice rules once */
  id: string
  itemId: number
  version: number
  /** how many answers the owner has seen */
  of: number
  /** why the key stands */
  reason: string
}

/**
 * An owner says that a key stands although somebody chose otherwise without seeing it (product 7.9.48). It
 * overrules the answers that are there; who chooses otherwise afterwards disputes the key anew.
 * Errors: ApiError 404 no_such_question, 409 sitting_goes_on, stale (the question or its answers are others than
 * the owner saw), not_disputed.
 */
export function overruleKeyCheck(
  organiser: Member,
  { code }: OfSociety,
  { id, itemId, version, of, reason }: OverruleInput,
): Promise<void> {
  const { userId, now } = organiser
  return act(organiser, 'overrule-key-check', code, async (client) => {
    await refuseInSitting(client, code, userId)
    const made = await client.query(
      `select from upheld_keys where id = $1 and item_id = $2 and user_id = $3`,
      [id, itemId, userId],
    )
    if (made.rowCount) return { result: undefined, detail: { repeated: true } }
    const found = (await readKeyVerdicts(client, [code])).find((one) => one.itemId === itemId)
    if (!found) {
      throw new ApiError(
        404,
        'no_such_question',
        'This question is not in the assessment any more.',
      )
    }
    if (found.version !== version || found.of !== of) {
      throw new ApiError(
        409,
        'stale',
        'The question was changed or answered since you looked. Look at it again before you decide.',
      )
    }
    if (found.state !== 'disputed') {
      throw new ApiError(409, 'not_disputed', 'Nobody disputes this key any more.')
    }
    const dissenting = found.choices.filter(({ choice }) => choice && choice !== found.key)
    await client.query(
      `insert into upheld_keys (id, item_id, item_version, sittings, reason, user_id, made_at)
       values ($1, $2, $3, $4, $5, $6, $7)`,
      [id, itemId, version, dissenting.map(({ sitting }) => sitting), reason, userId, now],
    )
    // Not the reason: reviewers read the log, and may have the check before them.
    return { result: undefined, detail: { question: found.position } }
  })
}

/**
 * Takes such a ruling back: the key is disputed again. A second press changes nothing.
 * Errors: ApiError 404 no_such_ruling, 409 sitting_goes_on.
 */
export function withdrawOverruling(
  organiser: Member,
  { code }: OfSociety,
  ruling: string,
): Promise<void> {
  const { userId, now } = organiser
  return act(organiser, 'withdraw-key-check-ruling', code, async (client) => {
    await refuseInSitting(client, code, userId)
    const { rows } = await client.query<{ question: number }>(
      `update upheld_keys r set withdrawn_at = coalesce(r.withdrawn_at, $3)
       from assessment_items i where r.id = $1 and i.id = r.item_id and i.assessment = $2
       returning i.position as question`,
      [ruling, code, now],
    )
    const [found] = rows
    if (!found) throw new ApiError(404, 'no_such_ruling', 'There is no such ruling any more.')
    return { result: undefined, detail: { question: found.question } }
  })
}
