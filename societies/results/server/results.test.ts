import { expect, it } from 'vitest'
import { sweepOnce } from '../../../assessments/server/sweep.ts'
import { seededRandom } from '../../../tests/rig/answered.ts'
import {
  DAY,
  LIMIT,
  makeAssessment,
  makeCandidate,
  moveClock,
  takeSeat,
} from '../../../tests/rig/assessment-rig.ts'
import { auditOf, codeOf, organizerOf, resultsIn } from '../../../tests/rig/organizer-rig.ts'
import { useRig } from '../../../tests/rig/rig.ts'
import { sized } from '../../../tests/setup/size.ts'
import type { Ruling } from '../contract-analysis.ts'
import { regradeItem } from './regrade.ts'

const rig = useRig({}, DAY)

const LETTERS = ['A', 'B', 'C', 'D'] as const

it('the results of many candidates with random behavior match an independent tally', async () => {
  const ITEMS = 12
  const PEOPLE = sized(200, 50)
  const { code, items: keys } = await makeAssessment(rig, { itemCount: ITEMS, shuffle: true })

  /** The test's own count, independent of the product. */
  interface Tally {
    username: string
    choices: Map<number, string>
    strikes: number
    /** milliseconds after the start; null while it runs */
    endedMs: number | null
  }
  const tallies: Tally[] = []
  /** Tallies a candidate by product 6.11.2. */
  const rowOf = (tally: Tally) => {
    let correct = 0
    for (const [item, choice] of tally.choices) {
      if (keys[item]?.correctOption === choice) correct += 1
    }
    const seconds = Math.floor((tally.endedMs ?? LIMIT) / 1000)
    const two = (value: number) => String(value).padStart(2, '0')
    return `${tally.username},${correct},${ITEMS - correct},${two(Math.floor(seconds / 60))}:${two(seconds % 60)},${tally.strikes > 0}`
  }

  const random = seededRandom(20_260_302)
  const pick = (below: number) => Math.floor(random() * below)
  const people = []
  for (let index = 0; index < PEOPLE + 3; index += 1) {
    // The last three are demo candidates; one name is a formula.
    const isDemo = index >= PEOPLE
    const username = index === 7 ? '=SUM(A1:A9)' : `sim-${String(index).padStart(3, '0')}`
    await makeCandidate(rig, code, username, { isDemo })
    const tally: Tally = { username, choices: new Map(), strikes: 0, endedMs: null }
    if (!isDemo) tallies.push(tally)
    people.push({
      tally,
      seat: await takeSeat(rig, code, username),
      behavior: ['swift', 'slow', 'reloading', 'dropping', 'violating'][pick(5)],
      startsMs: pick(240) * 1000,
      revision: 1,
      event: 0,
      hasStarted: false,
      offsetMs: 0,
    })
  }
  type Person = (typeof people)[number]
  const nowMs = () => rig.clock.now.getTime() - DAY.getTime()

  const answer = async (person: Person) => {
    const item = pick(ITEMS)
    const choice = LETTERS[pick(4)] as string
    person.revision += 1
    const saved = await person.seat.save([
      { questionId: keys[item]?.id ?? 0, choice, revision: person.revision },
    ])
    expect(saved.status).toBe(200)
    person.tally.choices.set(item, choice)
    // A save that is sent twice or arrives late changes nothing.
    if (pick(4) === 0) {
      await person.seat.save([{ questionId: keys[item]?.id ?? 0, choice: 'A', revision: 1 }])
    }
  }
  const violate = async (person: Person) => {
    const at = nowMs() - person.startsMs
    const acts = [['copy'], ['page_hidden', 'page_visible'], ['paste', 'shortcut']][pick(3)] ?? []
    const { status, body } = await person.seat.report(
      ...acts.map((kind) => {
        person.event += 1
        return { id: person.event, kind, at: at - person.offsetMs }
      }),
    )
    expect(status).toBe(200)
    person.tally.strikes += 1
    expect(body.violations).toBe(person.tally.strikes)
    if (person.tally.strikes === 3) person.tally.endedMs = at
  }
  const submit = async (person: Person) => {
    const rest = keys.flatMap(({ id }, item) => {
      if (person.tally.choices.has(item)) return []
      const choice = LETTERS[pick(4)] as string
      person.tally.choices.set(item, choice)
      return [{ questionId: id, choice, revision: 1_000 }]
    })
    expect((await person.seat.submit(rest)).status).toBe(200)
    person.tally.endedMs = nowMs() - person.startsMs
  }
  const open = async (person: Person) => {
    expect((await person.seat.start()).body.status).toBe('in_progress')
    person.offsetMs = nowMs() - person.startsMs
    person.event = 1
    await person.seat.report({ id: 1, kind: 'ready', at: 0 })
  }

  while (nowMs() < LIMIT + 260_000) {
    for (const person of people) {
      const { tally, behavior } = person
      if (!person.hasStarted && nowMs() >= person.startsMs) {
        person.startsMs = nowMs()
        person.hasStarted = true
        await open(person)
      }
      const elapsedMs = nowMs() - person.startsMs
      if (!person.hasStarted || tally.endedMs !== null || elapsedMs >= LIMIT - 1_000) continue
      if (behavior === 'dropping' && elapsedMs > 400_000) continue
      if (pick(6) === 0) await answer(person)
      if (behavior === 'violating' && pick(12) === 0) await violate(person)
      if (tally.endedMs !== null) continue
      if (behavior === 'reloading' && pick(20) === 0) {
        person.seat = await takeSeat(rig, code, tally.username, person.seat)
        await open(person)
      }
      if (behavior !== 'slow' && behavior !== 'dropping' && elapsedMs > 500_000 && pick(12) === 0) {
        await submit(person)
      }
    }
    await moveClock(rig, 29_000 + pick(2_000))
    await sweepOnce(rig.dependencies)
  }
  const lines = (await resultsIn(rig, code))
    .map((one) => [one.username, one.correct, one.incorrect, one.time, one.cheated].join(','))
    .sort()
  expect(lines).toHaveLength(PEOPLE)
  expect(lines).toEqual(tallies.map(rowOf).sort())
  // The run includes every kind of candidate.
  expect(tallies.filter(({ strikes }) => strikes === 3).length).toBeGreaterThan(1)
  const submitted = tallies.filter(({ endedMs, strikes }) => endedMs !== null && strikes === 0)
  const running = tallies.filter(({ endedMs }) => endedMs === null)
  for (const kind of [submitted, running]) expect(kind.length).toBeGreaterThan(PEOPLE / 5)
}, 120_000)

it('regrading refuses an existing ruling, an unknown item and a blank reason', async () => {
  const { code } = await makeAssessment(rig, { itemCount: 5 })
  const rule = (item: number, ruling: Ruling, reason: string) =>
    regradeItem({ ...organizerOf(rig), code }, item, ruling, reason)
  const accept = { kind: 'accept', option: 'A' } as const
  const full = { kind: 'full_marks', option: null } as const
  const none = { kind: 'void', option: null } as const
  const made: Ruling[] = [accept, none, { kind: 'replace', option: 'B' }, full]
  for (const [at, one] of made.entries()) await rule(at + 2, one, 'before')
  const rulings = async () => await rig.sql`select * from item_rulings order by id`
  const before = await rulings()
  for (const [item, ruling, reason, refusal] of [
    [99, accept, 'why', 'not_found'],
    [1, accept, 'the key itself', 'already_right'],
    [2, accept, 'why', 'already_right'],
    [3, accept, 'why', 'already_void'],
    [4, { kind: 'replace', option: 'C' }, 'a second key', 'already_replaced'],
    [5, none, 'why', 'already_full_marks'],
    [1, { kind: 'accept', option: 'B' }, ' ', 'reason_missing'],
  ] as [number, Ruling, string, string][]) {
    const refused = await codeOf(() => rule(item, ruling, reason))
    expect([item, refused.code]).toEqual([item, refusal])
  }
  expect(await rulings()).toEqual(before)
  expect(await auditOf(rig, code)).toHaveLength(4)
})
