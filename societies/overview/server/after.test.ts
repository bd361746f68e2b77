import { expect, it } from 'vitest'
import { decide, reportIncident, SIX_OF_EACH, satTest } from '../../../tests/rig/results-rig.ts'
import { useRig } from '../../../tests/rig/rig.ts'

// The checklist after the test (product 7.8.12).
const rig = useRig()

it('The overview after the test leads from the incidents to the fairness report', async () => {
  const { code, sat, member } = await satTest(rig, SIX_OF_EACH)
  const owner = await member('owner')
  const overview = async () => (await owner('GET', '/../overview')).body
  const states = async () =>
    (await overview()).rows.map(({ row, state }: { row: string; state: string }) => [row, state])
  const report = await reportIncident(rig, code, sat[0]?.id)
  expect(await overview()).toMatchObject({
    headline: 'Next: decide 1 incident',
    next: { page: 'incidents' },
  })
  expect(await states()).toEqual([
    ['incidents', 'attention'],
    ['rulings', 'ready'],
    ['cut_score', 'todo'],
    ['release', 'todo'],
    ['files', 'todo'],
    ['fairness', 'todo'],
    ['retention', 'ready'],
  ])
  await decide(rig, sat[0]?.id, report, 'cleared')
  // Counts are cached until a member acts; setting the cut score does.
  await owner('PUT', '/line', { version: 0, points: 2 })
  expect((await overview()).headline).toBe('Next: set the cut score')
  await owner('POST', '/line/fix', { version: 1 })
  expect((await overview()).headline).toBe('Next: release the results')
  await owner('POST', '/release', { words: '', tellsLine: false })
  expect(await overview()).toMatchObject({
    headline: 'Next: publish the fairness report',
    next: { page: 'fairness' },
  })
  await owner('POST', '/../fairness')
  const done = await overview()
  expect(done.headline).toBe('Everything is done.')
  expect(done.sentence).toMatch(/^Answers and names are deleted on /)
})

it('The overview after the test has no rows for members who see no scores', async () => {
  const { member } = await satTest(rig, [1, 2])
  const author = await member('author')
  expect((await author('GET', '/../overview')).body).toMatchObject({ rows: [], next: null })
})
