import { beforeEach, expect, it } from 'vitest'
import { DAY, makeAssessment, PASSWORD, startedSeat } from '../../../tests/rig/assessment-rig.ts'
import { signUp, useRig } from '../../../tests/rig/rig.ts'
import { replacePasswords } from '../candidate-store.ts'
import { hashCandidatePassword } from '../password-store.ts'

const rig = useRig()
beforeEach(() => {
  rig.clock.now = DAY
})

const NEW_PASSWORD = 'wxyz-wxyz-wxyzw'

it('a new password ends the old one and its tokens, keeps the answers, and gives only its holder the reason', async () => {
  const { seat, code, candidate, items } = await startedSeat(rig)
  await seat.save([{ questionId: items[0]?.id ?? 0, choice: 'A', revision: 1 }])
  const hash = hashCandidatePassword(rig.dependencies.secretKey, NEW_PASSWORD)
  const given = [{ candidateId: candidate.id, hash }]
  await replacePasswords(rig.db.$client, given, rig.clock.now, { readmit: true })
  expect((await seat.status()).body).toEqual({
    code: 'bad_candidate_token',
    reason: 'password_changed',
    message:
      'The society has given you a new password. Please go back to the recruitment page and sign in with it.',
  })
  const stranger = await signUp(rig)
  const headers = { 'X-Candidate-Token': seat.candidateToken, 'X-Window-Id': seat.windowId }
  for (const route of [code, (await makeAssessment(rig)).code]) {
    const token = route === code ? stranger.token : seat.token
    const answer = await rig.call('GET', `/api/assessments/${route}/attempt`, { token, headers })
    expect(answer.body).toEqual({
      code: 'bad_candidate_token',
      message: 'Please login through the recruitment page first.',
    })
  }
  const verify = (password: string) =>
    rig.call('POST', `/api/assessments/${code}/verify`, {
      token: seat.token,
      body: { username: candidate.username, password },
    })
  expect((await verify(PASSWORD)).status).toBe(401)
  expect((await verify(NEW_PASSWORD)).body.status).toBe('in_progress')
  // A removed candidate could not use a new password, so the error doesn't mention one.
  await rig.db.$client.query('update candidates set revoked_at = $2 where id = $1', [
    candidate.id,
    rig.clock.now,
  ])
  expect((await seat.status()).body.reason).toBeUndefined()
})
