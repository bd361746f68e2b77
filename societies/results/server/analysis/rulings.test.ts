import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import {
  makeSatTest,
  memberOfTest,
  sit,
  totalsOf,
  WORKED_KEY,
} from '../../../../tests/rig/analysis-rig.ts'
import { DAY } from '../../../../tests/rig/assessment-rig.ts'
import {
  auditOf,
  codeOf,
  organiserOf,
  takeRulingBack,
} from '../../../../tests/rig/organiser-rig.ts'
import { useRig } from '../../../../tests/rig/rig.ts'
import { readAnswerTable } from '../../../incidents/server/answer-table.ts'
import { read } from '../../../kit/server/action.ts'
import { type RulingOn, ruled, storedRuling } from '../../ruling.ts'
import { regradeItem, withdrawRuling } from '../regrade.ts'
import { consequencesOf, consequencesUnder } from './consequences.ts'

// Rulings on a question (product 7.18.7 to 7.18.11), with the worked example of societies/statistics.
const rig = useRig()
beforeEach(() => {
  rig.clock.now = DAY
})

const tableOf = (code: string) => read(rig, (client) => readAnswerTable(client, code))
const isNear = (value: number | null) => expect.closeTo(value as number, 6)

const NONE = [8, 7, 6, 6, 6, 6, 6, 5, 5, 4, 3, 2]
const EXAMPLES: [string, RulingOn, number[], { reliability: number; error?: number }][] = [
  [
    'replace',
    { replace: 'B' },
    [7, 8, 7, 7, 7, 7, 5, 6, 4, 3, 2, 1],
    { reliability: 0.779221, error: 1.085122 },
  ],
  ['accept', { accept: 'B' }, [8, 8, 7, 7, 7, 7, 6, 6, 5, 4, 3, 2], { reliability: 0.713143 }],
  [
    'void',
    { void: true },
    [7, 7, 6, 6, 6, 6, 5, 5, 4, 3, 2, 1],
    { reliability: 0.728, error: 1.015038 },
  ],
  [
    'full marks',
    { fullMarks: true },
    [8, 8, 7, 7, 7, 7, 6, 6, 5, 4, 3, 2],
    { reliability: 0.713143 },
  ],
]

describe('the four rulings on question 8 of the worked example', () => {
  it('start from the table as written', async () => {
    const { code } = await makeSatTest(rig)
    const table = await tableOf(code)
    expect(await totalsOf(rig, code)).toEqual(NONE)
    expect(consequencesOf(table, table, null)).toMatchObject({
      ...{ questions: 8, up: 0, down: 0, largestRise: 0, largestFall: 0 },
      reliability: isNear(0.447205),
      error: isNear(1.241421),
    })
    expect(await leaders(code)).toEqual(['c1'])
  })

  it.each(EXAMPLES)(
    'give the right totals, reliability and leader: %s',
    async (name, ruling, totals, figures) => {
      const { code } = await makeSatTest(rig)
      const before = await tableOf(code)
      const preview = consequencesUnder(
        before,
        before.items[7] as (typeof before.items)[7],
        ruling,
        null,
      )
      await regradeItem({ ...organiserOf(rig), code }, 8, ruling, 'the key was wrong')
      const after = await tableOf(code)
      expect(await totalsOf(rig, code)).toEqual(totals)
      const made = consequencesOf(before, after, null)
      // What was shown before the press is what the press did.
      expect(preview).toEqual(made)
      // The rule and the view say the same of the item.
      const { keys, isVoid, isFullMarks } = after.items[7] as (typeof after.items)[7]
      expect({ ...ruled(before.items[7] as (typeof before.items)[7], ruling) }).toMatchObject({
        ...{ keys, isVoid, isFullMarks },
      })
      for (const [figure, value] of Object.entries(figures)) {
        expect(made).toMatchObject({ [figure]: isNear(value) })
      }
      const lead = { replace: ['c2'], accept: ['c1', 'c2'], void: ['c1', 'c2'] } as const
      expect(await leaders(code)).toEqual(lead[name as 'replace'] ?? ['c1', 'c2'])
    },
  )

  it('keep all results before and after, and withdrawing one restores them exactly', async () => {
    const { code, attempts } = await makeSatTest(rig)
    const rows = async () =>
      (
        await rig.db.$client.query(
          `select * from assessment_results where assessment = $1 order by "user"`,
          [code],
        )
      ).rows
    const before = await rows()
    await regradeItem({ ...organiserOf(rig), code }, 8, { replace: 'B' }, 'moved')
    const { rows: kept } = await rig.db.$client.query(
      `select x.ruling_id as ruling, correct_before as before, correct_after as after,
         correct_before + incorrect_before as of
       from ruling_results x where attempt_id = any ($1) order by array_position($1, attempt_id)`,
      [attempts],
    )
    expect(kept.map(({ before }) => before)).toEqual(NONE)
    expect(kept.map(({ after }) => after)).toEqual(EXAMPLES[0]?.[2])
    expect(new Set(kept.map(({ of }) => of))).toEqual(new Set([8]))
    await withdrawRuling({ ...organiserOf(rig), code }, kept[0].ruling, 'it was right', 1)
    expect(await rows()).toEqual(before)
    // What the ruling had done stays known.
    const { rowCount } = await rig.db.$client.query(
      'select from ruling_results where ruling_id = $1',
      [kept[0].ruling],
    )
    expect(rowCount).toBe(12)
  })

  it('are refused where another one stands', async () => {
    const { code } = await makeSatTest(rig)
    const rule = (ruling: Parameters<typeof regradeItem>[2]) =>
      regradeItem({ ...organiserOf(rig), code }, 8, ruling, 'r')
    await rule({ replace: 'B' })
    expect(await totalsOf(rig, code)).toEqual(EXAMPLES[0]?.[2])
    expect((await codeOf(() => rule({ replace: 'C' }))).code).toBe('already_replaced')
    await takeRulingBack(organiserOf(rig), code, 8)
    await rule({ fullMarks: true })
    expect((await codeOf(() => rule({ void: true }))).code).toBe('already_full_marks')
  })
})

/** Who stands first, by name. */
async function leaders(code: string): Promise<string[]> {
  const { rows } = await rig.db.$client.query<{ user: string }>(
    `select "user" from (select "user", rank() over (order by correct desc) as place
       from assessment_results where assessment = $1) ranked where place = 1 order by "user"`,
    [code],
  )
  return rows.map(({ user }) => user)
}

describe('a key ruling in the browser', () => {
  const ruling = (version: number, more: object = {}) => ({
    ruling: { kind: 'replace', option: 'B' },
    ...{ reason: 'The options were rewritten.', version, requestId: randomUUID(), ...more },
  })

  it('shows who crosses the cut score and does what it showed', async () => {
    const test = await makeSatTest(rig)
    const { code } = test
    await rig.db.$client.query(
      `insert into result_lines (assessment, points, version, changed_by, changed_at)
       values ($1, 6, 1, 'tester', $2)`,
      [code, DAY],
    )
    const owner = await memberOfTest(rig, test, 'owner')
    const { body } = await owner.get('/analysis/8')
    expect(body).toMatchObject({ people: 12, line: 6, version: 0, ruling: 'rule', past: [] })
    const kinds = (body.rulings as { kind: string; option: string }[]).map(
      ({ kind, option }) => `${kind} ${option}`,
    )
    expect(kinds).toEqual([
      ...['null null', 'replace B', 'replace C', 'replace D'],
      ...['accept B', 'accept C', 'accept D', 'void null', 'full_marks null'],
    ])
    const [leave, replace] = body.rulings
    expect(leave).toMatchObject({ up: 0, down: 0, reliability: null })
    expect(replace).toMatchObject({ up: 6, down: 6, questions: 8 })
    const [at] = replace.lines
    // c7 falls from 6 to 5, c8 rises from 5 to 6.
    expect(at).toMatchObject({ points: 6, in: 1, out: 1 })
    expect(
      at.crossing.map(({ points, pointsAfter }: Record<string, number>) => [points, pointsAfter]),
    ).toEqual([
      [5, 6],
      [6, 5],
    ])
    const voided = body.rulings.find(({ kind }: { kind: string }) => kind === 'void')
    expect(voided.lines.map(({ points }: { points: number }) => points)).toEqual([6, 5])
    expect(voided.lines.map((one: { in: number; out: number }) => [one.in, one.out])).toEqual([
      [0, 1],
      [1, 0],
    ])

    const sent = ruling(0)
    expect(await owner.post('/analysis/8/rulings', sent)).toMatchObject({
      status: 200,
      body: { done: true, changed: 12 },
    })
    expect(await totalsOf(rig, code)).toEqual(EXAMPLES[0]?.[2])
    // The answer got lost, and the page sends it again.
    expect((await owner.post('/analysis/8/rulings', sent)).status).toBe(200)
    const after = (await owner.get('/analysis/8')).body
    expect(after.past).toMatchObject([
      { kind: 'replace', option: 'B', isProposal: false, withdrawn: null, changed: 12 },
    ])
    expect(after.keys).toEqual(['B'])
    const actions = (await auditOf(rig, code)).map(({ action }) => action)
    expect(actions.filter((action) => action === 'regrade')).toHaveLength(1)
  })

  it('by two owners at once happens once, and the other sees what changed', async () => {
    const test = await makeSatTest(rig)
    const [ana, ben] = [
      await memberOfTest(rig, test, 'owner'),
      await memberOfTest(rig, test, 'owner'),
    ]
    const answers = await Promise.all([
      ana.post('/analysis/8/rulings', ruling(0)),
      ben.post('/analysis/8/rulings', ruling(0, { ruling: { kind: 'void', option: null } })),
    ])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    const stale = answers.find(({ status }) => status === 409)
    expect(stale?.body.code).toBe('stale')
    expect(stale?.body.message).toMatch(/^o[0-9a-f]{8} has ruled on a question since/)
    const { rowCount } = await rig.db.$client.query(
      'select from standing_rulings where item_id = any ($1)',
      [test.ids],
    )
    expect(rowCount).toBe(1)
  })

  it('that voids a question moves the cut score if asked to', async () => {
    const test = await makeSatTest(rig)
    await rig.db.$client.query(
      `insert into result_lines (assessment, points, version, changed_by, changed_at)
       values ($1, 6, 1, 'tester', $2)`,
      [test.code, DAY],
    )
    const owner = await memberOfTest(rig, test, 'owner')
    const sent = ruling(0, { ruling: { kind: 'void', option: null }, line: 5 })
    expect((await owner.post('/analysis/8/rulings', sent)).status).toBe(200)
    const { rows } = await rig.db.$client.query(
      'select points, version from result_lines where assessment = $1',
      [test.code],
    )
    expect(rows).toEqual([{ points: 5, version: 2 }])
  })

  it('can be proposed by an author without effect, and adopted or declined by an owner', async () => {
    const test = await makeSatTest(rig)
    const { code } = test
    const author = await memberOfTest(rig, test, 'author')
    const owner = await memberOfTest(rig, test, 'owner')
    expect((await author.post('/analysis/8/rulings', ruling(0))).status).toBe(404)
    expect((await author.post('/analysis/8/proposals', ruling(0))).status).toBe(200)
    expect(await totalsOf(rig, code)).toEqual(NONE)
    const { body } = await owner.get('/analysis/8')
    const [proposal] = body.past
    expect(proposal).toMatchObject({
      isProposal: true,
      withdrawn: null,
      reason: expect.any(String),
    })
    // Who sees statistics of questions alone is told nobody's points.
    const seen = (await author.get('/analysis/8')).body
    expect(seen.ruling).toBe('propose')
    expect(JSON.stringify(seen)).not.toContain('pointsAfter')
    expect(seen.rulings[1]).toMatchObject({ up: 6, down: 6, places: null })

    const adopted = ruling(body.version, { proposal: proposal.id })
    expect((await owner.post('/analysis/8/rulings', adopted)).status).toBe(200)
    expect(await totalsOf(rig, code)).toEqual(EXAMPLES[0]?.[2])
    const again = (await owner.get('/analysis/8')).body
    expect(again.past.map((one: { isProposal: boolean }) => one.isProposal)).toEqual([false, true])
    expect(again.past[1].withdrawn).toMatchObject({ reason: null })

    const other = ruling(again.version, { ruling: { kind: 'accept', option: 'C' } })
    expect((await author.post('/analysis/8/proposals', other)).status).toBe(200)
    const [second] = (await owner.get('/analysis/8')).body.past
    const declined = await owner.post(`/rulings/${second.id}/decline`, { reason: 'C is wrong.' })
    expect(declined.status).toBe(200)
    expect((await owner.get('/analysis/8')).body.past[0]).toMatchObject({
      withdrawn: { reason: 'C is wrong.' },
    })
    expect(await totalsOf(rig, code)).toEqual(EXAMPLES[0]?.[2])
    expect((await owner.post(`/rulings/${second.id}/decline`, { reason: 'again' })).status).toBe(
      409,
    )
  })

  it('also applies to running attempts and says how many', async () => {
    const test = await makeSatTest(rig)
    const inside = await sit(rig, test.code, test.ids, 'c13', `${WORKED_KEY.slice(0, 7)}B`, {
      isOpen: true,
    })
    const owner = await memberOfTest(rig, test, 'owner')
    const { body } = await owner.get('/analysis/8')
    expect(body).toMatchObject({ people: 12, openCount: 1 })
    expect((await owner.post('/analysis/8/rulings', ruling(0))).status).toBe(200)
    await rig.db.$client.query(
      `update attempts set submitted_at = $2, submit_reason = 'candidate' where id = $1`,
      [inside, DAY],
    )
    expect((await totalsOf(rig, test.code)).at(-1)).toBe(8)
    // The reviewer, who reads keys only afterwards, is let in now.
    const reviewer = await memberOfTest(rig, test, 'reviewer')
    expect((await reviewer.get('/analysis/8')).status).toBe(200)
  })

  it('is refused with a message: without a reason, for another test, without an option', async () => {
    const [test, other] = [await makeSatTest(rig), await makeSatTest(rig, 'AB', ['AB'])]
    const owner = await memberOfTest(rig, test, 'owner')
    expect((await owner.post('/analysis/8/rulings', ruling(0, { reason: ' ' }))).status).toBe(400)
    const without = ruling(0, { ruling: { kind: 'accept', option: null } })
    expect((await owner.post('/analysis/8/rulings', without)).status).toBe(400)
    expect((await owner.post('/analysis/9/rulings', ruling(0))).status).toBe(404)
    await regradeItem({ ...organiserOf(rig), code: other.code }, 1, { void: true }, 'misprint')
    const { rows } = await rig.db.$client.query('select max(id) as id from item_rulings')
    const theirs = { reason: 'not mine', version: 0 }
    expect((await owner.post(`/rulings/${rows[0].id}/withdraw`, theirs)).body.code).toBe(
      'no_such_ruling',
    )
    expect(storedRuling({ void: true })).toEqual({ kind: 'void', option: null })
  })
})
