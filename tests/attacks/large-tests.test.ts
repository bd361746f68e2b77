/** @module-tag full */
import { expect, it } from 'vitest'
import { makeSatTest, memberOfTest } from '../rig/analysis-rig.ts'
import { standstillOf, useRig } from '../rig/rig.ts'

// Views of a large test that any founder can fill. Saves of all candidates run on the same event loop.
const rig = useRig()
const PEOPLE = 1_000
const QUESTIONS = 150

/** A test with many candidates who opened it and left. */
async function makeLargeTest() {
  const test = await makeSatTest(rig, 'A'.repeat(QUESTIONS), ['B'.repeat(QUESTIONS)])
  const { code, attempts } = test
  await rig.sql`insert into candidates (id, assessment, username, password_hash, created_at)
    select gen_random_uuid(), ${code}, 'p' || n, decode(repeat('00', 32), 'hex'), now()
    from generate_series(1, ${PEOPLE - 1}::int) n`
  await rig.sql`insert into attempts (id, assessment, candidate_id, paper, started_at, deadline_at, submitted_at,
      submit_reason, window_id, is_demo)
    select gen_random_uuid(), a.assessment, c.id, a.paper, a.started_at, a.deadline_at, a.submitted_at,
      a.submit_reason, a.window_id, false
    from attempts a join candidates c on c.assessment = a.assessment and c.id <> a.candidate_id
    where a.id = ${attempts[0]}`
  // Plans of a table that has just grown are slow.
  await rig.sql`analyze attempts, candidates`
  return test
}

it('A view of a test with 1,000 candidates and 150 questions never holds up the calls of others', {
  timeout: 60_000,
}, async () => {
  const owner = await memberOfTest(rig, await makeLargeTest(), 'owner')
  const stalls: Record<string, number> = {}
  for (const route of [
    '/results',
    '/analysis',
    '/analysis/1',
    '/incidents',
    '/incidents/compare',
    '/fairness',
  ]) {
    // The first call compiles the code.
    expect((await owner.get(route)).status, route).toBe(200)
    stalls[route] = Math.round((await standstillOf(() => owner.get(route))).longest)
  }
  expect(Math.max(...Object.values(stalls)), JSON.stringify(stalls)).toBeLessThan(100)
})

it('A file of a test with 1,000 candidates and 150 questions never holds up the calls of others', {
  timeout: 60_000,
}, async () => {
  const owner = await memberOfTest(rig, await makeLargeTest(), 'owner')
  const stalls: Record<string, number> = {}
  for (const file of ['csv_without_names', 'workbook', 'sheets']) {
    const write = () => owner.post('/results/files', { file })
    expect((await write()).status, file).toBe(200)
    stalls[file] = Math.round((await standstillOf(write)).longest)
  }
  expect(Math.max(...Object.values(stalls)), JSON.stringify(stalls)).toBeLessThan(100)
})
