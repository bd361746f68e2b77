import { beforeAll, describe, expect, it } from 'vitest'
import { makeCandidate, takeSeat } from '../../../tests/rig/assessment-rig.ts'
import { auditOf } from '../../../tests/rig/organizer-rig.ts'
import { AFTER, answerLate, SIX_OF_EACH, satTest } from '../../../tests/rig/results-rig.ts'
import { signUp, useRig } from '../../../tests/rig/rig.ts'
import { proveAgain } from '../../../tests/rig/society-rig.ts'
import { createResultMail } from './result-mail.ts'

const rig = useRig()

let candidate: { token: string; userId: string }
beforeAll(async () => {
  rig.clock.now = AFTER
  candidate = await signUp(rig)
})

const ready = async (rights: readonly number[] = SIX_OF_EACH) => {
  const test = await satTest(rig, rights, { userIds: [candidate.userId] })
  const [mine] = test.sat
  const read = async (token = candidate.token) =>
    (await rig.call('GET', `/api/attempts/${mine?.reference}/result`, { token })).body
  return { ...test, mine, read, owner: await test.member('owner') }
}
const release = (more: object = {}) => ({ words: '', tellsLine: false, ...more })

describe('a release of results', () => {
  it('shows each candidate only their own score, its margin of error and the society’s message', async () => {
    const { code, owner, read, items } = await ready()
    expect(await read()).toEqual({ result: null })
    const answer = await owner('POST', '/release', release({ words: ' Thank you.\nAna ' }))
    expect([answer.status, answer.body.words]).toEqual([200, 'Thank you.\nAna'])
    expect(await read()).toEqual({
      result: {
        ...{ society: 'Test Society', right: 0, items: 4 },
        ...{ error: 1, line: null, words: 'Thank you.\nAna', corrected: 0, change: 0 },
      },
    })
    expect((await auditOf(rig, code)).at(-1)).toMatchObject({
      action: 'release-results',
      detail: { candidates: 30, tellsLine: false },
    })
    expect((await owner('POST', '/release', release())).body.code).toBe('already_released')
    // The result includes later key rulings.
    await rig.sql`insert into item_rulings (item_id, kind, reason, created_at)
      values (${items[0]?.id}, 'full_marks', 'r', ${AFTER})`
    expect((await read()).result).toMatchObject({ right: 1, corrected: 1 })
  })

  it('shows a locked cut score if the society wants it, can be withdrawn with a reason, and repeated', async () => {
    const { owner, read } = await ready()
    await owner('PUT', '/line', { version: 0, points: 2 })
    const told = release({ tellsLine: true, words: 'First' })
    expect((await owner('POST', '/release', told)).body.code).toBe('line_not_fixed')
    await owner('POST', '/line/fix', { version: 1 })
    expect((await owner('POST', '/release', told)).status).toBe(200)
    expect((await read()).result.line).toBe(2)
    expect((await owner('POST', '/release/withdraw', { reason: ' ' })).status).toBe(400)
    const back = await owner('POST', '/release/withdraw', { reason: 'A wrong key.' })
    expect([back.status, back.body.withdrawnAt]).toEqual([200, AFTER.toISOString()])
    expect(await read()).toEqual({ result: null })
    const again = await owner('POST', '/release/withdraw', { reason: 'Once more.' })
    expect([again.status, again.body.code]).toEqual([409, 'not_released'])
    expect((await owner('POST', '/release', release({ words: 'Second' }))).status).toBe(200)
    expect((await read()).result.words).toBe('Second')
  })

  it('is hidden while a candidate can start or is retaking the test', async () => {
    const { code, owner, sat, read } = await ready([1, 2])
    expect((await owner('POST', '/release', release())).status).toBe(200)
    const shown = await read()
    expect(shown.result.items).toBe(4)
    const moved = async (closesAt: Date | null) => {
      await rig.sql`update assessments set closes_at = ${closesAt} where code = ${code}`
      return read()
    }
    expect(await moved(new Date(AFTER.getTime() + 60_000))).toEqual({ result: null })
    // Without a start deadline, results stay hidden until all candidates have started.
    expect(await moved(null)).toEqual(shown)
    await makeCandidate(rig, code)
    expect(await read()).toEqual({ result: null })
    expect(await moved(AFTER)).toEqual(shown)
    await rig.sql`update attempts set submitted_at = null, submit_reason = null, closed_by_submit = false
      where id = ${sat[1]?.attemptId}`
    expect(await read()).toEqual({ result: null })
  })

  it('is readable only by its candidate', async () => {
    const { code, owner, member, read } = await ready([1, 2])
    expect((await (await member('reviewer'))('POST', '/release', release())).status).toBe(404)
    // Reading needs re-authentication in the last five minutes.
    rig.clock.now = new Date(rig.clock.now.getTime() + 6 * 60_000)
    const old = await owner('POST', '/release', release())
    expect([old.status, old.body.code]).toEqual([403, 'fresh_proof_required'])
    await proveAgain(rig)
    expect((await owner('POST', '/release', release())).status).toBe(200)
    const other = await signUp(rig)
    expect(await read(other.token)).toEqual({ result: null })
    expect((await read()).result.items).toBe(4)
    // The attempt of a deleted account has no owner.
    await rig.sql`update attempts set user_id = null where assessment = ${code}`
    expect(await read()).toEqual({ result: null })
  })

  it('adds nothing to the candidate’s earlier responses or to those of the next test', async () => {
    const { code, owner, mine, read } = await ready([1, 2])
    const seat = await takeSeat(rig, code, mine?.username ?? '', candidate)
    const answers = async () => {
      const { token } = candidate
      const record = await rig.call('GET', `/api/attempts/${mine?.reference}/record`, { token })
      return [(await seat.status()).body, record.body, (await seat.start()).body]
    }
    const before = await answers()
    expect(before[0].status).toBe('submitted')
    expect(JSON.stringify(before)).not.toMatch(/correct|right|score|result|released/)
    expect(await read()).toEqual({ result: null })
    await owner('POST', '/release', release())
    expect(await answers()).toEqual(before)
    expect((await read()).result.items).toBe(4)
  })

  it('is refused while decisions are open, unless a reason is given, but not for late answers that may count', async () => {
    const { code, owner, sat, items } = await ready()
    await answerLate(rig, sat[3] as (typeof sat)[0], items[3]?.id ?? 0)
    const obstacles = async () => (await owner('GET')).body.obstacles
    const open = { keys: [], incidents: 0, lateAnswers: 1, lateCandidates: 1 }
    expect(await obstacles()).toEqual(open)
    const refused = await owner('POST', '/release', release())
    expect([refused.status, refused.body.code]).toEqual([409, 'release_hindered'])
    expect(refused.body.message).toBe(
      '1 candidate sent answers after the end: 1 answer could count and is undecided. Settle this first, or give a reason to release the results anyway.',
    )
    const reason = 'It changes nothing for anybody.'
    expect((await owner('POST', '/release', release({ reason }))).status).toBe(200)
    expect((await auditOf(rig, code)).at(-1)?.detail).toMatchObject({
      ...{ reason, obstacles: { keys: [], incidents: 0, lateAnswers: 1 } },
    })
    await owner('POST', '/release/withdraw', { reason: 'A wrong key.' })
    await rig.sql`delete from service_outages`
    expect(await obstacles()).toEqual({ ...open, lateAnswers: 0 })
    expect((await owner('POST', '/release', release())).status).toBe(200)
  })

  it('prevents any later start, even if an owner moves the start deadline', async () => {
    const { code, owner } = await ready([1, 2])
    const late = await makeCandidate(rig, code)
    expect((await owner('POST', '/release', release())).status).toBe(200)
    await rig.sql`update assessments set closes_at = null where code = ${code}`
    const seat = await takeSeat(rig, code, late.username)
    expect((await seat.start()).body).toMatchObject({ code: 'closed' })
    expect((await owner('POST', '/release/withdraw', { reason: 'Too early.' })).status).toBe(200)
    expect((await seat.start()).status).toBe(200)
  })

  it('is read with username and password in a new guest session, until the candidate is removed', async () => {
    const { code, owner, mine, read } = await ready([1, 2])
    await rig.sql`update attempts set user_id = null where assessment = ${code}`
    await owner('POST', '/release', release())
    rig.clock.now = new Date(AFTER.getTime() + 20 * 24 * 3_600_000)
    const guest = await signUp(rig)
    expect(await read(guest.token)).toEqual({ result: null })
    const listed = (await rig.call('GET', '/api/assessments', { token: guest.token })).body
    const isListed = (one: { code: string }) => one.code === code
    expect(listed.find(isListed)).toMatchObject({ isReleased: true })
    const seat = await takeSeat(rig, code, mine?.username ?? '', guest)
    expect((await seat.status()).body).toMatchObject({ status: 'submitted' })
    expect((await read(guest.token)).result.items).toBe(4)
    await rig.sql`update candidates set revoked_at = now() where id = ${mine?.id}`
    expect(await read(guest.token)).toEqual({ result: null })
    rig.clock.now = AFTER
  })

  it('says who can read it, and emails each candidate with an address, without the score', async () => {
    const { owner, code, sat } = await ready([1, 2, 3])
    const { userId } = await signUp(rig, 'reader@example.com')
    await rig.sql`update attempts set user_id = ${userId} where id = ${sat[0]?.attemptId}`
    await rig.sql`update candidates set email = null where id = ${sat[1]?.id}`
    await rig.sql`update candidates set revoked_at = now() where id = ${sat[2]?.id}`
    const { readers } = (await owner('GET')).body
    expect(readers).toEqual({ guests: 1, accounts: 1, none: 1, withEmail: 1 })
    const released = await owner('POST', '/release', release({ sendsEmails: true }))
    expect(released.body.emails).toBe(1)
    const [mail] = await rig.sql`select * from mails where about = ${sat[0]?.id}`
    const kind = createResultMail(rig.dependencies).candidate_result
    const letter = await kind.write(mail as never)
    expect(letter).toMatchObject({ subject: 'Your Test Society, Morning test result' })
    expect(letter?.text).toContain('sat.0')
    expect(letter?.text).not.toMatch(/\b1 of 4\b/)
    expect((await auditOf(rig, code)).at(-1)?.detail).toMatchObject({ emails: 1 })
    await owner('POST', '/release/withdraw', { reason: 'A wrong key.' })
    expect(await kind.write(mail as never)).toBe(null)
    const sent = [1]
    for (let time = 0; time < 11; time += 1) {
      sent.push((await owner('POST', '/release', release({ sendsEmails: true }))).body.emails)
      await owner('POST', '/release/withdraw', { reason: 'Once more.' })
    }
    expect(sent).toEqual([...Array(10).fill(1), 0, 0])
  })
})
