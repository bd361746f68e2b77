/** @module-tag full */
import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { DAY, makeCandidate } from '../../../tests/rig/assessment-rig.ts'
import { auditOf, organiserOf } from '../../../tests/rig/organiser-rig.ts'
import { makeDesk } from '../../../tests/rig/questions/questions-rig.ts'
import { useRig } from '../../../tests/rig/rig.ts'
import {
  type Crowd,
  crowdMarks,
  itemsOf,
  makeSession,
  storeSat,
} from '../../../tests/rig/sessions-rig.ts'
import { readRulingPreview } from '../analysis/read-ruling.ts'
import { readAnswerTable } from '../results/answer-table.ts'
import { readResultFacts } from '../results/files/result-facts.ts'
import { readResults } from '../results/read-results.ts'
import { readReleased } from '../results/released.ts'
import { readShift } from './shift.ts'

// What is said of two sessions, and of two forms (product 7.19.6 to 7.19.12). The formulas are tested beside them
// (statistics/forms); here the answers come out of the database.
const rig = useRig()
type Desk = Awaited<ReturnType<typeof makeDesk>>
let desk: Desk
beforeEach(async () => {
  desk = await makeDesk(rig)
})

const NOON = new Date(DAY.getTime() + 4 * 3_600_000)
type Account = { token: string; userId: string }

const ask = (code: string, rest = '', body?: unknown, by: Account = desk.owner) =>
  rig.call(
    body === undefined ? 'GET' : 'POST',
    `/api/societies/${desk.society.id}/assessments/${code}/sessions${rest}`,
    { token: by.token, ...(body === undefined ? {} : { body }) },
  )

/** Morning and Afternoon with so many of 30 questions in common, each sat by a crowd. */
async function twoSessions(common: number, morning: Crowd, afternoon: Crowd) {
  const societyId = desk.society.id
  const early = await makeSession(rig, societyId, { session: 'Morning', questions: 30 })
  const late = await makeSession(rig, societyId, {
    ...{ session: 'Afternoon', questions: 30, from: early, common },
  })
  await storeSat(rig, early, crowdMarks(morning, common, 30 - common))
  await storeSat(rig, late, crowdMarks(afternoon, common, 30 - common), { startsAt: NOON })
  return { early, late }
}

const MORNING: Crowd = { people: 80, seed: 1 }
/** Its other questions are easier by about two points. */
const EASIER: Crowd = { people: 80, seed: 2, easier: 0.6 }

describe('two sessions that share questions', () => {
  it.each<[string, number, Crowd, Crowd]>([
    ['too-few-people', 10, { people: 29, seed: 1 }, { people: 29, seed: 2 }],
    ['too-few-anchors', 7, MORNING, EASIER],
    ['no-difference', 10, MORNING, { people: 80, seed: 1 }],
    ['leak-warning', 10, MORNING, { people: 80, seed: 2, told: 5 }],
    [
      'methods-disagree',
      10,
      { people: 80, seed: 3, isLoose: true },
      { people: 80, seed: 4, isLoose: true, ability: -1 },
    ],
    ['offer-shift', 10, MORNING, EASIER],
  ])('come to %s', async (outcome, common, morning, afternoon) => {
    const { early, late } = await twoSessions(common, morning, afternoon)
    const { status, body } = await ask(late)
    expect(status).toBe(200)
    const [found] = body.comparisons
    expect(found).toMatchObject({
      ...{ id: early, kind: 'session', outcome, changedCount: 0 },
      earlier: { name: 'Morning', people: morning.people },
      later: { name: 'Afternoon', people: afternoon.people },
    })
    expect(found.anchors).toHaveLength(common)
    expect(found.offer === null).toBe(outcome !== 'offer-shift')
    // From the other side it is the same comparison.
    expect((await ask(early)).body.comparisons[0]).toEqual({ ...found, id: late })
  })

  it('tell of each common question how it did in both, and the same interval at each look', async () => {
    const { late } = await twoSessions(10, MORNING, EASIER)
    const [found] = (await ask(late)).body.comparisons
    expect(found.offer.points * 2).toBe(Math.round(found.offer.points * 2))
    expect(found.offer.points).toBeLessThan(-1)
    expect(found.offer.interval.low).toBeLessThan(found.offer.points)
    expect(found.offer.interval.high).toBeGreaterThan(found.offer.points)
    expect((await ask(late)).body.comparisons[0]).toEqual(found)
    for (const anchor of found.anchors) {
      expect([anchor.earlier.of, anchor.later.of]).toEqual([80, 80])
      const shares = anchor.later.right / 80 - anchor.earlier.right / 80
      expect(anchor.shift).toBeCloseTo(shares, 10)
      expect(anchor.medianMs).toEqual({ earlier: null, later: null })
    }
  })

  it('are not said anything of below 30 people but counts', async () => {
    const { late } = await twoSessions(10, { people: 14, seed: 1 }, { people: 12, seed: 2 })
    const [found] = (await ask(late)).body.comparisons
    expect(found).toMatchObject({ said: 'hidden', meanShift: null, offer: null, others: null })
    expect(found.whyHidden).toBe('Shown from 30 candidates on; there are 26.')
    expect(found.anchors[0]).toMatchObject({ shift: null, distance: null, earlier: { of: 14 } })
  })

  it('are compared by questions whose text and key are the same in both, and count in both', async () => {
    const { early, late } = await twoSessions(12, MORNING, EASIER)
    const items = await itemsOf(rig, late)
    await rig.db.$client.query(
      `update assessment_items set question = 'Another text?' where id = $1`,
      [items[0]?.id],
    )
    await rig.db.$client.query(
      `insert into item_rulings (item_id, kind, accepted_option, reason, created_at)
       values ($1, 'void', null, 'unclear', $4), ($2, 'accept', 'D', 'too', $4), ($3, 'full_marks', null, 'x', $4)`,
      [items[1]?.id, items[2]?.id, (await itemsOf(rig, early))[3]?.id, DAY],
    )
    const [found] = (await ask(late)).body.comparisons
    expect(found.changedCount).toBe(4)
    expect(found.anchors.map((one: { numbers: object }) => one.numbers)).not.toContainEqual({
      ...{ earlier: 1, later: 1 },
    })
    expect(found.anchors).toHaveLength(8)
  })

  it('have the time that was looked at a question, where pages told it', async () => {
    const { early, late } = await twoSessions(10, MORNING, EASIER)
    for (const [code, ms] of [
      [early, 40_000],
      [late, 25_000],
    ] as const) {
      const [item] = await itemsOf(rig, code)
      await rig.db.$client.query(
        `insert into attempt_events (candidate_id, attempt_id, kind, window_id, dwell, received_at)
         select candidate_id, id, 'saved', told.window_id,
           jsonb_build_array(jsonb_build_array($2::int, told.ms)), $4
         from attempts, (values ('first', $3::int), ('second', 1000)) as told (window_id, ms)
         where assessment = $1`,
        [code, item?.id, ms, DAY],
      )
    }
    const [found] = (await ask(late)).body.comparisons
    const timed = found.anchors.filter(
      (one: { medianMs: { later: unknown } }) => one.medianMs.later,
    )
    expect(timed).toHaveLength(1)
    expect(timed[0].medianMs).toEqual({ earlier: 41_000, later: 26_000 })
  })

  it('are not read where the member has no role in the other, or sits it', async () => {
    const { early, late } = await twoSessions(10, MORNING, EASIER)
    const narrow = await desk.member('narrow', 'reviewer', { assessment: late })
    expect((await ask(late, '', undefined, narrow)).body).toMatchObject({
      ...{ comparisons: [], unlinked: [], closedCount: 80 },
    })
    const sits = await desk.member('sits', 'reviewer')
    const { rows } = await rig.db.$client.query('select email from users where id = $1', [
      sits.userId,
    ])
    await makeCandidate(rig, early, 'sits', { email: rows[0].email })
    expect((await ask(late, '', undefined, sits)).body.comparisons).toEqual([])
  })
})

describe('two forms of a test', () => {
  /** Ten questions for both, twenty for each form. */
  async function twoForms(a: Crowd, b: Crowd, of: { session?: string; startsAt?: Date } = {}) {
    const code = await makeSession(rig, desk.society.id, {
      ...{ session: of.session ?? 'Only', questions: 50 },
    })
    await rig.db.$client.query(
      `update assessment_items set form = case when position <= 30 then 'A' else 'B' end
       where assessment = $1 and position > 10`,
      [code],
    )
    const { startsAt = DAY } = of
    await storeSat(rig, code, crowdMarks(a, 10, 20), { form: 'A', startsAt })
    await storeSat(rig, code, crowdMarks(b, 10, 20), { form: 'B', startsAt })
    return code
  }

  it('are compared within the test, each candidate over the own paper', async () => {
    const code = await twoForms(MORNING, EASIER)
    const { body } = await ask(code)
    const [found] = body.comparisons
    expect(found).toMatchObject({
      ...{ id: 'forms', kind: 'forms', outcome: 'offer-shift' },
      earlier: { name: 'Form A', questions: 30, people: 80 },
      later: { name: 'Form B', questions: 30, people: 80 },
    })
    const totals = crowdMarks(EASIER, 10, 20).map((row) => row.reduce((sum, mark) => sum + mark, 0))
    const mean = totals.reduce((sum, total) => sum + total, 0) / 80
    expect(found.later.mean).toBeCloseTo(mean, 10)
    // The results say the same.
    const { rows } = await rig.db.$client.query(
      `select avg(r.correct)::float8 as mean, min(r.correct + r.incorrect) as least,
         max(r.correct + r.incorrect) as most
       from assessment_results r join attempts t on t.id = r.attempt_id
       where r.assessment = $1 and t.form = 'B'`,
      [code],
    )
    expect(rows[0].mean).toBeCloseTo(mean, 10)
    expect([rows[0].least, rows[0].most]).toEqual([30, 30])
  })

  it('in both sessions are compared within each form, where nothing is shifted', async () => {
    const early = await twoForms(MORNING, { people: 80, seed: 5 }, { session: 'Morning' })
    const late = await twoForms(
      { people: 80, seed: 6 },
      { people: 80, seed: 7 },
      { session: 'Afternoon', startsAt: NOON },
    )
    await rig.db.$client.query(
      `update assessment_items mine set question_id = theirs.question_id, question = theirs.question
       from assessment_items theirs where mine.assessment = $1 and theirs.assessment = $2
         and theirs.position = mine.position`,
      [late, early],
    )
    const { body } = await ask(late)
    const within = body.comparisons.filter(
      ({ kind }: { kind: string }) => kind === 'session_within_form',
    )
    expect(within.map(({ id }: { id: string }) => id)).toEqual([`${early}/A`, `${early}/B`])
    expect(within[0].earlier).toMatchObject({ name: 'Morning, form A', people: 80, questions: 30 })
    expect(within[0].anchors).toHaveLength(30)
    expect(within.map(({ offer }: { offer: unknown }) => offer)).toEqual([null, null])
  })

  it('tell which questions favour a form or a room, from a hundred people on', async () => {
    const code = await twoForms(MORNING, { people: 80, seed: 9 })
    const few = (await ask(code)).body.favoured
    expect(few.map(({ group }: { group: string }) => group)).toEqual(['form'])
    expect(few[0]).toMatchObject({ people: 80, ofPeople: 160, whyHidden: null, comparedCount: 10 })
    const small = await twoForms({ people: 45, seed: 1 }, { people: 60, seed: 2 })
    expect((await ask(small)).body.favoured[0]).toMatchObject({
      ...{ whyHidden: 'Shown from 50 candidates in each group on; the smaller has 45.' },
      ...{ questions: [], comparedCount: 0 },
    })
  })

  it('show a question that a room knew', async () => {
    const { code } = {
      code: await makeSession(rig, desk.society.id, { session: 'x', questions: 30 }),
    }
    const marks = crowdMarks({ people: 160, seed: 1 }, 10, 20)
    // In room 2 nearly everybody has the hardest question right.
    const told = marks.map((row, at) => (at % 2 === 0 && at % 12 !== 0 ? row.with(29, 1) : row))
    await storeSat(rig, code, told, { room: (at) => (at % 2 === 0 ? '2' : '1') })
    const { favoured } = (await ask(code)).body
    const room = favoured.find(({ name }: { name: string }) => name === 'Room 2')
    expect(room.questions).toContainEqual(
      expect.objectContaining({ number: 30, letter: 'C', delta: expect.any(Number) }),
    )
    expect(
      room.questions.find(({ number }: { number: number }) => number === 30).delta,
    ).toBeGreaterThan(1.5)
  })

  it('moves the scores of one form alone: in results, files, rulings and what candidates read', async () => {
    const code = await twoForms(MORNING, EASIER)
    const { points } = (await ask(code, '/shift?comparison=forms')).body.offer
    const body = { id: randomUUID(), comparison: 'forms', points, moved: 80, reason: 'Easier.' }
    expect((await ask(code, '/shift', body)).body).toMatchObject({ points, form: 'B' })
    const { shift } = await readResults(organiserOf(rig), code)
    expect(shift).toMatchObject({ form: 'B', points, reason: 'Easier.' })

    const client = rig.db.$client
    const table = await readAnswerTable(client, code)
    const facts = await readResultFacts(client, { code, durationSeconds: 3600 }, table)
    expect(facts.map((one) => one.shift)).toEqual(
      facts.map(({ form }) => (form === 'B' ? points : 0)),
    )
    const [none] = (await readRulingPreview(client, code, 1, true)).rulings
    const shown = none?.places?.candidates.map((one) => [one.number, one.points])
    const pointsOf = new Map(facts.map((one) => [one.number, one.correct + one.shift]))
    expect(shown).toEqual(shown?.map(([number]) => [number, pointsOf.get(number as number)]))

    const { userId } = desk.owner
    await client.query('update attempts set user_id = $2 where assessment = $1', [code, userId])
    await client.query(
      `insert into result_releases (assessment, released_at, released_by, words) values ($1, $2, 'ana', '')`,
      [code, DAY],
    )
    for (const { reference, shift } of [facts[0], facts.at(-1)] as typeof facts) {
      expect(await readReleased(rig.db, { userId, reference })).toMatchObject({ shift })
    }
  })
})

describe('a shift', () => {
  const draw = (code: string, points: number, more = '') =>
    rig.db.$client.query(
      `insert into result_lines (assessment, points, version, changed_by, changed_at ${more && ', names_shown_at'})
       values ($1, $2, 1, 'ana', $3 ${more && ', $3'})`,
      [code, points, DAY],
    )

  it('is previewed, applied with a reason, stands beside the scores, and is taken back', async () => {
    const { early, late } = await twoSessions(10, MORNING, EASIER)
    await draw(late, 18)
    const preview = await ask(late, `/shift?comparison=${early}`)
    expect(preview.body).toMatchObject({ name: 'Afternoon', onto: 'Morning', moved: 80, line: 18 })
    const { points } = preview.body.offer
    expect(preview.body.crossing.length).toBeGreaterThan(0)
    for (const { before, after, isIn } of preview.body.crossing) {
      expect([after - before, before >= 18, isIn]).toEqual([points, true, false])
    }
    const body = { id: randomUUID(), comparison: early, points, moved: 80, reason: 'Easier form.' }
    const applied = await ask(late, '/shift', body)
    expect(applied).toMatchObject({ status: 200, body: { points, onto: 'Morning', form: null } })
    // Pressed twice it is applied once.
    expect((await ask(late, '/shift', body)).body).toEqual(applied.body)
    expect(await readShift(rig.db.$client, late)).toMatchObject({
      ...{ points, form: null, reason: 'Easier form.', anchorCount: 10 },
      ...{ seed: preview.body.offer.seed, interval: preview.body.offer.interval },
    })
    // Scores themselves stay.
    const after = await ask(late)
    expect(after.body.comparisons[0].offer.points).toBe(points)
    expect(after.body.shifts).toHaveLength(1)
    const again = await ask(late, '/shift', { ...body, id: randomUUID() })
    expect(again).toMatchObject({ status: 409, body: { code: 'shift_stands' } })

    expect((await ask(late, `/shift/${body.id}/withdraw`, {})).status).toBe(200)
    expect(await readShift(rig.db.$client, late)).toBeNull()
    expect((await ask(late)).body.shifts[0].withdrawn.by).toMatch(/^ana-/)
    expect((await ask(late, `/shift/${body.id}/withdraw`, {})).body.code).toBe('no_such_shift')
    const noted = (await auditOf(rig, late)).map(({ action }) => action)
    expect(noted).toEqual(['apply-shift', 'withdraw-shift'])
    const [line] = await auditOf(rig, late)
    expect(line?.detail).toMatchObject({ points, moved: 80, reason: 'Easier form.' })
  })

  it('is refused where the numbers are others than were previewed, or move the other session', async () => {
    const { early, late } = await twoSessions(10, MORNING, EASIER)
    const { points } = (await ask(late, `/shift?comparison=${early}`)).body.offer
    const press = (of: string, more: object) =>
      ask(of, '/shift', {
        ...{ id: randomUUID(), comparison: early, points, moved: 80, reason: 'x' },
        ...more,
      })
    expect((await press(late, { points: points - 0.5 })).body).toMatchObject({
      ...{ code: 'stale', points, moved: 80 },
    })
    expect((await press(late, { moved: 79 })).body.code).toBe('stale')
    expect((await press(late, { comparison: 'forms' })).body.code).toBe('no_such_comparison')
    expect((await press(early, { comparison: late })).body.code).toBe('moves_the_other')
    expect((await press(late, { reason: ' ' })).status).toBe(400)
    expect(await readShift(rig.db.$client, late)).toBeNull()
  })

  it.each([
    ['names_shown', (code: string) => draw(code, 18, 'shown')],
    [
      'released',
      (code: string) =>
        rig.db.$client.query(
          `insert into result_releases (assessment, released_at, released_by, words) values ($1, $2, 'ana', '')`,
          [code, DAY],
        ),
    ],
    [
      'still_inside',
      async (code: string) => {
        const { id } = await makeCandidate(rig, code)
        await rig.db.$client.query(
          `insert into attempts (id, assessment, candidate_id, paper, started_at, deadline_at, window_id, is_demo)
           values ($1, $2, $3, array(select id from assessment_items where assessment = $2), $4, $5, 'w', false)`,
          [randomUUID(), code, id, DAY, new Date(DAY.getTime() + 60_000)],
        )
      },
    ],
  ])('is too late: %s', async (lock, make) => {
    const { early, late } = await twoSessions(10, MORNING, EASIER)
    const { points } = (await ask(late, `/shift?comparison=${early}`)).body.offer
    await make(late)
    const body = { id: randomUUID(), comparison: early, points, moved: 80, reason: 'x' }
    expect((await ask(late, '/shift', body)).body.code).toBe(lock)
    expect((await ask(late)).body.shiftLock).toBe(lock)
    expect(await readShift(rig.db.$client, late)).toBeNull()
  })

  it('is an owner’s', async () => {
    const { early, late } = await twoSessions(10, MORNING, EASIER)
    const author = await desk.member('author', 'author')
    expect((await ask(late, '', undefined, author)).status).toBe(200)
    for (const role of ['author', 'reviewer', 'invigilator'] as const) {
      const member = await desk.member(role, role)
      expect((await ask(late, `/shift?comparison=${early}`, undefined, member)).status).toBe(404)
    }
    const helper = await desk.member('helper', 'invigilator')
    expect((await ask(late, '', undefined, helper)).status).toBe(404)
  })
})
