import { replacePasswords } from '../../../assessments/server/candidate-store.ts'
import { hashCandidatePassword, makePassword } from '../../../assessments/server/password-store.ts'
import { slipTold } from '../../credential-letter.ts'
import { act, type Organiser } from '../action.ts'
import { requireAssessment } from '../assessments.ts'
import { requireSendable, stopMails } from './credentials.ts'

export interface Slip {
  username: string
  name: string | null
  room: string | null
  extraSeconds: number
  password: string
}

/**
 * New passwords on paper, readable this once; the old ones, and whoever is in by them, are out. Mails that wait
 * are stopped, because what they bring would end the slip's; who was shut out is admitted again (product 7.10.14).
 * Which time they tell is kept, since paper is not changed when the time is (product 7.10.20).
 * Errors: OrganiserRefusal where the assessment is a draft, deleted or over.
 */
export function makeSlips(
  organiser: Organiser,
  code: string,
  ids: readonly string[],
  { secretKey }: { secretKey: Buffer },
): Promise<Slip[]> {
  return act(organiser, 'slips', code, async (client) => {
    const { now } = organiser
    const assessment = await requireAssessment(client, code)
    requireSendable(assessment, now)
    const { rows } = await client.query<Omit<Slip, 'password'> & { id: string }>(
      `select id, username, name, room, extra_seconds as "extraSeconds" from candidates
       where assessment = $1 and id = any ($2::uuid[]) and not is_demo
       order by room nulls last, lower(coalesce(name, username)), username for no key update`,
      [code, ids],
    )
    await stopMails(
      client,
      code,
      rows.map(({ id }) => id),
      { now, reason: 'asked' },
    )
    const slips = rows.map(({ id, ...row }) => ({ id, slip: { ...row, password: makePassword() } }))
    await replacePasswords(
      client,
      slips.map(({ id, slip }) => ({
        candidateId: id,
        hash: hashCandidatePassword(secretKey, slip.password),
      })),
      now,
      { readmit: true },
    )
    await client.query(
      'update candidates set slip_made_at = $2, slip_told = $3 where id = any ($1::uuid[])',
      [rows.map(({ id }) => id), now, slipTold(assessment)],
    )
    const usernames = rows.map(({ username }) => username)
    return {
      result: slips.map(({ slip }) => slip),
      detail: { slips: slips.length, ...(usernames.length <= 20 ? { usernames } : {}) },
    }
  })
}
