import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { auditOf } from '../../../tests/rig/organizer-rig.ts'
import { satTest } from '../../../tests/rig/results-rig.ts'
import { useRig } from '../../../tests/rig/rig.ts'
import { coveredId } from '../../access/server/reach.ts'

const rig = useRig()
const coverOf = (one?: { id: string }) => coveredId(rig.dependencies.secretKey, one?.id ?? '')

describe('the cut score', () => {
  it('can be set and changed, and needs a reason once it is locked', async () => {
    const { member, code } = await satTest(rig, [1, 2, 3])
    const owner = await member('owner')
    const drawn = await owner('PUT', '/line', { version: 0, points: 2 })
    expect([drawn.status, drawn.body.points, drawn.body.version]).toEqual([200, 2, 1])
    const moved = await owner('PUT', '/line', { version: 1, points: 2.5 })
    expect([moved.status, moved.body.points, moved.body.version]).toEqual([200, 2.5, 2])
    expect((await owner('GET')).body.line).toEqual(moved.body)
    const fixed = await owner('POST', '/line/fix', { version: 2 })
    expect([fixed.status, fixed.body.fixedBy]).toEqual([200, fixed.body.changedBy])
    const { version } = fixed.body
    const refused = await owner('PUT', '/line', { version, points: 1 })
    expect([refused.status, refused.body.code]).toEqual([409, 'line_fixed'])
    const last = await owner('PUT', '/line', { version, points: 1, reason: 'A room more.' })
    expect([last.status, last.body.fixedAt]).toEqual([200, fixed.body.fixedAt])
    const log = (await auditOf(rig, code)).filter(({ action }) => action === 'set-line')
    expect(log.map(({ detail }) => detail)).toEqual([
      { before: null, after: 2 },
      { before: 2, after: 2.5 },
      { before: 2.5, after: 1, reason: 'A room more.' },
    ])
  })

  it('is set once if two owners save at the same time; the second one sees who was first and the current value', async () => {
    const { member } = await satTest(rig, [1, 2, 3])
    const [ana, ben] = [await member('owner'), await member('owner')]
    const both = await Promise.all([
      ana('PUT', '/line', { version: 0, points: 2 }),
      ben('PUT', '/line', { version: 0, points: 2 }),
    ])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
    const first = both.find(({ status }) => status === 200)
    for (const [path, body] of [
      ['/line', { version: 0, points: 3 }],
      ['/line/fix', { version: 4 }],
    ] as const) {
      const later = first === both[0] ? ben : ana
      const stale = await later(path === '/line' ? 'PUT' : 'POST', path, body)
      expect([stale.status, stale.body.code]).toEqual([409, 'stale'])
      expect(stale.body.line).toEqual(first?.body)
      expect(stale.body.message).toBe(
        `${first?.body.changedBy} has set the cut score to 2 since you opened this page.`,
      )
    }
  })

  it('is locked, names are shown and results are released only once all have finished', async () => {
    const { member, code } = await satTest(rig, [1, 2])
    const owner = await member('owner')
    await owner('PUT', '/line', { version: 0, points: 2 })
    const reopened = () => rig.sql`update attempts set submitted_at = null, submit_reason = null,
      closed_by_submit = false where id = (select id from attempts where assessment = ${code} limit 1)`
    await reopened()
    const fix = () => owner('POST', '/line/fix', { version: 1 })
    expect((await fix()).body.code).toBe('results_not_ready')
    await rig.sql`update attempts set submitted_at = now(), submit_reason = 'deadline'
      where assessment = ${code} and submitted_at is null`
    expect((await fix()).status).toBe(200)
    await reopened()
    expect((await owner('POST', '/names')).body.code).toBe('results_not_ready')
    const release = { words: '', tellsLine: false, reason: 'Never mind.' }
    expect((await owner('POST', '/release', release)).body.code).toBe('results_not_ready')
  })

  it('can only be set by an owner, in half points', async () => {
    const { member } = await satTest(rig, [1])
    const line = { version: 0, points: 2 }
    expect((await (await member('reviewer'))('PUT', '/line', line)).status).toBe(404)
    const owner = await member('owner')
    for (const points of [-1, 0.3, 1001, null]) {
      expect((await owner('PUT', '/line', { version: 0, points })).status).toBe(400)
    }
    expect((await owner('POST', '/line/fix', { version: 1 })).status).toBe(409)
  })
})

describe('revealing names', () => {
  it('one by one is logged, and all members can see it', async () => {
    const { member, sat, code } = await satTest(rig, [1, 2])
    const reviewer = await member('reviewer')
    const found = await reviewer('POST', `/names/${coverOf(sat[1])}`)
    expect(found.body).toEqual({
      ...{ id: coverOf(sat[1]), username: 'sat.1', name: 'Name 1 Surname' },
      ...{ email: 'sat1@student.example', room: 'Room 2.11' },
    })
    const [noted] = await auditOf(rig, code)
    expect([noted?.action, noted?.detail]).toEqual(['show-name', { username: 'sat.1' }])
    expect((await reviewer('GET')).body.names.looks).toEqual([{ by: noted?.actor, count: 1 }])
    expect((await reviewer('POST', `/names/${randomUUID()}`)).status).toBe(404)
  })

  it('of another test is refused', async () => {
    const other = await satTest(rig, [1])
    const { member } = await satTest(rig, [1])
    const answer = await (await member('owner'))('POST', `/names/${coverOf(other.sat[0])}`)
    expect(answer.status).toBe(404)
  })

  it('for all is open to an owner once the cut score is locked', async () => {
    const { member, sat } = await satTest(rig, [1, 2])
    const [owner, reviewer] = [await member('owner'), await member('reviewer')]
    expect((await owner('POST', '/names')).body.code).toBe('no_line')
    await owner('PUT', '/line', { version: 0, points: 2 })
    expect((await owner('POST', '/names')).body.code).toBe('line_not_fixed')
    expect((await owner('GET', '/names')).body.code).toBe('names_covered')
    await owner('POST', '/line/fix', { version: 1 })
    expect((await owner('GET', '/names')).body.code).toBe('names_covered')
    // The cut score is locked and names are still hidden, so this view counts as early.
    await reviewer('POST', `/names/${coverOf(sat[0])}`)
    rig.clock.now = new Date(rig.clock.now.getTime() + 1_000)
    expect((await owner('POST', '/names')).status).toBe(200)
    const { body } = await owner('GET', '/names')
    expect(body.names.map(({ id }: { id: string }) => id)).toEqual(sat.map(coverOf))
    // A reviewer asks for each name, and hidden names stay hidden in the list.
    expect((await reviewer('GET', '/names')).status).toBe(404)
    expect(JSON.stringify((await owner('GET')).body)).not.toContain('Surname')
    // After the choice, the view is logged but doesn't count as early.
    await reviewer('POST', `/names/${coverOf(sat[0])}`)
    expect((await owner('GET')).body.names.looks).toMatchObject([{ count: 1 }])
  })
})
