import { describe, expect, it } from 'vitest'
import { sweepOnce } from '../../../assessments/server/sweep.ts'
import { changeTimeOf } from '../../../tests/rig/acts-rig.ts'
import { DAY, LIMIT, moveClock, startedSeat } from '../../../tests/rig/assessment-rig.ts'
import { acceptLateIn, auditOf, organizerOf } from '../../../tests/rig/organizer-rig.ts'
import { pdfText } from '../../../tests/rig/results-rig.ts'
import { useRig } from '../../../tests/rig/rig.ts'
import { takeStrikesBack } from '../../incidents/server/strikes.ts'
import type { Role } from '../../kit/roles.ts'
import { regradeItem } from './regrade.ts'
import { exportReport } from './report-sheet.ts'

const rig = useRig({}, DAY)

const ready = { id: 1, kind: 'ready', at: 0 }

const reportOf = async (
  code: string,
  candidate: string,
  { role = 'owner' as Role, withName = true, withKeys = true } = {},
) => {
  const member = {
    ...{ db: rig.db, now: rig.clock.now, actor: 'ana', code, userId: undefined as never },
    ...{
      societyId: '',
      society: '',
      extent: 'all' as const,
      roles: [{ role, room: null, assessment: null }],
    },
    ...{ sits: [], room: null, areKeysOpen: true, cover: (id: string) => id },
  }
  const { name, content } = await exportReport(member, { candidate, withName, withKeys })
  return { name, text: await pdfText(content) }
}

describe('the report of a candidate', () => {
  it('lists events in order, decisions, the paper, and organizers’ actions', async () => {
    const { seat, code, candidate, items } = await startedSeat(rig, { session: 'Morning' })
    const organizer = () => organizerOf(rig)
    const [one, two] = items.map(({ id }) => id) as [number, number]
    await seat.report(ready)
    await seat.save([{ questionId: one, choice: 'D', revision: 1 }], 1)
    await moveClock(rig, 65_000)
    await seat.save([{ questionId: one, choice: 'A', revision: 2 }], 1)
    await seat.report(
      { id: 2, kind: 'window_blur', at: 64_000 },
      { id: 3, kind: 'page_hidden', at: 64_050 },
      { id: 4, kind: 'page_visible', at: 64_900, detail: { awayMs: 900 } },
      { id: 5, kind: 'shortcut', at: 64_950, detail: { key: 'Ctrl+V' } },
    )
    const rows = await rig.sql`
      select id from attempt_events where candidate_id = ${candidate.id} and kind = 'shortcut'`
    const shortcut = Number(rows[0]?.id)
    await takeStrikesBack({ ...organizer(), code }, [shortcut], 'the dictation program')
    await changeTimeOf(rig, code, 'give', 60)
    // The service is down across the deadline, and the network even longer.
    await moveClock(rig, LIMIT - 15_000)
    rig.clock.now = new Date(rig.clock.now.getTime() + 20_000)
    await moveClock(rig, 80_000)
    await sweepOnce(rig.dependencies)
    await seat.save([{ questionId: two, choice: 'B', revision: 1, at: 70_000 }])
    await acceptLateIn(rig, code)
    const ruling = { kind: 'void', option: null } as const
    await regradeItem({ ...organizer(), code }, 3, ruling, 'misprint in the stem')
    await changeTimeOf(rig, code, 'reopen', 60, candidate.id)
    await seat.start()
    await moveClock(rig, 71_000)
    await sweepOnce(rig.dependencies)

    const { name, text } = await reportOf(code, candidate.id)
    expect(name).toBe(`${code}-${candidate.username}.pdf`)
    for (const line of [
      ...['Started.', 'Answered question 1.', 'Changed question 1 from D to A.'],
      ...['Away for 0.9 s.', 'strike 1, counts', 'Pressed Ctrl+V, once.'],
      'strike 2, taken back (the dictation program)',
      ...[
        'The society changed the end of the test.',
        'The test was closed with the answers saved by then.',
      ],
      'An answer to question 2, B, arrived after the end. By the page’s clock, it was chosen in time.',
      'The society accepted the late answer to question 2.',
      'The society reopened the test.',
      ...['2 right, 1 wrong or blank', '1 of 2 count', `Stem 1 of ${code}?`, 'A: alpha 1, was D'],
      ...['A: alpha 1 (right)', 'left out for all', 'Ruled: the question is left out.'],
      ...['misprint in the stem', 'power cut', 'Monitoring covers the page'],
    ]) {
      expect(text).toContain(line)
    }
    expect(text.indexOf('Started.')).toBeLessThan(text.indexOf('Away for 0.9 s.'))
    expect((await auditOf(rig, code)).at(-1)).toMatchObject({
      action: 'export-report',
      detail: { username: candidate.username, hasKeys: true },
    })
  })

  it("keeps hidden values hidden, is logged, shows a page's control characters and never sends them", async () => {
    const { seat, code, candidate, items } = await startedSeat(rig)
    const evil = '\u001b]0;owned\u0007\u009b31m\u202e'
    const refused = await seat.report({ id: 1, kind: 'shortcut', at: 5, detail: { key: evil } })
    expect(refused.status).toBe(400)
    // Old rows, from before keys were checked, can hold anything, and a browser can call itself anything.
    await rig.sql`
      update attempt_events set detail = ${JSON.stringify({ key: evil })}, agent = ${evil},
        kind = 'shortcut', number = 9
      where candidate_id = ${candidate.id} and kind = 'started'`
    await seat.save([{ questionId: items[0]?.id ?? 0, choice: 'A', revision: 1 }])
    await moveClock(rig, LIMIT + 70_000)
    await sweepOnce(rig.dependencies)
    const { name, text } = await reportOf(code, candidate.id, { withName: false, withKeys: false })
    expect(text).toContain('owned')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the test searches for them
    expect(text).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/)
    expect(name).toBe(`${code}-Candidate-001.pdf`)
    expect(text).toContain('Candidate 001')
    expect(text).toContain('Key and points are hidden.')
    expect(text).not.toContain(candidate.username)
    expect(text).not.toMatch(/\(right\)|\(wrong\)|2 right/)
    expect((await auditOf(rig, code)).at(-1)).toMatchObject({
      detail: { candidate: 1, hasKeys: false },
    })
  })
})
