import { beforeEach, describe, expect, it } from 'vitest'
import { DAY, makeAssessment, startedSeat } from '../../tests/rig/assessment-rig.ts'
import { auditOf, typeCommand } from '../../tests/rig/organiser-rig.ts'
import { useRig } from '../../tests/rig/rig.ts'

const rig = useRig()
beforeEach(() => {
  rig.clock.now = DAY
})

describe('invalid command-line input', () => {
  it.each<[string, string[], string | RegExp]>([
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
