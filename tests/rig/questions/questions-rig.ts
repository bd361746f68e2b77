import { randomUUID } from 'node:crypto'
import { deflateSync } from 'node:zlib'
import { beforeEach } from 'vitest'
import type { Role } from '../../../societies/kit/roles.ts'
import type { QuestionContent } from '../../../societies/questions/question-content.ts'
import { DAY, freshPulse, makeAssessment, makeCandidate, takeSeat } from '../assessment-rig.ts'
import { type Rig, signUp } from '../rig.ts'
import { makeMember, makeSociety } from '../society-rig.ts'

type Account = Awaited<ReturnType<typeof signUp>>

export const makeContent = (more: Partial<QuestionContent> = {}): QuestionContent => ({
  question: 'What does a bond pay?',
  options: { A: 'A coupon', B: 'A dividend', C: 'A fee', D: 'A rent' },
  answer: 'A',
  explanation: null,
  topic: null,
  compute: null,
  exhibit: null,
  ...more,
})

/** The file of an assessment, with one question unless it has no items. */
export const yamlOf = (code: string, society = 'Club', hasItems = true) => `
code: ${code}
society: ${society}
session: null
durationSeconds: 900
shuffle: false
navigator: false
timeZone: Europe/Lisbon
rules: { timing: [], allowed: [], forbidden: [], contact: null }
${hasItems ? 'items: [{ id: 1, question: Own?, options: { A: a, B: b, C: c, D: d }, answer: A }]' : ''}
`

/** A society at DAY with an owner, ana-…, and an assessment of four questions. */
export async function makeDesk(rig: Rig) {
  rig.clock.now = DAY
  await freshPulse(rig)
  const society = await makeSociety(rig)
  /** @param more `assessments`: default: all */
  const member = async (name: string, role: Role, more: { assessment?: string } = {}) => {
    const account = await signUp(rig, `${name}-${randomUUID().slice(0, 8)}@example.com`)
    await makeMember(rig, society.id, account.userId, role, more)
    return account
  }
  const owner = await member('ana', 'owner')
  const { code } = await makeAssessment(rig, { societyId: society.id })
  const call = (method: string, rest: string, body?: unknown, by: Account = owner, of = code) =>
    rig.call(method, `/api/societies/${society.id}/assessments/${of}/questions${rest}`, {
      token: by.token,
      body,
    })
  const list = async (by: Account = owner, of = code) =>
    (await call('GET', '', undefined, by, of)).body
  /** Saves a question, valid except for `more`. */
  const save = (
    question: string,
    more: Partial<QuestionContent> = {},
    version = 1,
    by = owner,
    of = code,
  ) => call('PUT', `/${question}/content`, { content: makeContent(more), version }, by, of)
  const idsOf = async (of = code): Promise<string[]> =>
    (await list(owner, of)).items.map((one: { questionId: string }) => one.questionId)
  return { society, owner, code, member, call, list, save, idsOf }
}

type Desk = Awaited<ReturnType<typeof makeDesk>>

/** Creates a new desk before each test. */
export function useDesk(rig: Rig) {
  const now = { desk: {} as Desk }
  beforeEach(async () => {
    now.desk = await makeDesk(rig)
  })
  const call: Desk['call'] = (...input) => now.desk.call(...input)
  const list: Desk['list'] = (...input) => now.desk.list(...input)
  const save: Desk['save'] = (...input) => now.desk.save(...input)
  const idsOf: Desk['idsOf'] = (...input) => now.desk.idsOf(...input)
  return Object.assign(now, { call, list, save, idsOf })
}

/** Finishes a test as a new candidate, with all answers right or all wrong. */
export async function sitThrough(rig: Rig, of: string, isRight: boolean): Promise<void> {
  const { username } = await makeCandidate(rig, of)
  const seat = await takeSeat(rig, of, username)
  const { body } = await seat.start()
  const { rows } = await rig.db.$client.query(
    'select id, correct_option as key from assessment_items where assessment = $1',
    [of],
  )
  const key = new Map(rows.map((row) => [row.id, row.key]))
  const submitted = await seat.submit(
    body.questions.map(({ id }: { id: number }) => ({
      questionId: id,
      choice: isRight ? key.get(id) : key.get(id) === 'A' ? 'B' : 'A',
      revision: 1,
    })),
  )
  if (submitted.status !== 200) throw new Error(JSON.stringify(submitted.body))
}

/** A PNG of one color, which any browser can draw. @param fill bytes of noise at its end, to make it large */
export function makePng(width: number, height: number, fill = 0): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  // 8 bits, grayscale
  header.set([8, 0, 0, 0, 0], 8)
  const rows = Buffer.alloc((width + 1) * height, 0x99)
  for (let row = 0; row < height; row += 1) rows[row * (width + 1)] = 0
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    ...(fill > 0 ? [chunk('teSt', Buffer.alloc(fill, 7))] : []),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

function crc32(bytes: Buffer): number {
  let sum = 0xffffffff
  for (const byte of bytes) {
    sum ^= byte
    for (let bit = 0; bit < 8; bit += 1) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0)
  }
  return (sum ^ 0xffffffff) >>> 0
}
