import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  type App,
  authCall,
  claimsOf,
  codeOf,
  enroll,
  getUser,
  HOUR,
  MINUTE,
  NEW_SHAPE,
  PASSWORD,
  passTime,
  refresh,
  SECOND,
  sessionCount,
  setUpApp,
  signIn,
  verifyCode,
  watchLog,
} from '../../../tests/rig/auth-rig.ts'
import { signUp, useRig } from '../../../tests/rig/rig.ts'
import { makeChallenge } from './codes.ts'

const rig = useRig()
watchLog(rig)
beforeEach(() => passTime(rig, MINUTE))

const fresh = () => `f${randomUUID().slice(0, 8)}@example.com`
type Account = Awaited<ReturnType<typeof signUp>>

async function withApp(): Promise<{ account: Account; email: string; app: App }> {
  const email = fresh()
  const account = await signUp(rig, email)
  return { account, email, app: await setUpApp(rig, account.token) }
}
/** Signs in with only the password, one time step later. */
async function signInAgain(email: string): Promise<string> {
  passTime(rig, 30 * SECOND)
  return (await signIn(rig, email)).body.access_token
}
const unenroll = (token: string, factorId: string) =>
  authCall(rig, 'DELETE', `/factors/${factorId}`, undefined, { token })
const state = async (token: string) => (await rig.call('GET', '/api/second-factor', { token })).body
const prove = (token: string, body: object) => rig.call('POST', '/api/proof', { token, body })
const makeCodes = (token: string) => rig.call('POST', '/api/second-factor/codes', { token })
const recover = (token: string, code: string) =>
  rig.call('POST', '/api/second-factor/recover', { token, body: { code } })
const mailsTo = async (email: string) =>
  (
    await rig.db.$client.query<{ kind: string }>(
      'select kind from mails where recipient = $1 order by created_at',
      [email],
    )
  ).rows.map(({ kind }) => kind)

describe('setting up an authenticator app', () => {
  test('returns a secret, its address and a QR code, and is active after the first code', async () => {
    const email = fresh()
    const { token, userId } = await signUp(rig, email)
    const other = (await signIn(rig, email)).body.access_token
    const { body } = await authCall(rig, 'POST', '/factors', { factor_type: 'totp' }, { token })
    expect(body).toMatchObject({
      type: 'totp',
      totp: {
        secret: expect.stringMatching(/^[A-Z2-7]{32}$/),
        uri: expect.stringContaining(`otpauth://totp/Superday:${encodeURIComponent(email)}?`),
        qr_code: expect.stringMatching(/^<svg [^#]+<\/svg>$/),
      },
    })
    expect((await getUser(rig, token)).body.factors).toMatchObject([
      { id: body.id, status: 'unverified', factor_type: 'totp' },
    ])
    expect(await state(token)).toEqual({ since: null, codesLeft: 0, isShown: false })

    const { factorId, secret } = await enroll(rig, token)
    expect(await verifyCode(rig, token, body.id, '123456')).toMatchObject({ status: 404 })
    const answer = await verifyCode(rig, token, factorId, codeOf(rig, { secret }))
    expect(answer.body.user.factors).toMatchObject([{ id: factorId, status: 'verified' }])
    expect(claimsOf(answer.body.access_token)).toMatchObject({
      sub: userId,
      aal: 'aal2',
      amr: [{ method: 'totp' }, { method: 'password' }],
    })
    // Every other session has ended, including the one with only the password.
    for (const before of [token, other]) expect((await getUser(rig, before)).status).toBe(403)
    expect(await sessionCount(rig, userId)).toBe(1)
    expect(await mailsTo(email)).toEqual(['second_factor_on'])
    expect(await state(answer.body.access_token)).toEqual({
      since: rig.clock.now.toISOString(),
      codesLeft: 0,
      isShown: true,
    })
  })

  test('stores the secret encrypted and shows it once', async () => {
    const { token } = await signUp(rig, fresh())
    const { secret } = await enroll(rig, token)
    const { rows } = await rig.db.$client.query<{ sealed: Buffer }>(
      'select secret_encrypted as sealed from second_factors',
    )
    expect(rows.some(({ sealed }) => sealed.includes(secret))).toBe(false)
    expect(JSON.stringify((await getUser(rig, token)).body)).not.toMatch(/secret|otpauth/)
  })

  test('needs the password from the last five minutes', async () => {
    const { token } = await signUp(rig, fresh())
    passTime(rig, 5 * MINUTE - 1)
    await enroll(rig, token)
    passTime(rig, 1)
    const ask = () => authCall(rig, 'POST', '/factors', { factor_type: 'totp' }, { token })
    expect(await ask()).toMatchObject({ status: 403, body: { code: 'fresh_proof_required' } })
    expect((await prove(token, {})).body.code).toBe('password_required')
    expect((await prove(token, { password: 'wrong password' })).body.code).toBe('wrong_password')
    expect((await ask()).status).toBe(403)
    expect((await prove(token, { password: PASSWORD })).body).toEqual({
      provenAt: rig.clock.now.toISOString(),
    })
    expect((await ask()).status).toBe(200)
  })

  test('is limited to one app, and only TOTP', async () => {
    const { app } = await withApp()
    const ask = (type?: string) =>
      authCall(rig, 'POST', '/factors', { factor_type: type }, { token: app.token })
    expect((await ask('totp')).body.code).toBe('too_many_enrolled_mfa_factors')
    expect((await ask('phone')).body.code).toBe('mfa_phone_enroll_not_enabled')
    expect((await ask()).body.code).toBe('validation_failed')
  })

  test('must be completed within an hour', async () => {
    const { token } = await signUp(rig, fresh())
    const begun = await enroll(rig, token)
    passTime(rig, HOUR - 1)
    const late = await verifyCode(rig, token, begun.factorId, '000000')
    expect(late.body.code).toBe('mfa_verification_failed')
    passTime(rig, 1)
    const tooLate = await verifyCode(rig, token, begun.factorId, codeOf(rig, begun))
    expect(tooLate.body.code).toBe('mfa_factor_not_found')
  })
})

describe('a code from the app', () => {
  test.each([
    [-2, 422],
    [-1, 200],
    [0, 200],
    [1, 200],
    [2, 422],
  ])('that is %i steps off is answered %i', async (steps, status) => {
    const { email, app } = await withApp()
    const token = await signInAgain(email)
    passTime(rig, 5 * MINUTE)
    const code = codeOf(rig, app, steps)
    expect((await verifyCode(rig, token, app.factorId, code)).status).toBe(status)
  })

  test('may contain spaces and has six digits', async () => {
    const { email, app } = await withApp()
    const token = await signInAgain(email)
    const code = codeOf(rig, app)
    for (const wrong of ['', '12345', `${code}0`, 'abcdef']) {
      expect((await verifyCode(rig, token, app.factorId, wrong)).status).not.toBe(200)
    }
    const spaced = `${code.slice(0, 3)} ${code.slice(3)}`
    expect((await verifyCode(rig, token, app.factorId, spaced)).status).toBe(200)
  })

  test('needs a challenge of this session and factor from the last five minutes', async () => {
    const { email, app } = await withApp()
    const token = await signInAgain(email)
    const sessionId = claimsOf(token).session_id as string
    const { factorId } = app
    const { secretKey } = rig.dependencies
    const at = (now: Date, of = { sessionId, factorId }) =>
      makeChallenge({ secretKey, ...of }, now).id
    const answer = (challenge: string) =>
      authCall(
        rig,
        'POST',
        `/factors/${factorId}/verify`,
        { challenge_id: challenge, code: codeOf(rig, app) },
        { token },
      )
    const now = rig.clock.now
    for (const [challenge, code] of [
      [randomUUID(), 'mfa_factor_not_found'],
      [at(now, { sessionId: randomUUID(), factorId }), 'mfa_factor_not_found'],
      [at(now, { sessionId, factorId: randomUUID() }), 'mfa_factor_not_found'],
      [at(new Date(now.getTime() - 5 * MINUTE)), 'mfa_challenge_expired'],
    ] as const) {
      expect((await answer(challenge)).body.code).toBe(code)
    }
    expect((await answer(at(new Date(now.getTime() - 5 * MINUTE + SECOND)))).status).toBe(200)
  })

  test('is locked after ten wrong tries in 15 minutes; the response says for how long, and a mail reports it', async () => {
    const { email, app } = await withApp()
    const token = await signInAgain(email)
    for (let tries = 0; tries < 10; tries += 1) {
      const { body } = await verifyCode(rig, token, app.factorId, '000000')
      expect(body.code).toBe('mfa_verification_failed')
    }
    const held = await verifyCode(rig, token, app.factorId, codeOf(rig, app))
    expect(held).toMatchObject({
      status: 429,
      body: {
        code: 'over_request_rate_limit',
        message: 'Too many codes were entered. Please wait 15 minutes and try again.',
      },
    })
    expect(held.headers.get('Retry-After')).toBe('900')
    expect((await recover(token, 'aaaa-aaaa-aaaa-aaaa')).body.code).toBe('too_many_tries')
    expect(await mailsTo(email)).toEqual(['second_factor_on', 'second_factor_tries'])
    passTime(rig, 15 * MINUTE)
    expect((await verifyCode(rig, token, app.factorId, codeOf(rig, app))).status).toBe(200)
  })
})

describe('a session with both factors', () => {
  test('keeps both after a refresh and a new password', async () => {
    const { app } = await withApp()
    const renewed = (await refresh(rig, app.refreshToken)).body
    expect(claimsOf(renewed.access_token).aal).toBe('aal2')
    const change = { password: 'another horse battery', current_password: PASSWORD }
    const token = renewed.access_token
    const { body } = await authCall(rig, 'PUT', '/user', change, { token })
    expect(claimsOf(body.session.access_token)).toMatchObject({
      aal: 'aal2',
      amr: [{ method: 'password' }, { method: 'totp' }],
    })
  })

  test('is required to change password or address, to export and to delete when the account has an app', async () => {
    const { email, app } = await withApp()
    const token = await signInAgain(email)
    const put = (body: object, by = token) =>
      authCall(rig, 'PUT', '/user', { current_password: PASSWORD, ...body }, { token: by })
    for (const change of [{ password: 'another horse battery' }, { email: fresh() }]) {
      expect(await put(change)).toMatchObject({ status: 401, body: { code: 'insufficient_aal' } })
    }
    expect((await put({ data: { degree: 'Law' } })).status).toBe(200)
    const body = { password: PASSWORD }
    for (const [method, path] of [
      ['POST', '/api/profile/export'],
      ['DELETE', '/api/profile'],
    ] as const) {
      expect(await rig.call(method, path, { token, body })).toMatchObject({
        status: 403,
        body: { code: 'second_factor_required', factor: 'verified' },
      })
    }
    expect((await put({ email: fresh() }, app.token)).status).toBe(200)
    expect((await rig.call('DELETE', '/api/profile', { token: app.token, body })).status).toBe(200)
  })

  test('drops to one factor when the app is removed, whatever its old tokens claim', async () => {
    const { email, app } = await withApp()
    passTime(rig, 5 * MINUTE)
    const second = await verifyCode(rig, await signInAgain(email), app.factorId, codeOf(rig, app))
    const { access_token: other } = second.body
    expect((await unenroll(app.token, app.factorId)).body.code).toBe('fresh_proof_required')
    expect((await unenroll(await signInAgain(email), app.factorId)).body.code).toBe(
      'insufficient_aal',
    )
    expect((await prove(app.token, { code: codeOf(rig, app) })).status).toBe(200)
    expect((await unenroll(app.token, app.factorId)).body).toEqual({ id: app.factorId })
    for (const token of [app.token, other]) {
      expect(await state(token)).toEqual({ since: null, codesLeft: 0, isShown: false })
      expect((await getUser(rig, token)).body.factors).toBeUndefined()
    }
    expect(claimsOf((await refresh(rig, app.refreshToken)).body.access_token)).toMatchObject({
      aal: 'aal1',
      amr: [{ method: 'password' }],
    })
    expect((await mailsTo(email)).at(-1)).toBe('second_factor_off')
  })
})

describe('recovery codes', () => {
  test('are ten, shown once; each replaces the app once, in any spelling', async () => {
    const { email, app } = await withApp()
    const { codes } = (await makeCodes(app.token)).body
    expect(new Set(codes).size).toBe(10)
    for (const code of codes)
      expect(code).toMatch(/^([0-9a-hjkmnp-tv-z]{4}-){3}[0-9a-hjkmnp-tv-z]{4}$/)
    const { rows } = await rig.db.$client.query('select * from second_factor_codes')
    expect(JSON.stringify(rows)).not.toContain(codes[0])

    let token = await signInAgain(email)
    const typed = ` ${codes[0].toUpperCase().replaceAll('-', ' ').replaceAll('0', 'O')} `
    const { status, body } = await recover(token, typed)
    expect([status, body.codesLeft]).toEqual([200, 9])
    expect(claimsOf(body.session.access_token)).toMatchObject({
      aal: 'aal2',
      amr: [{ method: 'mfa/recovery_code' }, { method: 'password' }],
    })
    expect((await getUser(rig, token)).status).toBe(403)
    expect((await refresh(rig, body.session.refresh_token)).status).toBe(200)
    // The app still works as before.
    expect(await state(body.session.access_token)).toMatchObject({ codesLeft: 9, isShown: true })

    token = await signInAgain(email)
    expect((await recover(token, codes[0])).body).toMatchObject({ code: 'wrong_code' })
    expect((await recover(token, 'nnnn-nnnn-nnnn-nnnn')).body).toMatchObject({ code: 'wrong_code' })
    expect((await recover(token, codes[1])).body.codesLeft).toBe(8)
  })

  test('are void once new ones are made, which needs both factors and a recent code', async () => {
    const { email, app } = await withApp()
    const before = (await makeCodes(app.token)).body.codes
    passTime(rig, 5 * MINUTE)
    expect(await makeCodes(app.token)).toMatchObject({
      status: 403,
      body: { code: 'fresh_proof_required', by: 'code' },
    })
    expect((await makeCodes(await signInAgain(email))).body.code).toBe('second_factor_required')
    expect((await prove(app.token, { code: before[2] })).status).toBe(200)
    const after = (await makeCodes(app.token)).body.codes
    expect(await state(app.token)).toMatchObject({ codesLeft: 10 })
    const token = await signInAgain(email)
    expect((await recover(token, before[0])).status).toBe(422)
    expect((await recover(token, after[0])).status).toBe(200)
  })

  test('cannot be made for an account without an app', async () => {
    const { token } = await signUp(rig, fresh())
    expect((await makeCodes(token)).body.code).toBe('no_second_factor')
    expect((await recover(token, 'aaaa-aaaa-aaaa-aaaa')).body.code).toBe('no_second_factor')
  })
})

describe('re-authentication', () => {
  test('needs a code when there is an app; the password is not enough', async () => {
    const { email, app } = await withApp()
    expect((await prove(app.token, { password: PASSWORD })).body.code).toBe('code_required')
    passTime(rig, 30 * SECOND)
    const code = codeOf(rig, app)
    expect((await prove(app.token, { code })).status).toBe(200)
    expect((await prove(app.token, { code })).body).toMatchObject({
      code: 'wrong_code',
      message: 'This code was already used. Please wait for the next one in your app.',
    })
    const token = await signInAgain(email)
    expect((await prove(token, { code: codeOf(rig, app) })).body.code).toBe(
      'second_factor_required',
    )
  })

  test('is not available to a guest, who cannot set up an app either', async () => {
    const { token } = await signUp(rig)
    expect((await prove(token, { password: PASSWORD })).body.code).toBe('account_needed')
    const ask = rig.call('POST', '/auth/v1/factors', {
      ...{ token, body: { factor_type: 'totp' }, headers: NEW_SHAPE },
    })
    expect(await ask).toMatchObject({
      status: 403,
      body: {
        code: 'account_needed',
        message:
          'Guests have no password, so they cannot add a second factor. Create an account first.',
      },
    })
  })
})

test('a recovery sets the password without the app and unlocks nothing that the app protects', async () => {
  const { email, app } = await withApp()
  await rig.sql`update users set email_verified_at = ${rig.clock.now} where email = ${email}`
  await rig.db.$client.query(
    `update sessions set amr = '[{"method": "otp", "timestamp": 1}]', proven_at = null
     where user_id = (select id from users where email = $1)`,
    [email],
  )
  const { token } = app
  const put = (body: object) => authCall(rig, 'PUT', '/user', body, { token })
  expect((await put({ email: fresh(), current_password: PASSWORD })).status).toBe(401)
  const { status, body } = await put({ password: 'another horse battery' })
  expect([status, claimsOf(body.session.access_token).aal]).toEqual([200, 'aal1'])
  expect((await state(body.session.access_token)).since).not.toBeNull()
})
