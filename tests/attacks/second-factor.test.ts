import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { makeRecoveryToken } from '../../accounts/server/recovery/recovery.ts'
import {
  type App,
  answerChallenge,
  authCall,
  challengeFor,
  claimsOf,
  codeOf,
  enroll,
  getUser,
  MINUTE,
  NEW_SHAPE,
  passTime,
  refresh,
  SECOND,
  sessionCount,
  setUpApp,
  signIn,
  verifyCode,
  watchLog,
} from '../rig/auth-rig.ts'
import { signUp, useRig } from '../rig/rig.ts'
import { makeMember, makeSociety } from '../rig/society-rig.ts'
import { sized } from '../setup/size.ts'

// An attacker has an organizer's password, or a copy of the tokens, and wants what the second factor guards. The limits
// are in the rows, so they also apply with RATE_LIMITS=off, as here.
const rig = useRig({ secondFactorRequired: true })
watchLog(rig)
beforeEach(() => passTime(rig, MINUTE))

const fresh = () => `f${randomUUID().slice(0, 8)}@example.com`

async function organizer(): Promise<{ email: string; userId: string; app: App; society: string }> {
  const email = fresh()
  const { token, userId } = await signUp(rig, email)
  const society = (await makeSociety(rig)).id
  await makeMember(rig, society, userId, 'owner')
  return { email, userId, society, app: await setUpApp(rig, token) }
}
/** Opens a session with only the password, after the last code has expired. */
async function passwordOf(email: string): Promise<string> {
  passTime(rig, 30 * SECOND)
  return (await signIn(rig, email)).body.access_token
}
const look = (society: string, token: string) =>
  rig.call('GET', `/api/societies/${society}/members`, { token })
const recover = (token: string, code: string) =>
  rig.call('POST', '/api/second-factor/recover', { token, body: { code } })
const prove = (token: string, code: string) =>
  rig.call('POST', '/api/proof', { token, body: { code } })

describe('a one-time code', () => {
  it('works once; it and the code before it are refused in every session', async () => {
    const { email, app } = await organizer()
    const [one, two] = [await passwordOf(email), await passwordOf(email)]
    const before = codeOf(rig, app, -1)
    const code = codeOf(rig, app)
    expect((await verifyCode(rig, one, app.factorId, code)).status).toBe(200)
    for (const replayed of [code, before]) {
      const answer = await verifyCode(rig, two, app.factorId, replayed)
      expect(answer.body.code).toBe('mfa_verification_failed')
      expect((await recover(two, replayed)).body.code).toBe('wrong_code')
      expect((await prove(app.token, replayed)).body.code).toBe('wrong_code')
    }
    expect(claimsOf(two).aal).toBe('aal1')
  })

  it("works for its own account's app only; other accounts' apps are not found", async () => {
    const mine = await organizer()
    const theirs = await organizer()
    const token = await passwordOf(theirs.email)
    const answer = await verifyCode(rig, token, theirs.app.factorId, codeOf(rig, mine.app))
    expect(answer.body.code).toBe('mfa_verification_failed')
    for (const call of [
      verifyCode(rig, token, mine.app.factorId, codeOf(rig, mine.app)),
      authCall(
        rig,
        'POST',
        `/factors/${mine.app.factorId}/verify`,
        { challenge_id: randomUUID(), code: codeOf(rig, mine.app) },
        { token },
      ),
      authCall(rig, 'DELETE', `/factors/${mine.app.factorId}`, undefined, {
        token: theirs.app.token,
      }),
    ]) {
      expect((await call).body.code).toBe('mfa_factor_not_found')
    }
    expect((await look(mine.society, mine.app.token)).status).toBe(200)
  })

  it('used on two devices at the same time opens one session', async () => {
    const { email, userId, app } = await organizer()
    const tokens = [await passwordOf(email), await passwordOf(email)]
    const code = codeOf(rig, app)
    const answers = await Promise.all(
      tokens.map((token) => verifyCode(rig, token, app.factorId, code)),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422])
    // The session of the setup, the one that was raised, and the one that wasn't.
    expect(await sessionCount(rig, userId)).toBe(3)
  })

  it('used by two devices that set up the same app at the same time upgrades one session', async () => {
    const email = fresh()
    const { token, userId } = await signUp(rig, email)
    const other = (await signIn(rig, email)).body.access_token
    const begun = await enroll(rig, token)
    const code = codeOf(rig, begun)
    // Both get their challenge first, because the first verification ends the other session.
    const challenges = await Promise.all(
      [token, other].map((by) => challengeFor(rig, by, begun.factorId)),
    )
    const answers = await Promise.all(
      [token, other].map((by, index) =>
        answerChallenge(rig, by, begun.factorId, {
          ...{ challenge_id: challenges[index]?.body.id, code },
        }),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422])
    expect(await sessionCount(rig, userId)).toBe(1)
  })
})

describe('guessing a second factor', () => {
  const CALLERS = sized(50, 8)

  it('many times with many parallel callers gets ten tries in 15 minutes, for codes and recovery codes', async () => {
    const { email, userId, app } = await organizer()
    const token = await passwordOf(email)
    const right = [-1, 0, 1].map((steps) => codeOf(rig, app, steps))
    const challenge = await authCall(
      rig,
      'POST',
      `/factors/${app.factorId}/challenge`,
      {},
      { token },
    )
    const path = `/factors/${app.factorId}/verify`
    const answers = new Map<number, number>()
    const callers = Array.from({ length: CALLERS }, async (_, caller) => {
      for (let n = 0; n < 20; n += 1) {
        const digits = String(caller * 20 + n).padStart(6, '0')
        const code = right.includes(digits) ? '999999' : digits
        const { status } =
          n % 2 === 0
            ? await authCall(
                rig,
                'POST',
                path,
                { challenge_id: challenge.body.id, code },
                { token },
              )
            : await recover(token, `aaaa-aaaa-aaaa-${String(caller * 20 + n).padStart(4, '0')}`)
        answers.set(status, (answers.get(status) ?? 0) + 1)
      }
    })
    await Promise.all(callers)
    expect([...answers].sort()).toEqual([
      [422, 10],
      [429, CALLERS * 20 - 10],
    ])
    const { rows } = await rig.db.$client.query(
      'select tries from second_factors where user_id = $1',
      [userId],
    )
    expect(rows).toEqual([{ tries: 10 }])
    // Even the correct code is refused until the time is over.
    expect((await verifyCode(rig, token, app.factorId, codeOf(rig, app))).status).toBe(429)
    passTime(rig, 15 * MINUTE)
    expect((await verifyCode(rig, token, app.factorId, codeOf(rig, app))).status).toBe(200)
  }, 60_000)

  it('cannot use a recovery code twice, even at the same moment', async () => {
    const { email, app } = await organizer()
    const { codes } = (await rig.call('POST', '/api/second-factor/codes', { token: app.token }))
      .body
    const tokens = [await passwordOf(email), await passwordOf(email)]
    const answers = await Promise.all(tokens.map((token) => recover(token, codes[0])))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422])
    const again = await recover(await passwordOf(email), codes[0])
    expect(again).toMatchObject({
      status: 422,
      body: {
        code: 'wrong_code',
        message: 'This recovery code was already used. Please use another one.',
      },
    })
    expect((await recover((await organizer()).app.token, codes[1])).status).toBe(422)
  })
})

describe('an attacker with the password or with earlier tokens', () => {
  it('reaches no organizer call without the second factor', async () => {
    const { email, society, app } = await organizer()
    const token = await passwordOf(email)
    for (const by of [
      token,
      (await refresh(rig, (await signIn(rig, email)).body.refresh_token)).body.access_token,
    ]) {
      expect(await look(society, by)).toMatchObject({
        status: 403,
        body: { code: 'second_factor_required', factor: 'verified' },
      })
    }
    expect((await look(society, app.token)).status).toBe(200)
  })

  it('cannot add another app or replace the existing one', async () => {
    const { email, app } = await organizer()
    const token = await passwordOf(email)
    const again = await authCall(rig, 'POST', '/factors', { factor_type: 'totp' }, { token })
    expect(again.body.code).toBe('too_many_enrolled_mfa_factors')
    const gone = await authCall(rig, 'DELETE', `/factors/${app.factorId}`, undefined, { token })
    expect(gone.body.code).toBe('insufficient_aal')
    const codes = await rig.call('POST', '/api/second-factor/codes', { token })
    expect(codes.body.code).toBe('second_factor_required')
  })

  it('has dead tokens once their session has used the second factor', async () => {
    const { email, society, app } = await organizer()
    passTime(rig, 30 * SECOND)
    const copied = (await signIn(rig, email)).body
    const raised = await verifyCode(rig, copied.access_token, app.factorId, codeOf(rig, app))
    expect(raised.status).toBe(200)
    expect((await refresh(rig, copied.refresh_token)).body.code).toBe('refresh_token_not_found')
    expect((await look(society, copied.access_token)).status).toBe(401)
    expect((await getUser(rig, copied.access_token)).status).toBe(403)
  })

  it('has tokens with one factor only after the app is removed', async () => {
    const { society, app } = await organizer()
    const removed = await authCall(rig, 'DELETE', `/factors/${app.factorId}`, undefined, {
      token: app.token,
    })
    expect(removed.status).toBe(200)
    expect(claimsOf(app.token).aal).toBe('aal2')
    expect(await look(society, app.token)).toMatchObject({
      status: 403,
      body: { code: 'second_factor_required', factor: 'none' },
    })
  })

  it('cannot set up an app with a copied token unless the password was just entered', async () => {
    const { token } = await signUp(rig, fresh())
    passTime(rig, 5 * MINUTE)
    const answer = await authCall(rig, 'POST', '/factors', { factor_type: 'totp' }, { token })
    expect(answer).toMatchObject({ status: 403, body: { code: 'fresh_proof_required' } })
  })
})

it('an app that a stranger set up under an address is gone once its owner sets a password by mail', async () => {
  const { db, dependencies, clock } = rig
  for (const isVerified of [false, true]) {
    const email = fresh()
    const { token, userId } = await signUp(rig, email)
    await setUpApp(rig, token)
    if (isVerified) {
      await rig.sql`update users set email_verified_at = ${clock.now} where id = ${userId}`
    }
    const mail = await makeRecoveryToken(db, dependencies.secretKey, clock.now, userId)
    const recovery = { type: 'recovery', token_hash: mail.token }
    const opened = (await authCall(rig, 'POST', '/verify', recovery)).body.access_token
    await authCall(
      rig,
      'PUT',
      '/user',
      { password: 'the password of its owner' },
      { token: opened },
    )
    const { body } = await signIn(rig, email, 'the password of its owner')
    const { since } = (await rig.call('GET', '/api/second-factor', { token: body.access_token }))
      .body
    expect(since !== null).toBe(isVerified)
  }
})

it('a guest cannot set up a second factor', async () => {
  const { token } = await signUp(rig)
  const answer = await rig.call('POST', '/auth/v1/factors', {
    ...{ token, headers: NEW_SHAPE, body: { factor_type: 'totp' } },
  })
  expect(answer).toMatchObject({ status: 403, body: { code: 'account_needed' } })
})
