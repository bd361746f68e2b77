import { beforeEach, describe, expect, it } from 'vitest'
import { DAY, moveClock, startedSeat } from '../../../tests/rig/assessment-rig.ts'
import {
  auditOf,
  codeOf,
  organiserOf,
  resultOf,
  rightAnswers,
} from '../../../tests/rig/organiser-rig.ts'
import { useRig } from '../../../tests/rig/rig.ts'
import { exemptCandidate, takeStrikesBack } from './strikes.ts'

const rig = useRig()
beforeEach(() => {
  rig.clock.now = DAY
})

describe('strikes', () => {
  it('that are taken back no longer count, on the page and in the result', async () => {
    const { seat, code, candidate, items } = await startedSeat(rig)
    await seat.report({ id: 1, kind: 'page_hidden', at: 1 }, { id: 2, kind: 'page_visible', at: 2 })
    const { rows } = await rig.db.$client.query(
      `select id::int from attempt_events where candidate_id = $1 and kind = 'page_hidden'`,
      [candidate.id],
    )
    const events = [rows[0].id]
    const taken = await takeStrikesBack({ ...organiserOf(rig), code }, events, 'a fire alarm')
    expect(taken).toEqual({ events, mayBeReopened: [] })
    expect((await seat.status()).body.violations).toBe(0)
    await seat.submit(rightAnswers(items))
    expect(await resultOf(rig, candidate.id)).toMatchObject({ cheated: false })
    expect(await auditOf(rig, code)).toMatchObject([
      { action: 'take-strikes-back', detail: { events, reason: 'a fire alarm' } },
    ])
  })

  it('of exempt kinds do not count, neither earlier nor later ones', async () => {
    const { seat, code, candidate } = await startedSeat(rig)
    await seat.report({ id: 1, kind: 'paste', at: 0 })
    await moveClock(rig, 10_000)
    const exempt = (...kinds: string[]) =>
      exemptCandidate({ ...organiserOf(rig), code }, candidate.id, kinds)
    const kinds = ['paste', 'shortcut']
    expect(await exempt(...kinds)).toEqual({ kinds, strikes: 0 })
    expect((await seat.report({ id: 2, kind: 'paste', at: 9_000 })).body.violations).toBe(0)
    expect((await seat.report({ id: 3, kind: 'copy', at: 9_500 })).body.violations).toBe(1)
    expect(await exempt()).toEqual({ kinds: [], strikes: 2 })
    expect((await codeOf(() => exempt('sneezing'))).code).toBe('nothing_to_exempt')
    expect(await auditOf(rig, code)).toMatchObject([{ action: 'exempt' }, { action: 'exempt' }])
  })
})
