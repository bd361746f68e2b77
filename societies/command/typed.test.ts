import { beforeEach, describe, expect, it } from 'vitest'
import { sweepOnce } from '../../assessments/server/sweep.ts'
import { DAY, makeAssessment, moveClock, startedSeat } from '../../tests/rig/assessment-rig.ts'
import { attemptOf, auditOf, typeCommand } from '../../tests/rig/organiser-rig.ts'
import { useRig } from '../../tests/rig/rig.ts'

const rig = useRig()
beforeEach(() => {
  rig.clock.now = DAY
})

const windowOf = async (code: string) => {
  const { rows } = await rig.db.$client.query(
    'select opens_at as opens, closes_at as closes, time_zone as zone from assessments where code = $1',
    [code],
  )
  return rows[0]
}

describe('times typed at the command line', () => {
  const opensAt = new Date('2026-07-01T08:00:00Z')

  it.each<[string, string[], object]>([
    [
      "are in the assessment's time zone",
      ['--opens', '2026-07-02 09:00'],
      { opens: new Date('2026-07-02T08:00:00Z'), closes: null, zone: 'Europe/Lisbon' },
    ],
    [
      'are in the zone given with them',
      ['--opens', '2026-07-02 09:00', '--closes', 'none', '--zone', 'America/New_York'],
      { opens: new Date('2026-07-02T13:00:00Z'), closes: null, zone: 'America/New_York' },
    ],
    [
      'change only what is named, and none removes a limit',
      ['--opens', 'none'],
      { opens: null, closes: null, zone: 'Europe/Lisbon' },
    ],
  ])('%s', async (_, args, expected) => {
    const { code } = await makeAssessment(rig, { opensAt })
    expect((await typeCommand(rig, 'window', code.toLowerCase(), ...args)).refusal).toBeNull()
    expect(await windowOf(code)).toEqual(expected)
  })

  it.each<[string, string[], string | RegExp]>([
    ['nothing', [], 'Nothing to set: give --opens, --closes, or both.'],
    ['a time without a date', ['--opens', '09:00'], /'09:00' is no date and time/],
    ['a skipped hour', ['--opens', '2026-03-29 01:30'], /does not exist in Europe\/Lisbon/],
    [
      'an abbreviated zone',
      ['--opens', '2026-07-02 09:00', '--zone', 'EST'],
      "'EST' is no named time zone such as Europe/Lisbon or America/New_York.",
    ],
    [
      'another zone alone',
      ['--zone', 'Europe/London'],
      'With another --zone, please give --opens and --closes too.',
    ],
    [
      'an end before the beginning',
      ['--closes', '2026-07-01 08:59'],
      'It would close before it opens; give both times, --opens and --closes.',
    ],
  ])('refuse %s and change nothing', async (_, args, sentence) => {
    const { code } = await makeAssessment(rig, { opensAt })
    expect((await typeCommand(rig, 'window', code, ...args)).refusal).toMatch(sentence)
    expect(await windowOf(code)).toEqual({ opens: opensAt, closes: null, zone: 'Europe/Lisbon' })
    expect(await auditOf(rig, code)).toEqual([])
  })

  it('set the start of an outage', async () => {
    const { code, candidate } = await startedSeat(rig)
    await rig.db.$client.query(
      "update assessments set time_zone = 'Asia/Kolkata' where code = $1",
      [code],
    )
    // Its time runs out at 14:50 there; the next minute it is closed.
    await moveClock(rig, 1_260_000)
    await sweepOnce(rig.dependencies)
    const extend = (since: string) =>
      typeCommand(rig, 'extend', code, '10', '--reason', 'no network', '--since', since)
    expect((await extend('noon')).refusal).toMatch(/'noon' is no date and time/)
    expect((await extend('2026-03-02 14:51')).out).toMatch(/nothing to extend/)
    expect((await attemptOf(rig, candidate.id)).submittedAt).not.toBeNull()
    expect((await extend('2026-03-02 14:50')).out).toBe(
      `1 test opened again (the candidates sign in again), new end:\n  ${candidate.username}  Monday 2026-03-02 15:00 Asia/Kolkata (2026-03-02 09:30 UTC)\n`,
    )
  })
})

describe('invalid command-line input', () => {
  const MINUTES = /^'.+' is no number of minutes between 0 and 1440, such as 10 or 7\.5\.$/

  it.each<[string, string[], string | RegExp]>([
    ['minutes in words', ['extra-time', 'CODE', 'ana', 'ten'], MINUTES],
    ['minutes with a sign', ['extra-time', 'CODE', 'ana', '+5'], MINUTES],
    ['minutes of more than a day', ['extend', 'CODE', '1440.5', '--reason', 'x'], MINUTES],
    ['minutes in powers', ['reopen', 'CODE', 'ana', '--minutes', '1e1', '--reason', 'x'], MINUTES],
    [
      'the number of an event',
      ['void-event', 'CODE', 'first', '--reason', 'x'],
      /^'first' is no event's number; assessments events .+ lists them\.$/,
    ],
    [
      'a kind of event',
      ['exempt', 'CODE', 'ana', 'paste', 'sneezing'],
      /^Nothing named sneezing is counted; what is: page_hidden, .*paste/,
    ],
    [
      'an option',
      ['regrade', 'CODE', '--item', '1', '--accept', 'E', '--reason', 'x'],
      "'E' is none of the options A, B, C and D.",
    ],
    [
      'a ruling',
      ['regrade', 'CODE', '--item', '1', '--reason', 'x'],
      'Please give one of --accept OPTION, --replace OPTION, --void, --full-marks and --withdraw.',
    ],
    [
      'the code a second time',
      ['delete', 'CODE', '--confirm', 'OTHER'],
      /^To delete .+ for good, type its code a second time/,
    ],
  ])('%s is refused', async (_, args, sentence) => {
    const { code } = await startedSeat(rig)
    const typed = args.map((arg) => arg.replace('CODE', code))
    expect((await typeCommand(rig, ...typed)).refusal).toMatch(sentence)
    expect(await auditOf(rig, code)).toEqual([])
  })

  it('does not include lower-case codes and options', async () => {
    const { code } = await makeAssessment(rig, { closesAt: new Date(DAY.getTime() - 1) })
    const small = code.toLowerCase()
    const regrade = ['regrade', small, '--item', '1', '--accept', ' b', '--reason', 'both']
    expect((await typeCommand(rig, ...regrade)).out).toMatch(/counts as right with A or B/)
    expect((await auditOf(rig, code))[0]?.detail).toMatchObject({ accept: 'B' })
    expect((await typeCommand(rig, 'delete', small, '--confirm', small)).out).toBe(
      `${code} is deleted: 0 candidates, 0 attempts, 0 events, 4 questions.\n`,
    )
  })
})
