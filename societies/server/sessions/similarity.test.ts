/** @module-tag full */
import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { DAY } from '../../../tests/rig/assessment-rig.ts'
import { auditOf } from '../../../tests/rig/organiser-rig.ts'
import { makeDesk } from '../../../tests/rig/questions/questions-rig.ts'
import { useRig } from '../../../tests/rig/rig.ts'
import { crowdMarks, itemsOf, makeSession, storeSat } from '../../../tests/rig/sessions-rig.ts'

// Pairs of answers: asked for with a reason, told in numbers, and never a verdict (product 7.19.13 to 7.19.19).
const rig = useRig()
type Desk = Awaited<ReturnType<typeof makeDesk>>
let desk: Desk
beforeEach(async () => {
  desk = await makeDesk(rig)
})
type Account = { token: string; userId: string }

const ask = (code: string, rest = '', body?: unknown, by: Account = desk.owner) =>
  rig.call(
    body === undefined ? 'GET' : 'POST',
    `/api/societies/${desk.society.id}/assessments/${code}/similarity${rest}`,
    { token: by.token, ...(body === undefined ? {} : { body }) },
  )
const name = (first: number, second: number, reason = 'They talked.') => ({
  ...{ id: randomUUID(), first, second, reason },
})

/** A test of so many questions that so many people sat, and the blind numbers of the candidates. */
async function makeSat(
  people: number,
  questions: number,
  more: Parameters<typeof storeSat>[3] = {},
) {
  const code = await makeSession(rig, desk.society.id, { session: 'Only', questions })
  const candidates = await storeSat(
    rig,
    code,
    crowdMarks({ people, seed: 11 }, 10, questions - 10),
    more,
  )
  const { rows } = await rig.db.$client.query<{ id: string; number: number }>(
    'select candidate_id as id, number from blind_numbers where assessment = $1',
    [code],
  )
  const numberOf = new Map(rows.map(({ id, number }) => [id, number]))
  return { code, candidates, numbers: candidates.map((id) => numberOf.get(id) as number) }
}

/** The second of two candidates has all answers of the first. */
async function copyAnswers(code: string, from: string, to: string) {
  await rig.db.$client.query(
    `update attempt_answers theirs set choice = mine.choice
     from attempt_answers mine, attempts a, attempts b
     where a.assessment = $1 and a.candidate_id = $2 and b.assessment = $1 and b.candidate_id = $3
       and mine.attempt_id = a.id and theirs.attempt_id = b.id and theirs.item_id = mine.item_id`,
    [code, from, to],
  )
}

describe('a named pair', () => {
  it('is compared after its reason was kept, in numbers and with the wrong answers in words', async () => {
    const { code, candidates, numbers } = await makeSat(40, 30)
    const [one = '', other = ''] = candidates
    await copyAnswers(code, one, other)
    const pressed = name(numbers[0] as number, numbers[1] as number, 'Seen looking over.')
    const { status, body } = await ask(code, '/pair', pressed)
    expect(status).toBe(200)
    const [first, second] = [numbers[0] as number, numbers[1] as number].sort((a, b) => a - b)
    expect(body.pair).toMatchObject({
      ...{ first, second, answered: 30, identical: 30, standsOut: true },
    })
    expect(body.pair.expected).toBeLessThan(25)
    expect(body.pair.onceIn).toBeGreaterThan(100)
    expect(body.pair.identicalWrong.length).toBeGreaterThan(2)
    const keys = new Map((await itemsOf(rig, code)).map(({ key }, at) => [at + 1, key]))
    for (const { number, question, option, text } of body.pair.identicalWrong) {
      expect(question).toBe(`Stem ${number} of ${code}?`)
      expect(option).not.toBe(keys.get(number))
      expect(text).toMatch(new RegExp(`(alpha|beta|gamma|delta) ${number}$`))
    }
    // Nobody's name or id.
    expect(JSON.stringify(body)).not.toMatch(new RegExp(`sat-|${one}|${other}`))
    // Kept and noted once, whoever presses how often; the list shows no figure.
    expect((await ask(code, '/pair', pressed)).body).toEqual(body)
    const listed = await ask(code)
    expect(listed.body.checks).toEqual([body.check])
    expect(body.check).toMatchObject({ reason: 'Seen looking over.', asked: { first, second } })
    const noted = await auditOf(rig, code)
    expect(noted.map(({ action }) => action)).toEqual(['check-similarity'])
    expect(noted[0]?.detail).toEqual({ pair: { first, second }, reason: 'Seen looking over.' })
  })

  it('needs a reason, two people who are done, and an id of its own', async () => {
    const { code, numbers } = await makeSat(40, 30)
    const [one = 0, other = 0, third = 0] = numbers
    expect((await ask(code, '/pair', name(one, other, '  '))).status).toBe(400)
    expect((await ask(code, '/pair', name(one, one))).body.code).toBe('same_number')
    expect((await ask(code, '/pair', name(one, 9_999))).body.code).toBe('no_such_number')
    const kept = name(one, other)
    await ask(code, '/pair', kept)
    expect((await ask(code, '/pair', { ...kept, second: third })).body.code).toBe('other_check')
    expect((await ask(code)).body.checks).toHaveLength(1)
  })

  it('is not compared below 30 candidates or 20 questions, nor while somebody is inside', async () => {
    const few = await makeSat(29, 30)
    const short = await makeSat(40, 19)
    const inside = await makeSat(40, 30)
    await rig.db.$client.query(
      `update attempts set submitted_at = null, submit_reason = null where candidate_id = $1`,
      [inside.candidates[39]],
    )
    for (const [sat, lock] of [
      [few, 'too_few_people'],
      [short, 'too_few_questions'],
      [inside, 'still_inside'],
    ] as const) {
      // Numbers are drawn: the candidate who is still inside may have any of them.
      const [one = 0, other = 0] = sat.numbers
      const pressed = await ask(sat.code, '/pair', name(one, other))
      expect(pressed).toMatchObject({ status: 409, body: { code: lock } })
      expect((await ask(sat.code)).body).toMatchObject({ lock, checks: [] })
      expect(await auditOf(rig, sat.code)).toEqual([])
    }
  })

  it('of two forms is compared by what both were asked, where that is enough', async () => {
    const code = await makeSession(rig, desk.society.id, { session: 'Forms', questions: 40 })
    const setForms = (common: number) =>
      rig.db.$client.query(
        `update assessment_items set form = case when position <= $2 then null
           when position % 2 = 0 then 'A' else 'B' end where assessment = $1`,
        [code, common],
      )
    await setForms(20)
    const marks = (seed: number) => crowdMarks({ people: 30, seed }, 10, 20)
    const [a = ''] = await storeSat(rig, code, marks(1), { form: 'A' })
    const [b = '', c = ''] = await storeSat(rig, code, marks(2), { form: 'B' })
    const { rows } = await rig.db.$client.query(
      `select number from blind_numbers where assessment = $1
         and candidate_id = any ($2::uuid[]) order by array_position($2::uuid[], candidate_id)`,
      [code, [a, b, c]],
    )
    const [inA, inB, alsoB] = rows.map(({ number }) => number)
    expect((await ask(code, '/pair', name(inA, inB))).body.pair.answered).toBe(20)
    expect((await ask(code, '/pair', name(inB, alsoB))).body.pair.answered).toBe(30)
    await rig.db.$client.query(
      `insert into item_rulings (item_id, kind, reason, created_at)
       select id, 'void', 'x', $2 from assessment_items where assessment = $1 and position = 1`,
      [code, DAY],
    )
    expect((await ask(code, '/pair', name(inA, inB))).body.code).toBe('other_questions')
  })
})

describe('all pairs', () => {
  it('are a list in the order of numbers, with how many of them chance alone would put there', async () => {
    const { code, candidates, numbers } = await makeSat(80, 30)
    await copyAnswers(code, candidates[3] as string, candidates[4] as string)
    const body = { id: randomUUID(), reason: 'The room was loud.' }
    const found = await ask(code, '/all', body)
    expect(found).toMatchObject({ status: 200, body: { pairs: 3_160, expectedByChance: 0.05 } })
    const listed: { first: number; second: number }[] = found.body.listed
    const copied = [numbers[3], numbers[4]].sort((a, b) => (a ?? 0) - (b ?? 0))
    expect(listed.map(({ first, second }) => [first, second])).toContainEqual(copied)
    expect(listed.length).toBeLessThan(4)
    expect(listed).toEqual(listed.toSorted((a, b) => a.first - b.first || a.second - b.second))
    expect((await ask(code)).body.checks).toMatchObject([
      { asked: null, reason: 'The room was loud.' },
    ])
    expect((await ask(code, '/all', { ...body, reason: '' })).status).toBe(400)
  })

  it('are not listed below 60 candidates', async () => {
    const { code } = await makeSat(59, 30)
    const found = await ask(code, '/all', { id: randomUUID(), reason: 'x' })
    expect(found).toMatchObject({ status: 409, body: { code: 'too_few_people' } })
    expect((await ask(code)).body.checks).toEqual([])
  })

  it('of 300 candidates keep nobody else waiting', async () => {
    const { code } = await makeSat(300, 30)
    const pending = ask(code, '/all', { id: randomUUID(), reason: 'x' })
    let isOver = false
    void pending.then(() => {
      isOver = true
    })
    // Of the processor, not of the clock: other work on the machine holds a turn up as well.
    let longestMs = 0
    while (!isOver) {
      const from = process.cpuUsage()
      await new Promise((resolve) => setImmediate(resolve))
      longestMs = Math.max(longestMs, process.cpuUsage(from).user / 1_000)
    }
    expect((await pending).body.pairs).toBe(44_850)
    // What the table's reading and the answer take stays; the comparison itself comes in slices of 4 ms.
    expect(longestMs).toBeLessThan(100)
  })
})

describe('who sat at one address', () => {
  it('is linked by overlapping minutes, but not in a lecture hall', async () => {
    const { code, numbers } = await makeSat(40, 30, {
      address: (at) => (at < 2 ? '192.0.2.1' : at < 9 ? '192.0.2.2' : `203.0.113.${at}`),
    })
    const [first, second] = [numbers[0] as number, numbers[1] as number].sort((a, b) => a - b)
    const { body } = await ask(code)
    expect(body.linked).toEqual([{ first, second }])
    expect(JSON.stringify(body)).not.toContain('192.0.2')
  })
})

describe('who may ask', () => {
  it('are owners and reviewers', async () => {
    const { code } = await makeSat(40, 30)
    for (const [role, status] of [
      ['reviewer', 200],
      ['author', 404],
      ['invigilator', 404],
    ] as const) {
      const member = await desk.member(role, role)
      expect((await ask(code, '', undefined, member)).status, role).toBe(status)
      expect((await ask(code, '/pair', name(1, 2), member)).status, role).toBe(status)
    }
  })
})
