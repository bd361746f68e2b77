import { randomUUID } from 'node:crypto'
import { beforeEach } from 'vitest'
import type { Role } from '../../../societies/kit/roles.ts'
import type { QuestionContent } from '../../../societies/questions/question-content.ts'
import { DAY, freshPulse, makeAssessment, makeCandidate, takeSeat } from '../assessment-rig.ts'
import { type Rig, signUp } from '../rig.ts'
import { makeMember, makeSociety } from '../society-rig.ts'

type Account = Awaited<ReturnType<typeof signUp>>

/** A question that is well written. */
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

/** A society at DAY with an owner, ana-…, and an assessment of four questions. */
export async function makeDesk(rig: Rig) {
  rig.clock.now = DAY
  await freshPulse(rig)
  const society = await makeSociety(rig)
  /** @param more `assessments`: otherwise for all */
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
      ...(body === undefined ? {} : { body }),
    })
  const list = async (by: Account = owner, of = code) =>
    (await call('GET', '', undefined, by, of)).body
  /** Saves a question, well written but for `more`. */
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

/** A new desk before each test. */
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

/** Somebody sits a test to its end, right on all its questions or on none. */
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
