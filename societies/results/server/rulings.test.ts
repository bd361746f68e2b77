import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { makeSatTest, memberOfTest, sit, totalsOf } from '../../../tests/rig/analysis-rig.ts'
import { WORKED_KEY } from '../../../tests/rig/answered.ts'
import { DAY } from '../../../tests/rig/assessment-rig.ts'
import { actionsOf, organizerOf } from '../../../tests/rig/organizer-rig.ts'
import { useRig } from '../../../tests/rig/rig.ts'
import { readAnswerTable } from '../../incidents/server/answer-table.ts'
import { eachForm, type Sat } from '../../incidents/server/sat.ts'
import { read } from '../../kit/server/action.ts'
import type { Ruling } from '../contract-analysis.ts'
import { regradeItem, ruled, withdrawRuling } from './regrade.ts'
import { consequencesOf, formsUnder } from './ruling-preview.ts'

// Rulings on a question (product 7.18.7 to 7.18.11), with the worked example of societies/statistics.
const rig = useRig({}, DAY)

const formsOf = (code: string) =>
  read(rig, async (client) => eachForm(await readAnswerTable(client, code)))
const isNear = (value: number | null) => expect.closeTo(value as number, 6)

const NONE = [8, 7, 6, 6, 6, 6, 6, 5, 5, 4, 3, 2]
const replace = { kind: 'replace', option: 'B' } as const
const voided = { kind: 'void', option: null } as const
const EXAMPLES = (
  [
    [replace, '787777564321', { reliability: 0.779221, error: 1.085122 }, ['c2']],
    [{ kind: 'accept', option: 'B' }, '887777665432', { reliability: 0.713143 }, ['c1', 'c2']],
    [voided, '776666554321', { reliability: 0.728, error: 1.015038 }, ['c1', 'c2']],
    [{ kind: 'full_marks', option: null }, '887777665432', { reliability: 0.713143 }, ['c1', 'c2']],
  ] as [Ruling, string, { reliability: number; error?: number }, string[]][]
).map(([ruling, totals, ...rest]) => [ruling, [...totals].map(Number), ...rest] as const)

describe('the four rulings on question 8 of the worked example', () => {
  it.each(EXAMPLES)(
    'give the right totals, reliability and leader: $kind',
    async (ruling, totals, figures, lead) => {
      const { code } = await makeSatTest(rig)
      const before = await formsOf(code)
      const eighth = ([form]: readonly Sat[]) => form?.items[7] as Sat['items'][7]
      const item = eighth(before)
      const preview = consequencesOf(before, await formsUnder(before, item, ruling), null)
      await regradeItem({ ...organizerOf(rig), code }, 8, ruling, 'the key was wrong')
      const after = await formsOf(code)
      expect(await totalsOf(rig, code)).toEqual(totals)
      const made = consequencesOf(before, after, null)
      // The ruling did what the preview showed.
      expect(preview).toEqual(made)
      // The code and the database view agree about the item.
      const { keys, isVoid, isFullMarks } = eighth(after)
      expect(ruled(item, ruling)).toMatchObject({ keys, isVoid, isFullMarks })
      for (const [figure, value] of Object.entries(figures)) {
        expect(made).toMatchObject({ [figure]: isNear(value) })
      }
      expect(await leaders(code)).toEqual(lead)
    },
  )

  it('keep all results before and after, and withdrawing one restores them exactly', async () => {
    const { code, attempts } = await makeSatTest(rig)
    const rows = async () =>
      await rig.sql`select * from assessment_results where assessment = ${code} order by "user"`
    const before = await rows()
    await regradeItem({ ...organizerOf(rig), code }, 8, replace, 'moved')
    const kept = await rig.sql`
      select x.ruling_id as ruling, correct_before as before, correct_after as after,
         correct_before + incorrect_before as of
       from ruling_results x where attempt_id = any (${attempts}) order by array_position(${attempts}::uuid[], attempt_id)`
    expect(kept.map(({ before }) => before)).toEqual(NONE)
    expect(kept.map(({ after }) => after)).toEqual(EXAMPLES[0]?.[1])
    expect(new Set(kept.map(({ of }) => of))).toEqual(new Set([8]))
    await withdrawRuling({ ...organizerOf(rig), code }, kept[0].ruling, 'it was right', 1)
    expect(await rows()).toEqual(before)
    // The results of a withdrawn ruling stay stored.
    const changed = await rig.sql`select from ruling_results where ruling_id = ${kept[0].ruling}`
    expect(changed).toHaveLength(12)
  })
})

/** Reads the names of the top candidates. */
async function leaders(code: string): Promise<string[]> {
  const rows = await rig.sql`
    select "user" from (select "user", rank() over (order by correct desc) as place
       from assessment_results where assessment = ${code}) ranked where place = 1 order by "user"`
  return rows.map(({ user }) => user)
}

describe('a key ruling in the browser', () => {
  const ruling = (version: number, more: object = {}) => ({
    ...{ ruling: replace, reason: 'The options were rewritten.', version },
    ...{ requestId: randomUUID(), ...more },
  })
  /**
   * Sets up the worked example with its owner.
   * @param line the cut score
   */
  const ready = async (line?: number) => {
    const test = await makeSatTest(rig)
    if (line !== undefined) {
      await rig.sql`insert into result_lines (assessment, points, version, changed_by, changed_at)
         values (${test.code}, ${line}, 1, 'tester', ${DAY})`
    }
    const owner = await memberOfTest(rig, test, 'owner')
    return {
      ...{ ...test, test, owner },
      preview: async () => (await owner.get('/analysis/8')).body,
      rule: (body: object) => owner.post('/analysis/8/rulings', body),
    }
  }

  it('shows who crosses the cut score, and then has exactly that effect', async () => {
    const { code, preview, rule } = await ready(6)
    const body = await preview()
    expect(body).toMatchObject({ people: 12, line: 6, version: 0, ruling: 'rule', past: [] })
    expect(
      body.rulings.map(({ kind, option }: { kind: string; option: string }) => `${kind} ${option}`),
    ).toEqual([
      ...['null null', 'replace B', 'replace C', 'replace D'],
      ...['accept B', 'accept C', 'accept D', 'void null', 'full_marks null'],
    ])
    expect(body.rulings[0]).toMatchObject({ up: 0, down: 0, reliability: null })
    // c7 falls from 6 to 5, c8 rises from 5 to 6.
    const crossing = [
      { points: 5, pointsAfter: 6 },
      { points: 6, pointsAfter: 5 },
    ]
    const lines = [{ points: 6, in: 1, out: 1, crossing }]
    expect(body.rulings[1]).toMatchObject({ up: 6, down: 6, questions: 8, lines })
    expect(body.rulings.at(-2).lines).toMatchObject([
      { points: 6, in: 0, out: 1 },
      { points: 5, in: 1, out: 0 },
    ])

    const sent = ruling(0)
    expect((await rule(sent)).body).toEqual({ done: true, changed: 12 })
    expect(await totalsOf(rig, code)).toEqual(EXAMPLES[0]?.[1])
    // The response was lost, so the page sends the ruling again.
    expect((await rule(sent)).status).toBe(200)
    const after = await preview()
    expect(after.past).toMatchObject([
      { kind: 'replace', option: 'B', isProposal: false, withdrawn: null, changed: 12 },
    ])
    expect(after.keys).toEqual(['B'])
    const actions = await actionsOf(rig, code)
    expect(actions.filter((action) => action === 'regrade')).toHaveLength(1)
  })

  it('by two owners at the same time happens once, and the second one sees the changes', async () => {
    const { test, ids, rule } = await ready()
    const ben = await memberOfTest(rig, test, 'owner')
    const answers = await Promise.all([
      rule(ruling(0)),
      ben.post('/analysis/8/rulings', ruling(0, { ruling: voided })),
    ])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    const stale = answers.find(({ status }) => status === 409)
    expect(stale?.body.code).toBe('stale')
    expect(stale?.body.message).toMatch(/^o[0-9a-f]{8} has ruled on a question since/)
    const made = await rig.sql`select from standing_rulings where item_id = any (${ids})`
    expect(made).toHaveLength(1)
  })

  it('that voids a question also moves the cut score if the owner asks for it', async () => {
    const { code, rule } = await ready(6)
    expect((await rule(ruling(0, { ruling: voided, line: 5 }))).status).toBe(200)
    const rows = await rig.sql`select points, version from result_lines where assessment = ${code}`
    expect(rows).toEqual([{ points: 5, version: 2 }])
  })

  it('can be proposed by an author without effect, and adopted or declined by an owner', async () => {
    const { test, code, owner, preview, rule } = await ready()
    const author = await memberOfTest(rig, test, 'author')
    expect((await author.post('/analysis/8/rulings', ruling(0))).status).toBe(404)
    expect((await author.post('/analysis/8/proposals', ruling(0))).status).toBe(200)
    expect(await totalsOf(rig, code)).toEqual(NONE)
    const { version, past } = await preview()
    expect(past[0]).toMatchObject({ isProposal: true, withdrawn: null, reason: expect.any(String) })
    // An author only sees statistics of questions, never a candidate's points.
    const seen = (await author.get('/analysis/8')).body
    expect(seen.ruling).toBe('propose')
    expect(JSON.stringify(seen)).not.toContain('pointsAfter')
    expect(seen.rulings[1]).toMatchObject({ up: 6, down: 6 })

    expect((await rule(ruling(version, { proposal: past[0].id }))).status).toBe(200)
    expect(await totalsOf(rig, code)).toEqual(EXAMPLES[0]?.[1])
    const again = await preview()
    expect(again.past).toMatchObject([
      { isProposal: false },
      { isProposal: true, withdrawn: { reason: null } },
    ])

    const other = ruling(again.version, { ruling: { kind: 'accept', option: 'C' } })
    expect((await author.post('/analysis/8/proposals', other)).status).toBe(200)
    const { id } = (await preview()).past[0]
    const decline = (reason: string) => owner.post(`/rulings/${id}/decline`, { reason })
    expect((await decline('C is wrong.')).status).toBe(200)
    expect((await preview()).past[0]).toMatchObject({ withdrawn: { reason: 'C is wrong.' } })
    expect(await totalsOf(rig, code)).toEqual(EXAMPLES[0]?.[1])
    expect((await decline('again')).status).toBe(409)
  })

  it('also applies to running attempts and counts them', async () => {
    const { test, code, ids, preview, rule } = await ready()
    const choices = `${WORKED_KEY.slice(0, 7)}B`
    const inside = await sit(rig, code, ids, 'c13', choices, { isOpen: true })
    expect(await preview()).toMatchObject({ people: 12, openCount: 1 })
    expect((await rule(ruling(0))).status).toBe(200)
    await rig.sql`update attempts set submitted_at = ${DAY}, submit_reason = 'candidate'
      where id = ${inside}`
    expect((await totalsOf(rig, code)).at(-1)).toBe(8)
    // The reviewer can read keys only after the test, so access is allowed now.
    const reviewer = await memberOfTest(rig, test, 'reviewer')
    expect((await reviewer.get('/analysis/8')).status).toBe(200)
  })

  it('is refused with a message: without a reason, for another test, without an option', async () => {
    const { owner, rule } = await ready()
    const other = await makeSatTest(rig, 'AB', ['AB'])
    expect((await rule(ruling(0, { reason: ' ' }))).status).toBe(400)
    const without = ruling(0, { ruling: { kind: 'accept', option: null } })
    expect((await rule(without)).status).toBe(400)
    expect((await owner.post('/analysis/9/rulings', ruling(0))).status).toBe(404)
    await regradeItem({ ...organizerOf(rig), code: other.code }, 1, voided, 'misprint')
    const rows = await rig.sql`select max(id) as id from item_rulings`
    const theirs = { reason: 'not mine', version: 0 }
    const refused = await owner.post(`/rulings/${rows[0].id}/withdraw`, theirs)
    expect(refused.body.code).toBe('no_such_ruling')
  })
})
