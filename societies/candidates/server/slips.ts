import { replacePasswords } from '../../../assessments/server/candidate-store.ts'
import { hashCandidatePassword, makePassword } from '../../../assessments/server/password-store.ts'
import type { ResponseOf } from '../../../platform/endpoint.ts'
import { requireAssessment } from '../../access/server/assessments.ts'
import type { MemberInTest } from '../../access/server/serve-members.ts'
import { act } from '../../kit/server/action.ts'
import type * as contract from '../contract.ts'
import { slipTold } from '../credential-letter.ts'
import { holdCandidates, requireSendable, stopMails } from './credentials.ts'

type Slips = ResponseOf<typeof contract.printSlips>

/**
 * New passwords on paper, readable this once; the old ones and their sessions end. Mails that wait are stopped,
 * because they would end the password on paper. Removed candidates are admitted again (product 7.10.14). The time
 * on the sheets is kept, since paper doesn't change when the time does (product 7.10.20).
 * Errors: 409 still_draft, is_over.
 */
export function printSlips(
  organiser: MemberInTest,
  ids: readonly string[],
  secretKey: Buffer,
): Promise<Slips> {
  const { code, now } = organiser
  return act(organiser, 'slips', code, async (client) => {
    const assessment = await requireAssessment(client, organiser)
    requireSendable(assessment, now)
    await holdCandidates(client, code, ids)
    const { rows } = await client.query<Omit<Slips['slips'][number], 'password'> & { id: string }>(
      `select id, username, name, room, extra_seconds as "extraSeconds" from candidates
       where assessment = $1 and id = any ($2::uuid[]) and not is_demo
       order by room nulls last, lower(coalesce(name, username)), username`,
      [code, ids],
    )
    const found = rows.map(({ id }) => id)
    await stopMails(client, code, found, { now, reason: 'asked' })
    const slips = rows.map(({ id: _, ...row }) => ({ ...row, password: makePassword() }))
    const hashes = slips.map(({ password }, at) => ({
      candidateId: found[at] as string,
      hash: hashCandidatePassword(secretKey, password),
    }))
    await replacePasswords(client, hashes, now, { readmit: true })
    await client.query(
      'update candidates set slip_made_at = $2, slip_told = $3 where id = any ($1::uuid[])',
      [found, now, slipTold(assessment)],
    )
    const usernames = rows.map(({ username }) => username)
    return {
      result: { slips },
      detail: { slips: slips.length, ...(usernames.length <= 20 && { usernames }) },
    }
  })
}
