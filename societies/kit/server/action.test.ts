import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { makeAssessment } from '../../../tests/rig/assessment-rig.ts'
import { actionsOf, auditOf, organizerOf } from '../../../tests/rig/organizer-rig.ts'
import { signUp, useRig } from '../../../tests/rig/rig.ts'
import { requireAssessment } from '../../access/server/assessments.ts'
import { act, foresee, read, staleError } from './action.ts'

const rig = useRig()

describe('an audited action', () => {
  it('rolls back the change and the log entry if it fails', async () => {
    const { code } = await makeAssessment(rig)
    const broken = act(organizerOf(rig), 'window', code, async (client) => {
      await client.query('update assessments set opens_at = now() where code = $1', [code])
      throw new Error('the cable')
    })
    await expect(broken).rejects.toThrow('the cable')
    const rows = await rig.sql`select opens_at as "opensAt" from assessments where code = ${code}`
    expect(rows).toEqual([{ opensAt: null }])
    expect(await auditOf(rig, code)).toEqual([])
  })

  it('writes no log entry if it changed nothing', async () => {
    const { code } = await makeAssessment(rig)
    const idle = async () => ({ result: 'as it was', detail: null })
    expect(await act(organizerOf(rig), 'settings', code, idle)).toBe('as it was')
    expect(await actionsOf(rig, code)).toEqual([])
  })
})

describe('a request with an id', () => {
  const count = (code: string, requestId: string, work = async () => 'first') =>
    act({ ...organizerOf(rig), requestId }, 'settings', code, async () => ({
      result: { answer: await work() },
      detail: {},
    }))

  it('can be retried after an error', async () => {
    const { code } = await makeAssessment(rig)
    const id = randomUUID()
    const broken = count(code, id, () => Promise.reject(new Error('the cable')))
    await expect(broken).rejects.toThrow('the cable')
    expect(await count(code, id)).toEqual({ answer: 'first' })
  })

  it('is valid for one action of one member', async () => {
    const [{ code }, other] = [await makeAssessment(rig), await makeAssessment(rig)]
    const id = randomUUID()
    await count(code, id)
    await expect(count(other.code, id)).rejects.toMatchObject({ code: 'request_used' })
    const { userId } = await signUp(rig)
    const theirs = act(
      { ...organizerOf(rig), userId, requestId: id },
      'settings',
      code,
      async () => ({ result: null, detail: {} }),
    )
    await expect(theirs).rejects.toMatchObject({ code: 'request_used' })
    expect(await auditOf(rig, other.code)).toEqual([])
  })
})

describe("an organizer's read", () => {
  it('runs with at most two others and leaves a connection for saves', async () => {
    const { code } = await makeAssessment(rig)
    let most = 0
    let underWay = 0
    const work = async () => {
      underWay += 1
      most = Math.max(most, underWay)
      await rig.sql`select pg_sleep(0.03)`
      underWay -= 1
    }
    const organizer = organizerOf(rig)
    const members = [await signUp(rig), await signUp(rig)]
    const looks = Array.from({ length: 12 }, (_, n) => ({
      ...organizer,
      ...members[n % 2],
      n,
    })).map(({ n, ...member }) =>
      n % 3 === 0
        ? read(member, work)
        : n % 3 === 1
          ? foresee(member, work)
          : act(member, 'export-candidates', code, async () => ({
              result: await work(),
              detail: {},
            })),
    )
    await Promise.all(looks)
    expect(most).toBe(3)
    // A failed read must release its slot.
    const broken = Array.from({ length: 4 }, () =>
      read(organizer, () => Promise.reject(new Error('the cable'))).catch(() => 'failed'),
    )
    expect(await Promise.all(broken)).toEqual(Array(4).fill('failed'))
    expect(await read(organizer, async () => 'read')).toBe('read')
  })

  it('sees a single snapshot despite concurrent changes', async () => {
    const { code } = await makeAssessment(rig)
    const seen = await read(organizerOf(rig), async (client) => {
      const before = await requireAssessment(client, code)
      await rig.sql`update assessments set society = 'Other' where code = ${code}`
      const after = await requireAssessment(client, code)
      return [before.society, after.society]
    })
    expect(seen).toEqual(['Test Society', 'Test Society'])
  })

  it('cannot change or lock anything', async () => {
    const { code } = await makeAssessment(rig)
    const organizer = organizerOf(rig)
    await expect(
      read(organizer, (client) => client.query('delete from assessments where code = $1', [code])),
    ).rejects.toThrow(/read-only transaction/)
    await expect(
      read(organizer, (client) => requireAssessment(client, code, 'change')),
    ).rejects.toThrow(/read-only transaction/)
  })
})

const NOW = new Date('2026-03-02T10:00:00Z')
const ago = (seconds: number) => new Date(NOW.getTime() - seconds * 1000)

it.each([
  [{ by: 'Paul', at: ago(20) }, 'Paul changed this just now.'],
  [{ by: 'Paul', at: ago(60) }, 'Paul changed this a minute ago.'],
  [{ by: 'Paul', at: ago(3_599) }, 'Paul changed this 59 minutes ago.'],
  [{ by: 'Paul', at: ago(7_200) }, 'Paul changed this 2 hours ago.'],
  [{ by: 'Paul', at: ago(86_400) }, 'Paul changed this a day ago.'],
  [{ by: 'Paul', at: null }, 'Paul changed this.'],
  [{ by: null, at: ago(60) }, 'This was changed a minute ago.'],
  [{ by: 'Paul', at: ago(60), isYou: true }, 'You changed this on another page a minute ago.'],
])('a stale form with the last change %j says: %s', (last, said) => {
  const { status, code, message } = staleError(last, NOW)
  expect([status, code]).toEqual([409, 'stale'])
  expect(message).toBe(`${said} Reload to see the new version. Your text is kept.`)
})
