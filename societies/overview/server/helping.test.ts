import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { DAY, makeAssessment, makeCandidate } from '../../../tests/rig/assessment-rig.ts'
import { signUp, useRig } from '../../../tests/rig/rig.ts'
import { makeMember, makeSociety } from '../../../tests/rig/society-rig.ts'
import { helpingWords } from './helping.ts'

const rig = useRig()
const minutes = (count: number) => new Date(DAY.getTime() + count * 60_000)

describe('the sentence for an invigilator', () => {
  const day = {
    ...{ state: 'preparing' as const, timeZone: 'UTC' },
    ...{ opensAt: new Date('2026-03-04T09:00:00Z'), closesAt: new Date('2026-03-04T09:30:00Z') },
    ...{ durationSeconds: 1800, extraSeconds: 480 },
  }
  const now = new Date('2026-03-02T09:00:00Z')
  it.each([
    ['days before', {}, '2.11', 'You are needed on Wed 4 Mar, 09:00 to 10:08.'],
    ['while it runs', { state: 'running' as const }, null, 'You are needed now, until 10:08.'],
    ['when it is over', { state: 'closed' as const }, null, 'It is over. Thank you.'],
    ['without a day', { opensAt: null, closesAt: null }, null, 'Its day is not set yet.'],
  ])('is right %s', (_, more, room, headline) => {
    const said = helpingWords({ room }, { ...day, ...more }, now)
    expect(said.headline).toBe(headline)
  })
  it('names the room and the last moment to start', () => {
    const { sentence } = helpingWords({ room: '2.11' }, day, now)
    expect(sentence).toBe(
      'You look after room 2.11. Candidates can start from 09:00 to 09:30. The last one finishes by 10:08.',
    )
  })
})

it('members who only help see their day and a contact, and no checklist', async () => {
  rig.clock.now = DAY
  const society = await makeSociety(rig)
  await rig.db.$client.query(`update societies set contact = 'Ana, 2.01' where id = $1`, [
    society.id,
  ])
  const member = async (role: 'owner' | 'invigilator' | 'reviewer', name: string) => {
    const account = await signUp(rig, `${name}-${randomUUID().slice(0, 6)}@example.com`)
    await makeMember(rig, society.id, account.userId, role)
    return account
  }
  const owner = await member('owner', 'olga')
  const helper = await member('invigilator', 'ivo')
  const both = await member('invigilator', 'rui')
  await makeMember(rig, society.id, both.userId, 'reviewer')
  await rig.db.$client.query('update memberships set room = $2 where user_id = $1', [
    helper.userId,
    '2.11',
  ])
  const { code } = await makeAssessment(rig, {
    ...{ societyId: society.id, opensAt: minutes(60), closesAt: minutes(90) },
  })
  await makeCandidate(rig, code, undefined, { extraSeconds: 600 })
  const path = `/api/societies/${society.id}/assessments/${code}/overview`
  const seen = async ({ token }: { token: string }) => (await rig.call('GET', path, { token })).body
  expect(await seen(helper)).toMatchObject({
    ...{ rows: [], next: null, changes: [] },
    helping: { room: '2.11', owners: [expect.stringMatching(/^olga-/)], contact: 'Ana, 2.01' },
    headline: expect.stringMatching(/^You are needed on /),
  })
  for (const other of [owner, both]) {
    const overview = await seen(other)
    expect(overview.helping).toBeNull()
    expect(overview.rows).toHaveLength(8)
  }
})
