import { describe, expect, it } from 'vitest'
import { decide, reportIncident, SIX_OF_EACH, satTest } from '../../../tests/rig/results-rig.ts'
import { useRig } from '../../../tests/rig/rig.ts'
import { type Waiting, waitingLines } from './waiting.ts'
import { helperWords } from './words.ts'

// The checklist after the test (product 7.8.12).
const rig = useRig()

it('The overview after the test leads from the incidents to the fairness report', async () => {
  const { code, sat, member } = await satTest(rig, SIX_OF_EACH)
  const owner = await member('owner')
  const overview = async () => (await owner('GET', '/../overview')).body
  const states = async () =>
    (await overview()).rows.map(({ row, state }: { row: string; state: string }) => [row, state])
  const report = await reportIncident(rig, code, sat[0]?.id)
  await decide(rig, sat[0]?.id, report, 'needs_talk')
  expect((await overview()).rows[0]).toMatchObject({
    ...{ finding: '1 incident needs follow-up.', rest: '', word: '1 to decide' },
  })
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
  await rig.sql`update incident_verdicts set verdict = 'cleared'`
  // Counts are cached until a member acts. Setting the cut score clears them.
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

describe('the sentence for an invigilator', () => {
  const day = {
    ...{ state: 'preparing' as const, timeZone: 'UTC', durationSeconds: 1800 },
    ...{ opensAt: new Date('2026-03-04T09:00:00Z'), closesAt: new Date('2026-03-04T09:30:00Z') },
  }
  const now = new Date('2026-03-02T09:00:00Z')
  it.each([
    ['days before', {}, 'You are needed on Wed 4 Mar, 09:00 to 10:08.'],
    ['while it runs', { state: 'running' as const }, 'You are needed now, until 10:08.'],
    ['when it is over', { state: 'closed' as const }, 'It is over. Thank you.'],
    ['without a date', { opensAt: null, closesAt: null }, 'The date isn’t set yet.'],
  ])('is right %s', (_, more, headline) => {
    expect(helperWords({ ...day, ...more }, null, 480, now).headline).toBe(headline)
  })
  it('names the room and the start deadline', () => {
    expect(helperWords(day, '2.11', 480, now).sentence).toBe(
      'You look after room 2.11. Candidates can start from 09:00 to 09:30. The last one finishes by 10:08.',
    )
  })
})

const textsOf = (waiting: Partial<Waiting>, ...roles: Parameters<typeof waitingLines>[1]) =>
  waitingLines({ undecided: 0, forTalk: 0, proposals: 0, ...waiting }, roles).map(
    ({ text }) => text,
  )

describe('the tasks after a test has closed', () => {
  it.each([
    [{}, []],
    [{ undecided: 1 }, ['One incident needs a decision.']],
    [{ undecided: 5 }, ['Five incidents need a decision.']],
    [{ undecided: 21 }, ['21 incidents need a decision.']],
    [
      { forTalk: 1, proposals: 1 },
      ['One incident needs follow-up.', 'One proposed ruling is waiting for an owner.'],
    ],
  ])('have a line for each of %j', (waiting, texts) => {
    expect(textsOf(waiting, 'owner')).toEqual(texts)
  })

  it('are shown to the members who can do them', () => {
    const all = { undecided: 1, proposals: 1 }
    expect(textsOf(all, 'reviewer')).toHaveLength(2)
    expect(textsOf(all, 'author')).toEqual(['One proposed ruling is waiting for an owner.'])
    expect(textsOf(all, 'invigilator')).toEqual([])
  })
})
