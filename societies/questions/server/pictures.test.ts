import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { DAY, makeAssessment, makeCandidate, takeSeat } from '../../../tests/rig/assessment-rig.ts'
import { watchLog } from '../../../tests/rig/auth-rig.ts'
import { deleteAssessment } from '../../../tests/rig/organiser-rig.ts'
import { makePng, makeContent, makeDesk } from '../../../tests/rig/questions/questions-rig.ts'
import { signUp, useRig } from '../../../tests/rig/rig.ts'
import { makeMember, makeSociety } from '../../../tests/rig/society-rig.ts'

const rig = useRig()
watchLog(rig)

type Desk = Awaited<ReturnType<typeof makeDesk>>
let desk: Desk
const call: Desk['call'] = (...input) => desk.call(...input)
const list: Desk['list'] = (...input) => desk.list(...input)

beforeEach(async () => {
  desk = await makeDesk(rig)
})

const FILE = 'application/octet-stream'

describe("a question's image", () => {
  const upload = (bytes: Buffer, type = FILE) =>
    rig.app.request(
      `/api/societies/${desk.society.id}/assessments/${desk.code}/questions/pictures`,
      {
        method: 'POST',
        headers: { Authorization: `Bearer ${desk.owner.token}`, 'Content-Type': type },
        body: new Uint8Array(bytes),
      },
    )

  it('is recognized by its content, not by its declared type', async () => {
    const taken = await upload(makePng(320, 200))
    expect(taken.status).toBe(201)
    const { picture, ...size } = (await taken.json()) as { picture: string }
    expect(size).toEqual({ width: 320, height: 200 })
    const shown = await rig.app.request(
      `/api/societies/${desk.society.id}/assessments/${desk.code}/questions/pictures/${picture}`,
      { headers: { Authorization: `Bearer ${desk.owner.token}` } },
    )
    expect(shown.headers.get('content-type')).toBe('image/png')
    expect(shown.headers.get('x-content-type-options')).toBe('nosniff')
    expect(shown.headers.get('cache-control')).toBe('private, max-age=31536000, immutable')
    expect(Buffer.from(await shown.arrayBuffer())).toEqual(makePng(320, 200))
  })

  it.each([
    ['a page', Buffer.from('<script>alert(1)</script>'.padEnd(60)), FILE, 400, 'no_picture'],
    ['too wide', makePng(2_001, 1), FILE, 400, 'picture_too_large'],
    ['too large', makePng(10, 10, 500_000), FILE, 413, 'body_too_large'],
    ['a form', makePng(10, 10), 'text/plain', 415, 'unsupported_media_type'],
  ])('is refused: %s', async (_, bytes, type, status, refusal) => {
    const refused = await upload(bytes, type)
    expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([
      status,
      refusal,
    ])
  })

  it('is visible to candidates of a running test with its question, and to no one else', async () => {
    const { picture } = (await (await upload(makePng(320, 200))).json()) as { picture: string }
    const exhibit = { kind: 'picture' as const, picture, alt: 'A curve', width: 320, height: 200 }
    const [first, second] = (await list()).items
    await call('PUT', `/${first.questionId}/content`, {
      content: makeContent({ exhibit }),
      version: 1,
    })
    const table = { kind: 'table' as const, rows: [['a', 'b']] }
    const other = { content: makeContent({ question: 'And this?', exhibit: table }), version: 1 }
    await call('PUT', `/${second.questionId}/content`, other)
    const { username } = await makeCandidate(rig, desk.code)
    const seat = await takeSeat(rig, desk.code, username)
    const path = `/pictures/${picture}`
    expect((await seat.call('GET', path)).status).toBe(404)
    const { body } = await seat.start()
    expect(body.questions.map((one: { exhibit?: unknown }) => one.exhibit)).toEqual([
      ...[exhibit, table, undefined, undefined],
    ])
    expect(JSON.stringify(body)).not.toMatch(/answer"|explanation|correct|compute/)
    const shown = await seat.call('GET', path)
    expect(shown.status).toBe(200)
    expect(shown.headers.get('content-type')).toBe('image/png')
    expect((await seat.call('GET', `/pictures/${randomUUID()}`)).status).toBe(404)
    expect((await rig.call('GET', `/api/assessments/${desk.code}/attempt${path}`)).status).toBe(401)
    const { token } = await signUp(rig)
    expect(
      (await rig.call('GET', `/api/assessments/${desk.code}/attempt${path}`, { token })).status,
    ).toBe(403)
    const elsewhere = await makeAssessment(rig)
    const stranger = await takeSeat(
      rig,
      elsewhere.code,
      (await makeCandidate(rig, elsewhere.code)).username,
    )
    await stranger.start()
    expect((await stranger.call('GET', path)).status).toBe(404)
    const answers = body.questions.map(({ id }: { id: number }) => ({
      questionId: id,
      choice: 'A',
      revision: 1,
    }))
    expect((await seat.submit(answers)).status).toBe(200)
    expect((await seat.call('GET', path)).status).toBe(404)
  })

  it('cannot be used by another society, and is deleted with its last question', async () => {
    const { picture } = (await (await upload(makePng(20, 20))).json()) as { picture: string }
    const exhibit = { kind: 'picture' as const, picture, alt: 'A curve', width: 20, height: 20 }
    const theirs = await makeSociety(rig)
    await makeMember(rig, theirs.id, desk.owner.userId, 'owner')
    const elsewhere = await makeAssessment(rig, { societyId: theirs.id })
    const path = `/api/societies/${theirs.id}/assessments/${elsewhere.code}/questions`
    const body = { content: makeContent({ exhibit }), after: null }
    const refused = await rig.call('POST', path, { token: desk.owner.token, body })
    expect(refused.body.code).toBe('no_such_picture')
    await call('POST', '', body)
    const organiser = { db: rig.db, now: new Date(DAY.getTime() + 1), actor: 'tester' }
    const count = async () =>
      (await rig.db.$client.query('select from exhibit_pictures where id = $1', [picture])).rowCount
    await rig.db.$client.query('update assessments set closes_at = $1', [DAY])
    await deleteAssessment(organiser, elsewhere.code)
    expect(await count()).toBe(1)
    await deleteAssessment(organiser, desk.code)
    expect(await count()).toBe(0)
  })
})
