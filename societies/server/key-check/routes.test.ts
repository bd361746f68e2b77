/** @module-tag full */
import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { DAY, makeAssessment } from '../../../tests/rig/assessment-rig.ts'
import { watchLog } from '../../../tests/rig/auth-rig.ts'
import { signUp, useRig } from '../../../tests/rig/rig.ts'
import { makeMember, makeSociety } from '../../../tests/rig/society-rig.ts'
import type { Role } from '../../roles.ts'

const rig = useRig()
watchLog(rig)

type Account = Awaited<ReturnType<typeof signUp>>
let society: string
let code: string
/** keys are A and B */
let items: number[]
let owner: Account
let author: Account
let reviewer: Account

const member = async (role: Role, name: string): Promise<Account> => {
  const account = await signUp(rig, `${name}.${randomUUID().slice(0, 6)}@example.com`)
  await makeMember(rig, society, account.userId, role)
  return account
}

beforeEach(async () => {
  rig.clock.now = DAY
  society = (await makeSociety(rig)).id
  const made = await makeAssessment(rig, { societyId: society, itemCount: 2 })
  code = made.code
  items = made.items.map(({ id }) => id)
  owner = await member('owner', 'ana')
  author = await member('author', 'ben')
  reviewer = await member('reviewer', 'cem')
})

const pathOf = (rest = '') => `/api/societies/${society}/assessments/${code}/key-check${rest}`
const look = ({ token }: Account) => rig.call('GET', pathOf(), { token })
const start = ({ token }: Account) => rig.call('POST', pathOf(), { token })
const answer = (
  { token }: Account,
  sitting: string,
  index: number,
  choice: string | null,
  more: object = {},
) =>
  rig.call('PUT', pathOf(`/${sitting}/answers`), {
    token,
    body: { itemId: items[index], version: 1, choice, comment: '', ...more },
  })
const finish = ({ token }: Account, sitting: string) =>
  rig.call('POST', pathOf(`/${sitting}/finish`), { token })
const compare = ({ token }: Account) => rig.call('GET', pathOf('/comparison'), { token })

/** A whole sitting: 'AB' chooses A, then B; '-' leaves one out. */
async function sit(who: Account, choices: string) {
  const { body } = await start(who)
  for (const [index, choice] of [...choices].entries()) {
    if (choice !== '-') await answer(who, body.id, index, choice)
  }
  return finish(who, body.id)
}

const change = (index: number) =>
  rig.db.$client.query('update assessment_items set version = version + 1 where id = $1', [
    items[index],
  ])

describe('a sitting', () => {
  it('shows the questions without their keys, is stopped and gone on with, and tells no key', async () => {
    const { body: begun } = await start(reviewer)
    // Not begun twice.
    expect((await start(reviewer)).body).toEqual(begun)
    const answered = await answer(reviewer, begun.id, 1, 'C', { comment: ' Why not B? ' })
    await answer(reviewer, begun.id, 0, 'D')
    const again = await answer(reviewer, begun.id, 0, null)
    const { body } = await look(reviewer)
    expect(body).toMatchObject({ questionCount: 2, leftForYou: 2 })
    expect(body.sitting).toEqual({
      id: begun.id,
      startedAt: DAY.toISOString(),
      questions: [1, 2].map((number) => ({
        itemId: items[number - 1],
        version: 1,
        position: number,
        question: `Stem ${number} of ${code}?`,
        options: {
          ...{ A: `alpha ${number}`, B: `beta ${number}` },
          ...{ C: `gamma ${number}`, D: `delta ${number}` },
        },
        choice: number === 2 ? 'C' : null,
        comment: number === 2 ? 'Why not B?' : '',
      })),
    })
    const finished = await finish(reviewer, begun.id)
    expect(finished.body).toEqual({ checked: 1 })
    const after = await look(reviewer)
    expect(after.body).toMatchObject({ sitting: null, leftForYou: 1 })
    const all = JSON.stringify([begun, answered.body, again.body, body, finished.body, after.body])
    expect(all).not.toMatch(/key|correct|"answer"/i)
    // Before the close a reviewer reads no keys.
    expect((await compare(reviewer)).status).toBe(404)
  })

  it('is one’s own, and over once it is finished', async () => {
    const { body } = await start(author)
    expect((await answer(owner, body.id, 0, 'A')).body.code).toBe('no_such_sitting')
    expect((await finish(owner, body.id)).body.code).toBe('no_such_sitting')
    await finish(author, body.id)
    expect((await answer(author, body.id, 0, 'A')).body.code).toBe('no_such_sitting')
    expect((await finish(author, body.id)).body).toEqual({ checked: 0 })
  })

  it('keeps the keys from who sits it, until it is finished', async () => {
    const { body } = await start(author)
    const refused = await compare(author)
    expect([refused.status, refused.body.code]).toEqual([409, 'sitting_goes_on'])
    expect((await compare(owner)).status).toBe(200)
    await finish(author, body.id)
    expect((await compare(author)).status).toBe(200)
  })

  it('asks a question again that was changed meanwhile', async () => {
    const { body } = await start(author)
    await answer(author, body.id, 0, 'A')
    await change(0)
    const stale = await answer(author, body.id, 0, 'B')
    expect([stale.status, stale.body.code]).toEqual([409, 'question_changed'])
    const [first] = (await look(author)).body.sitting.questions
    expect(first).toMatchObject({ version: 2, choice: null })
    expect((await answer(author, body.id, 0, 'B', { version: 2 })).status).toBe(200)
    const foreign = await makeAssessment(rig, { societyId: society, itemCount: 1 })
    const other = { itemId: foreign.items[0]?.id }
    expect((await answer(author, body.id, 0, 'B', other)).body.code).toBe('question_changed')
  })

  it('is told by whom and how far, to all who may sit it', async () => {
    await sit(author, 'AB')
    rig.clock.now = new Date(DAY.getTime() + 1_000)
    await start(owner)
    const { body } = await look(reviewer)
    expect(body.sitters).toEqual([
      {
        ...{ name: expect.stringMatching(/^ben/), isYou: false },
        ...{ finishedAt: DAY.toISOString(), checked: 2 },
      },
      { name: expect.stringMatching(/^ana/), isYou: false, finishedAt: null, checked: 0 },
    ])
    expect((await start(author)).body.code).toBe('nothing_to_check')
  })
})

describe('the comparison', () => {
  const told = async () => {
    const { body } = await compare(owner)
    return body.questions.map((one: { state: string; agree: number; of: number }) => [
      one.state,
      one.agree,
      one.of,
    ])
  }

  it('tells who chose what, and counts nothing before it is finished', async () => {
    expect(await told()).toEqual([
      ['unchecked', 0, 0],
      ['unchecked', 0, 0],
    ])
    await sit(author, 'AC')
    const { body: open } = await start(reviewer)
    await answer(reviewer, open.id, 0, 'A')
    await answer(reviewer, open.id, 1, 'C', { comment: 'C is meant' })
    expect(await told()).toEqual([
      ['unchecked', 1, 1],
      ['disputed', 0, 1],
    ])
    rig.clock.now = new Date(DAY.getTime() + 1_000)
    await finish(reviewer, open.id)
    const { body } = await compare(owner)
    expect(body.questions).toMatchObject([
      { key: 'A', state: 'confirmed', agree: 2, of: 2 },
      {
        ...{ key: 'B', state: 'disputed', agree: 0, of: 2 },
        choices: [
          { name: expect.stringMatching(/^ben/), choice: 'C', comment: '' },
          { name: expect.stringMatching(/^cem/), choice: 'C', comment: 'C is meant' },
        ],
      },
    ])
  })

  it('loses what was found of a question that is changed, and gets it by a short second sitting', async () => {
    await sit(author, 'AB')
    await sit(owner, 'AB')
    await change(1)
    expect(await told()).toEqual([
      ['confirmed', 2, 2],
      ['unchecked', 0, 0],
    ])
    expect((await compare(owner)).body.questions[1].outdated).toBe(2)
    const { body } = await start(author)
    const { sitting } = (await look(author)).body
    expect(sitting.questions).toMatchObject([{ position: 2, version: 2 }])
    await answer(author, body.id, 1, 'B', { version: 2 })
    await finish(author, body.id)
    expect(await told()).toEqual([
      ['confirmed', 2, 2],
      ['unchecked', 1, 1],
    ])
  })

  it('says where the writer of a key alone agrees, and keeps what somebody found who is gone', async () => {
    await rig.db.$client.query(
      `insert into question_imports (id, assessment, user_id, created_at, item_ids)
       values ($1, $2, $3, $4, $5)`,
      [randomUUID(), code, author.userId, DAY, [items[0]]],
    )
    await sit(author, 'AB')
    const first = async () => (await compare(owner)).body.questions[0]
    expect(await first()).toMatchObject({ isByWriterAlone: true, state: 'unchecked' })
    await sit(owner, 'B-')
    expect(await first()).toMatchObject({ isByWriterAlone: false, state: 'disputed', of: 2 })
    await rig.db.$client.query('delete from key_check_sittings where user_id = $1', [owner.userId])
    await sit(reviewer, 'AB')
    expect(await first()).toMatchObject({ isByWriterAlone: false, state: 'confirmed' })
    await rig.db.$client.query('delete from users where id = $1', [reviewer.userId])
    // Both sat in the same moment.
    expect((await first()).choices.map(({ name }: { name: string }) => name).sort()).toEqual([
      'a former member',
      expect.stringMatching(/^ben/),
    ])
  })
})

describe('a key that an owner upholds', () => {
  const second = async () => (await compare(owner)).body.questions[1]
  const overrule = (
    { token }: Account,
    more: { id?: string; of?: number; version?: number; reason?: string; itemId?: number } = {},
  ) =>
    rig.call('POST', pathOf('/upheld'), {
      token,
      body: {
        ...{ id: randomUUID(), itemId: items[1], version: 1, of: 2 },
        ...{ reason: ' The question says per year. ', ...more },
      },
    })
  const withdraw = ({ token }: Account, ruling: string) =>
    rig.call('POST', pathOf(`/upheld/${ruling}/withdraw`), { token })
  const rows = async ({ token }: Account) => {
    const path = `/api/societies/${society}/assessments/${code}/overview`
    const { body } = await rig.call('GET', path, { token })
    return body.rows.find(({ link }: { link: { page: string } }) => link.page === 'questions/check')
  }

  beforeEach(async () => {
    await sit(author, 'AB')
    rig.clock.now = new Date(DAY.getTime() + 1_000)
    await sit(reviewer, 'AC')
  })

  it('is settled with a reason, which stands beside the answers, and not in the log', async () => {
    expect(await second()).toMatchObject({ state: 'disputed', ruling: null })
    const id = randomUUID()
    expect((await overrule(owner, { id })).status).toBe(200)
    // The same press once more.
    expect((await overrule(owner, { id })).status).toBe(200)
    expect(await second()).toMatchObject({
      ...{ state: 'upheld', agree: 1, of: 2 },
      ruling: {
        ...{ id, by: expect.stringMatching(/^ana/), at: rig.clock.now.toISOString() },
        reason: 'The question says per year.',
      },
      choices: [
        { choice: 'B', isOverruled: false },
        { choice: 'C', isOverruled: true },
      ],
    })
    expect(await rows(owner)).toMatchObject({
      ...{ state: 'ready', word: 'Confirmed' },
      rest: expect.stringContaining('Question 2'),
    })
    // A reviewer reads the log, and may have the check before them.
    const { rows: noted } = await rig.db.$client.query(
      `select detail from admin_actions where assessment = $1 and action = 'overrule-key-check' order by id`,
      [code],
    )
    expect(noted).toEqual([{ detail: { question: 2 } }, { detail: { repeated: true } }])
  })

  it('is disputed again by who answers otherwise afterwards, and settled again', async () => {
    await overrule(owner)
    const late = await member('author', 'dan')
    await sit(late, 'AD')
    expect(await second()).toMatchObject({ state: 'disputed', of: 3 })
    expect((await overrule(owner)).body.code).toBe('stale')
    expect((await overrule(owner, { of: 3 })).status).toBe(200)
    expect((await second()).state).toBe('upheld')
  })

  it('is withdrawn with a new version of the question, and by an owner', async () => {
    const id = randomUUID()
    await overrule(owner, { id })
    expect((await withdraw(owner, id)).status).toBe(200)
    expect((await withdraw(owner, id)).status).toBe(200)
    expect(await second()).toMatchObject({ state: 'disputed', ruling: null })
    expect((await withdraw(owner, randomUUID())).body.code).toBe('no_such_ruling')
    await overrule(owner)
    await change(1)
    expect(await second()).toMatchObject({ state: 'unchecked', of: 0, ruling: null })
    expect((await rows(owner)).state).not.toBe('ready')
  })

  it('is refused about what the owner has not seen, or nobody disputes, and in the middle of a sitting', async () => {
    const codeOf = async (more: Parameters<typeof overrule>[1]) =>
      (await overrule(owner, more)).body.code
    expect(await codeOf({ version: 2 })).toBe('stale')
    expect(await codeOf({ of: 1 })).toBe('stale')
    expect(await codeOf({ itemId: items[0] ?? 0 })).toBe('not_disputed')
    expect(await codeOf({ reason: '  ' })).toBe('bad_request')
    const foreign = await makeAssessment(rig, { societyId: society, itemCount: 1 })
    expect(await codeOf({ itemId: foreign.items[0]?.id ?? 0 })).toBe('no_such_question')
    await start(owner)
    expect(await codeOf({})).toBe('sitting_goes_on')
  })

  it('is an owner’s to uphold', async () => {
    for (const who of [author, reviewer]) expect((await overrule(who)).status).toBe(404)
    const id = randomUUID()
    await overrule(owner, { id })
    for (const who of [author, reviewer]) expect((await withdraw(who, id)).status).toBe(404)
    expect((await second()).state).toBe('upheld')
  })
})

describe('the step of the checklist', () => {
  const label = async ({ token }: Account) => {
    const path = `/api/societies/${society}/assessments/${code}/overview`
    const { body } = await rig.call('GET', path, { token })
    return body.rows.find(({ link }: { link: { page: string } }) => link.page === 'questions/check')
      .link.label
  }

  it('tells each what is next for them, and none to sit again what they have sat', async () => {
    await rig.db.$client.query(`update assessments set is_draft = true where code = $1`, [code])
    expect(await label(author)).toBe('Sit the blind check')
    await sit(author, 'A-')
    expect(await label(author)).toBe('Check the one that is left')
    await sit(author, '-B')
    const { body } = await start(author)
    expect(body.code).toBe('nothing_to_check')
    expect(await label(author)).toBe('Ask a second person')
    expect(await label(owner)).toBe('Sit the blind check')
    await sit(reviewer, 'CC')
    expect(await label(author)).toBe('See the two that differ')
    expect(await label(owner)).toBe('Compare the answers')
    // Who may not compare.
    expect(await label(reviewer)).toBe('See who has checked')
  })
})
