import { beforeEach, describe, expect, it } from 'vitest'
import {
  DAY,
  makeAssessment,
  makeCandidate,
  moveClock,
  type Seat,
  takeSeat,
} from '../../../tests/rig/assessment-rig.ts'
import { useRig } from '../../../tests/rig/rig.ts'
import { sized } from '../../../tests/setup/size.ts'

// A test with two forms (product 7.19). Each candidate's form is assigned at the start and never changes.
const rig = useRig()
beforeEach(() => {
  rig.clock.now = DAY
})

/** Both forms ask questions 1 to 4. Only A asks 5 and 6, and only B asks 7 and 8. */
async function makeForms() {
  const { code, items } = await makeAssessment(rig, { itemCount: 8, shuffle: true })
  await rig.db.$client.query(
    `update assessment_items set form = case when position in (5, 6) then 'A' else 'B' end
     where assessment = $1 and position > 4`,
    [code],
  )
  const ids = items.map(({ id }) => id)
  const itemsOf = { A: ids.filter((_, n) => n < 6), B: ids.filter((_, n) => n < 4 || n > 5) }
  return { code, itemsOf }
}

async function fillRoom(code: string, size: number): Promise<Seat[]> {
  const seats: Seat[] = []
  for (let number = 0; number < size; number += 1) {
    const { username } = await makeCandidate(rig, code, `room-${number}`)
    seats.push(await takeSeat(rig, code, username))
  }
  return seats
}

async function attemptsOf(code: string) {
  const { rows } = await rig.db.$client.query<{
    username: string
    form: 'A' | 'B'
    paper: number[]
  }>(
    `select c.username, a.form, a.paper from attempts a join candidates c on c.id = a.candidate_id
     where a.assessment = $1 order by a.started_at, c.username`,
    [code],
  )
  return rows
}

const idsOf = (body: { questions: { id: number }[] }) => body.questions.map(({ id }) => id)
const sorted = (ids: readonly number[]) => ids.toSorted((a, b) => a - b)

describe('two test forms', () => {
  it('are split evenly over a simultaneous start with repeated clicks, without being shown', async () => {
    const { code, itemsOf } = await makeForms()
    const people = sized(300, 24)
    const seats = await fillRoom(code, people)
    const started = await Promise.all(
      seats.flatMap((seat) => [seat.start(), seat.start()].map(async (answer) => await answer)),
    )
    expect(new Set(started.map(({ status }) => status))).toEqual(new Set([200]))
    const attempts = await attemptsOf(code)
    expect(attempts).toHaveLength(people)
    const inA = attempts.filter(({ form }) => form === 'A').length
    expect(Math.abs(2 * inA - people)).toBeLessThanOrEqual(2)
    const paperOf = new Map(attempts.map(({ username, paper }) => [username, paper]))
    for (const { form, paper } of attempts) expect(sorted(paper)).toEqual(sorted(itemsOf[form]))
    for (const [n, { body }] of started.entries()) {
      expect(idsOf(body)).toEqual(paperOf.get(`room-${Math.floor(n / 2)}`))
      expect(JSON.stringify(body)).not.toContain('form')
    }
    // The papers' order differs from the table's.
    expect(new Set(attempts.map(({ paper }) => paper.join())).size).toBeGreaterThan(people / 3)
  }, 120_000)

  it("are assigned twice each per four starts, by the test's seed", async () => {
    const { code } = await makeForms()
    const seats = await fillRoom(code, 16)
    const dealt: string[] = []
    for (const seat of seats) {
      await seat.start()
      const { rows } = await rig.db.$client.query<{ form: string }>(
        `select form from attempts a join candidates c on c.id = a.candidate_id
         where a.assessment = $1 and c.username = $2`,
        [code, seat.username],
      )
      dealt.push(rows[0]?.form ?? '')
    }
    for (let block = 0; block < 16; block += 4) {
      expect(dealt.slice(block, block + 4).sort()).toEqual(['A', 'A', 'B', 'B'])
    }
    const { rows } = await rig.db.$client.query<{ again: string[]; dealt: number }>(
      `select array(select dealt_form(seed, n) from generate_series(0, 15) n order by n) as again, dealt
       from form_deals where assessment = $1 and not is_demo`,
      [code],
    )
    expect(rows[0]).toEqual({ again: dealt, dealt: 16 })
  })

  it('use all six orders of a block of four about equally often', async () => {
    const { rows } = await rig.db.$client.query<{ block: string; count: number }>(
      `select string_agg(dealt_form(7, b * 4 + n), '' order by n) as block, count(*) over ()::int as count
       from generate_series(0, 599) b, generate_series(0, 3) n group by b`,
    )
    const counts = new Map<string, number>()
    for (const { block } of rows) counts.set(block, (counts.get(block) ?? 0) + 1)
    expect([...counts.keys()].sort()).toEqual(['AABB', 'ABAB', 'ABBA', 'BAAB', 'BABA', 'BBAA'])
    for (const count of counts.values()) expect(count).toBeGreaterThan(60)
  })

  it('stay with the candidate in another window and after a pause', async () => {
    const { code } = await makeForms()
    const [seat] = (await fillRoom(code, 1)) as [Seat]
    const first = await seat.start()
    await seat.save([{ questionId: idsOf(first.body)[0] as number, choice: 'A', revision: 1 }])
    moveClock(rig, 60_000)
    const again = await seat.call('POST', '', { windowId: 'another-window' })
    expect(idsOf(again.body)).toEqual(idsOf(first.body))
    expect(again.body.answers).toHaveLength(1)
  })

  it("keep the real candidates' blocks whole when a demo candidate starts", async () => {
    const { code } = await makeForms()
    const demo = await makeCandidate(rig, code, 'demo', { isDemo: true })
    await (await takeSeat(rig, code, demo.username)).start()
    for (const seat of await fillRoom(code, 4)) await seat.start()
    const forms = (await attemptsOf(code)).filter(({ username }) => username !== 'demo')
    expect(forms.map(({ form }) => form).sort()).toEqual(['A', 'A', 'B', 'B'])
  })

  it("cannot differ between the database's assignment and the paper", async () => {
    const { code, itemsOf } = await makeForms()
    const { id } = await makeCandidate(rig, code)
    const insert = (form: string | null, paper: number[]) =>
      rig.db.$client.query(
        `insert into attempts (id, assessment, candidate_id, form, paper, started_at, deadline_at, window_id,
           is_demo)
         values (gen_random_uuid(), $1, $2, $3, $4, $5, $6, 'w', false)`,
        [code, id, form, paper, DAY, new Date(DAY.getTime() + 1)],
      )
    await expect(insert('B', itemsOf.A)).rejects.toThrow('another form')
    await expect(insert(null, itemsOf.A)).rejects.toThrow('another form')
    await expect(insert('A', itemsOf.A.slice(1))).rejects.toThrow('another form')
    await insert('A', itemsOf.A)
  })

  it('show each candidate the number of questions on their form', async () => {
    const { code } = await makeForms()
    const { token } = await takeSeat(rig, code, (await makeCandidate(rig, code)).username)
    const { body } = await rig.call('GET', '/api/assessments', { token })
    expect(body.find((one: { code: string }) => one.code === code).questionCount).toBe(6)
  })
})
