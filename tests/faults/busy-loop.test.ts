/**
 * Tests a server that computes for seconds: it is alive, and no candidate gets extra time.
 * @module-tag full
 */
import { expect, it } from 'vitest'
import { startPulseThread } from '../../assessments/server/pulse/start-pulse-thread.ts'
import { useRig } from '../rig/rig.ts'

const rig = useRig()

it('A process that computes for seven seconds records no outage, because its heartbeat has its own thread', async () => {
  const { rows: before } = await rig.db.$client.query('select from service_outages')
  const work = { databaseUrl: rig.databaseUrl, logLevel: 'warn' }
  const pulse = startPulseThread(work, rig.dependencies.log)
  const lastBeat = async () =>
    (await rig.db.$client.query('select last_seen_at as at from service_pulse')).rows[0]?.at
  await expect.poll(lastBeat, { timeout: 20_000 }).toBeInstanceOf(Date)
  const end = performance.now() + 7_000
  while (performance.now() < end);
  const first = (await lastBeat()).getTime()
  expect(Date.now() - first).toBeLessThan(4_000)
  await expect.poll(async () => (await lastBeat()).getTime()).toBeGreaterThan(first)
  await pulse.stop()
  const { rows: after } = await rig.db.$client.query('select from service_outages')
  expect(after).toHaveLength(before.length)
}, 40_000)
