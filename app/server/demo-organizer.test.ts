import { expect, it } from 'vitest'
import { loadSamples } from '../../societies/server/demo.ts'
import { setUpApp, signIn } from '../../tests/rig/auth-rig.ts'
import { useRig } from '../../tests/rig/rig.ts'
import { makeSociety } from '../../tests/rig/society-rig.ts'
import { closeDemoOrganizer, resetDemoOrganizer } from './demo-organizer.ts'

const rig = useRig()

it('the demo organizer owns the samples, gets a new password at each start, and does not exist in production', async () => {
  await loadSamples(rig.db, rig.clock.now)
  // Simulates a database of an earlier version.
  const { id: old } = await makeSociety(rig, 'Business School Finance Society')
  await rig.db.$client.query(`update assessments set society_id = $1 where code like 'ESFS%'`, [
    old,
  ])
  const first = await resetDemoOrganizer(rig.db, rig.clock.now)
  const { body } = await signIn(rig, first.email, first.password)
  const get = (path: string, token: string) => rig.call('GET', path, { token })
  const { societies } = (await get('/api/societies', body.access_token)).body
  expect(societies).toMatchObject([{ name: 'Demo Society', roles: [{ role: 'owner' }] }])
  const listed = await get(`/api/societies/${societies[0].id}/assessments`, body.access_token)
  expect(listed.body.map(({ code }: { code: string }) => code)).toEqual([
    ...['ESFS_AFTERNOON', 'ESFS_MORNING', 'PCF'],
  ])

  const app = await setUpApp(rig, body.access_token)
  const second = await resetDemoOrganizer(rig.db, rig.clock.now)
  expect((await get('/api/societies', app.token)).status).toBe(401)
  expect((await get('/api/societies', body.access_token)).status).toBe(401)
  expect((await signIn(rig, first.email, first.password)).status).toBe(400)
  const again = await signIn(rig, second.email, second.password)
  expect([again.status, again.body.user.factors]).toEqual([200, undefined])
  expect((await rig.db.$client.query('select from memberships')).rowCount).toBe(1)

  await closeDemoOrganizer(rig.db, rig.clock.now)
  expect((await signIn(rig, second.email, second.password)).status).toBe(400)
})
