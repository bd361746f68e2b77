import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import {
  DAY,
  makeAssessment,
  makeCandidate,
  startedSeat,
  takeSeat,
} from '../../../tests/rig/assessment-rig.ts'
import { watchLog } from '../../../tests/rig/auth-rig.ts'
import { deleteAssessment } from '../../../tests/rig/organizer-rig.ts'
import { makeContent, makePng, useDesk } from '../../../tests/rig/questions/questions-rig.ts'
import { signUp, useRig } from '../../../tests/rig/rig.ts'
import { makeMember, makeSociety } from '../../../tests/rig/society-rig.ts'
import { readPictureFile } from './pictures.ts'

const rig = useRig()
watchLog(rig)

const at = useDesk(rig)
const { call, save, idsOf } = at

const FILE = 'application/octet-stream'

describe("a question's image", () => {
  type Init = { method?: string; headers?: Record<string, string>; body?: BodyInit }
  const ask = (rest: string, { headers = {}, ...init }: Init = {}) => {
    const { society, code, owner } = at.desk
    const path = `/api/societies/${society.id}/assessments/${code}/questions/pictures${rest}`
    const all = { Authorization: `Bearer ${owner.token}`, ...headers }
    return rig.app.request(path, { ...init, headers: all })
  }
  const upload = (bytes: Buffer, type = FILE) =>
    ask('', { method: 'POST', headers: { 'Content-Type': type }, body: new Uint8Array(bytes) })

  it('is recognized by its content, not by its declared type', async () => {
    const taken = await upload(makePng(320, 200))
    expect(taken.status).toBe(201)
    const { picture, ...size } = (await taken.json()) as { picture: string }
    expect(size).toEqual({ width: 320, height: 200 })
    const shown = await ask(`/${picture}`)
    expect(shown.headers.get('content-type')).toBe('image/png')
    expect(shown.headers.get('x-content-type-options')).toBe('nosniff')
    expect(shown.headers.get('cache-control')).toBe('no-store')
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
    const [first = '', second = ''] = await idsOf()
    await save(first, { exhibit })
    const table = { kind: 'table' as const, rows: [['a', 'b']] }
    await save(second, { question: 'And this?', exhibit: table })
    const { username } = await makeCandidate(rig, at.desk.code)
    const seat = await takeSeat(rig, at.desk.code, username)
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
    const attempt = `/api/assessments/${at.desk.code}/attempt${path}`
    expect((await rig.call('GET', attempt)).status).toBe(401)
    const { token } = await signUp(rig)
    expect((await rig.call('GET', attempt, { token })).status).toBe(403)
    const elsewhere = await startedSeat(rig)
    expect((await elsewhere.seat.call('GET', path)).status).toBe(404)
    const ids: number[] = body.questions.map(({ id }: { id: number }) => id)
    const answers = ids.map((questionId) => ({ questionId, choice: 'A', revision: 1 }))
    expect((await seat.submit(answers)).status).toBe(200)
    expect((await seat.call('GET', path)).status).toBe(404)
  })

  it('is visible only through its own test, even if another test of the society is over', async () => {
    const { society, code, owner } = at.desk
    const { picture } = (await (await upload(makePng(24, 20))).json()) as { picture: string }
    const closed = await makeAssessment(rig, {
      societyId: society.id,
      closesAt: new Date(DAY.getTime() - 1),
    })
    const reviewer = await at.desk.member('rui', 'reviewer')
    const read = async (test: string, { token }: { token: string }) => {
      const path = `/api/societies/${society.id}/assessments/${test}/questions/pictures/${picture}`
      const { status, body } = await rig.call('GET', path, { token })
      return body.code ?? status
    }
    // No question shows it yet.
    expect([await read(code, owner), await read(closed.code, reviewer)]).toEqual([
      200,
      'no_picture',
    ])
    const [first = ''] = await idsOf()
    const exhibit = { kind: 'picture' as const, picture, alt: 'A curve', width: 24, height: 20 }
    await save(first, { exhibit })
    expect([await read(code, owner), await read(closed.code, owner)]).toEqual([200, 'no_picture'])
    expect([await read(code, reviewer), await read(closed.code, reviewer)]).toEqual([
      'not_closed',
      'no_picture',
    ])
    const log = await rig.call('GET', `/api/societies/${society.id}/log`, reviewer)
    expect(JSON.stringify(log.body)).not.toContain(picture)
  })

  it('cannot be used by another society, and is deleted with its last question', async () => {
    const { picture } = (await (await upload(makePng(20, 20))).json()) as { picture: string }
    const exhibit = { kind: 'picture' as const, picture, alt: 'A curve', width: 20, height: 20 }
    const theirs = await makeSociety(rig)
    await makeMember(rig, theirs.id, at.desk.owner.userId, 'owner')
    const elsewhere = await makeAssessment(rig, { societyId: theirs.id })
    const path = `/api/societies/${theirs.id}/assessments/${elsewhere.code}/questions`
    const body = { content: makeContent({ exhibit }), after: null }
    const refused = await rig.call('POST', path, { token: at.desk.owner.token, body })
    expect(refused.body.code).toBe('no_such_picture')
    await call('POST', '', body)
    const organizer = { db: rig.db, now: new Date(DAY.getTime() + 1), actor: 'tester' }
    const count = async () =>
      (await rig.sql`select from exhibit_pictures where id = ${picture}`).length
    await rig.sql`update assessments set closes_at = ${DAY}`
    await deleteAssessment(organizer, elsewhere.code)
    expect(await count()).toBe(1)
    await deleteAssessment(organizer, at.desk.code)
    expect(await count()).toBe(0)
  })
})

const bytes = (hex: string) =>
  Buffer.concat([Buffer.from(hex.replace(/\s/g, ''), 'hex'), Buffer.alloc(40)])
const JPEG = 'ffd8 ffe0 0004 0000 ffc0 0011 08 0258 0320 03'

describe('an image file', () => {
  const WEBP = '52494646 20000000 57454250'
  it.each<[name: string, file: Buffer, type: string, width: number, height: number]>([
    ['a PNG', makePng(320, 200), 'png', 320, 200],
    ['a JPEG', bytes(JPEG), 'jpeg', 800, 600],
    ['a JPEG with filling between', bytes(JPEG.replace('ffc0', 'ffffffc2')), 'jpeg', 800, 600],
    ['a WebP', bytes(`${WEBP} 56503820 10000000 000000 9d012a 2003 5802`), 'webp', 800, 600],
    ['a WebP without loss', bytes(`${WEBP} 5650384c 10000000 2f 1fc39500`), 'webp', 800, 600],
    [
      'a WebP with more',
      bytes(`${WEBP} 56503858 0a000000 00000000 1f0300 570200`),
      'webp',
      800,
      600,
    ],
  ])('is accepted and measured: %s', (_, file, type, width, height) =>
    expect(readPictureFile(file)).toEqual({ type: `image/${type}`, width, height }),
  )

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['a page', Buffer.from('<!doctype html><script>alert(1)</script>'.padEnd(80))],
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"></svg>'.padEnd(80))],
    ['a GIF', Buffer.from('GIF89a'.padEnd(80))],
    ['a PDF', Buffer.from('%PDF-1.7'.padEnd(80))],
    ['the name of a PNG alone', bytes('89504e470d0a1a0a')],
    ['a JPEG that ends', Buffer.from('ffd8ffe00004', 'hex')],
    ['a JPEG without a frame', bytes('ffd8 ffda 0004')],
    ['a JPEG whose segment has no length', bytes('ffd8 ffe0 0000'.repeat(3))],
    ['a PNG of no size', makePng(0, 5)],
  ])('is refused: %s', (_, file) => expect(readPictureFile(file)).toBeNull())
})
