import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import { sweepOnce } from '../../../assessments/server/sweep.ts'
import { changeTimeOf } from '../../../tests/rig/acts-rig.ts'
import {
  DAY,
  makeAssessment,
  makeCandidate,
  moveClock,
  startedSeat,
  takeSeat,
} from '../../../tests/rig/assessment-rig.ts'
import { acceptLate, auditOf, organiserOf } from '../../../tests/rig/organiser-rig.ts'
import { useRig } from '../../../tests/rig/rig.ts'
import { takeStrikesBack } from '../incidents/strikes.ts'
import { exportCoveredDossier } from './dossier.ts'
import { writeDossier } from './dossier-text.ts'
import { regradeItem } from './regrade.ts'

const rig = useRig()
beforeEach(() => {
  rig.clock.now = DAY
})

const LIMIT = 1_200_000
const ready = { id: 1, kind: 'ready', at: 0 }

describe('the candidate report', () => {
  const dossierOf = async (code: string, { id }: { id: string }) => {
    const shown = { as: null, hasKeys: true }
    const dossier = await exportCoveredDossier(organiserOf(rig), code, id, shown)
    return dossier ? writeDossier(dossier) : ''
  }

  it('has paper, choices, saves, events with reasons, result and decisions', async () => {
    const { seat, code, candidate, items } = await startedSeat(rig, {
      society: 'Club *of* <b>Finance</b>',
      session: 'Morning',
    })
    const organiser = () => organiserOf(rig)
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
    const { rows } = await rig.db.execute<{ id: string }>(
      sql`select id from attempt_events where candidate_id = ${candidate.id} and kind = 'shortcut'`,
    )
    const shortcut = Number(rows[0]?.id)
    await takeStrikesBack(organiser(), { code }, [shortcut], 'the dictation program')
    await changeTimeOf(rig, code, 'plan', 120, candidate.id)
    const other = await makeCandidate(rig, code, 'somebody-else')
    await (await takeSeat(rig, code, other.username)).start()
    await changeTimeOf(rig, code, 'give', 60)
    // The service is away across the deadline, and the network for longer.
    await moveClock(rig, LIMIT + 100_000)
    rig.clock.now = new Date(rig.clock.now.getTime() + 20_000)
    await moveClock(rig, 80_000)
    await sweepOnce(rig.dependencies)
    await seat.save([{ questionId: two, choice: 'B', revision: 1, at: 70_000 }])
    await acceptLate(organiser(), code)
    await regradeItem(organiser(), code, 3, { void: true }, 'misprint in *stem*')
    await changeTimeOf(rig, code, 'reopen', 60, candidate.id)
    await seat.start()
    await moveClock(rig, 71_000)
    await sweepOnce(rig.dependencies)

    const text = await dossierOf(code, candidate)
    for (const line of [
      `# Dossier of ${candidate.username}, ${code}`,
      'Club \\*of\\* \\<b\\>Finance\\</b\\> - Morning. Made on 2026-03-02 09:25:36 by tester. All times are those of Europe/Lisbon.',
      '- time: 20:00, extra time 02:00',
      '- started: 2026-03-02 09:00:00',
      '- correct: 2, incorrect: 1 (unanswered counts as incorrect)',
      'without 01:25 for which it stood closed before it was reopened',
      '- cheated: true',
      '- strikes that stand: 1',
      '- monitored: yes, every window reported, without a gap',
      '### 1 (item 1 of the table)',
      `Stem 1 of ${code}?`,
      '- A. alpha 1 **(right, chosen)**',
      'Correct. Saved 2026-03-02 09:01:05, revision 2.',
      'Void: counts for nobody.',
      'Ruled: counts for nobody. Reason: misprint in \\*stem\\*',
      'Not answered: incorrect.',
      '- 00:00 (2026-03-02 09:00:00), window 1: 1: D (1)',
      '- 01:05 (2026-03-02 09:01:05), window 1: 1: A (2)',
      'window_blur (Leaving the test page)',
      '**counted: strike 1**',
      'not counted: the same absence as event',
      'awayMs 900',
      'The shortcut Ctrl+V',
      '**taken back: the dictation program**',
      'reason deadline',
      'deadlineAt 2026-03-02 09:22:00',
      "- question 2: B, chosen in time by the page's clock (2026-03-02 09:01:10), received 2026-03-02 09:24:25, the service was away meanwhile, this choice or a newer one counts",
      'tester: take-strikes-back (',
      'tester: plan-time (',
      'tester: give-time (to all; reason power cut; seconds 60; moved true)',
      'tester: accept-late (',
      'tester: regrade (',
      'tester: reopen (',
    ]) {
      expect(text).toContain(line)
    }
    // Whoever gets it learns nothing of others.
    expect(text).not.toContain('somebody-else')
    expect((await auditOf(rig, code)).at(-1)).toMatchObject({
      action: 'dossier',
      detail: { username: candidate.username },
    })
  })

  it('numbers questions by the shuffled screen and by the table', async () => {
    const { code, candidate, started, items } = await startedSeat(rig, {
      shuffle: true,
      itemCount: 9,
    })
    const text = await dossierOf(code, candidate)
    const positions = [...text.matchAll(/^### (\d+) \(item (\d+) of the table\)$/gm)].map(
      ([, number, position]) => [Number(number), items[Number(position) - 1]?.id],
    )
    expect(positions).toEqual(
      started.body.questions.map(({ id }: { id: number }, index: number) => [index + 1, id]),
    )
    expect(text).toContain('still open: there is no result yet')
  })

  it('of 40,000 events in 400 windows is written in seconds', {
    tags: ['full'],
    timeout: 60_000,
  }, async () => {
    const { seat, code, candidate } = await startedSeat(rig)
    await seat.report(ready)
    await rig.db.execute(sql`
      insert into attempt_events (candidate_id, attempt_id, kind, window_id, number, at_ms, detail, received_at)
      select candidate_id, attempt_id, 'window_blur', window_id || '-' || n / 100, n, n, null, received_at
      from attempt_events, generate_series(2, 40000) n
      where candidate_id = ${candidate.id} and kind = 'ready'`)
    const begun = performance.now()
    const text = await dossierOf(code, candidate)
    expect(text.split('\n').length).toBeGreaterThan(40_000)
    // Minutes, when each line looked through all of them; with 200,000 more than ten.
    expect(performance.now() - begun).toBeLessThan(20_000)
  })

  it("shows a page's control characters and never sends them", async () => {
    const { seat, code, candidate } = await startedSeat(rig)
    const evil = '\u001b]0;owned\u0007\u009b31m\u202e'
    const refused = await seat.report({ id: 1, kind: 'shortcut', at: 5, detail: { key: evil } })
    expect(refused.status).toBe(400)
    // What was stored before keys were looked at, and what a browser calls itself.
    await rig.db.execute(sql`
      update attempt_events set detail = ${JSON.stringify({ key: evil })}, agent = ${evil}
      where candidate_id = ${candidate.id} and kind = 'started'`)
    const text = await dossierOf(code, candidate)
    expect(text).toContain('owned')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    expect(text).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/)
  })

  it('exists before the start', async () => {
    const { code } = await makeAssessment(rig)
    const candidate = await makeCandidate(rig, code)
    expect(await dossierOf(code, candidate)).toContain('- has not started')
  })
})
