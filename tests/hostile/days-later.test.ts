import { writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PROJECT_DIR } from '../../platform/server/project-folder.ts'
import { countStatuses } from './http.ts'
import { type Product, startProduct, tell, until } from './product.ts'
import { fullPaper, makeAssessment, personOf, seatOf, setDeadline, takeSeats } from './rig.ts'

const TWO_DAYS_MS = 2 * 24 * 3600 * 1000
const SHIFTED_CLOCK = path.join(PROJECT_DIR, 'tests/faults/full-length/shifted-clock.mjs')
const CANDIDATES = 3

let product: Product
beforeAll(async () => {
  product = await startProduct()
})
afterAll(() => product?.stop())

describe('a candidate whose time ended two days ago', () => {
  it('has a dead token, and none of the forged answers is stored as late', async () => {
    const assessment = await makeAssessment(product)
    const left = await takeSeats(product, assessment, CANDIDATES)
    await setDeadline(product, assessment.code, new Date(Date.now() + 1_000))
    // The expiry job closed it while the service was up.
    await until(async () => {
      const { rows } = await product.db.query(
        'select 1 from attempts where assessment = $1 and submitted_at is null',
        [assessment.code],
      )
      return rows.length === 0
    }, 30_000)

    const { dataDir } = product
    await product.stop({ keepData: true })
    const shiftFile = `${dataDir}.shift`
    writeFileSync(shiftFile, String(TWO_DAYS_MS))
    product = await startProduct({
      dataDir,
      preload: SHIFTED_CLOCK,
      environment: { CLOCK_SHIFT_FILE: shiftFile },
    })
    await rm(shiftFile)
    await sleep(1_500)

    const replies = await Promise.all(
      left.map(async (seat) => {
        const renewed = await product.call('POST', '/auth/v1/token?grant_type=refresh_token', {
          body: { refresh_token: seat.refreshToken },
        })
        expect(renewed.status).toBe(200)
        const back = seatOf(
          product,
          personOf(renewed),
          seat.code,
          seat.username,
          seat.candidateToken,
        )
        back.windowId = seat.windowId
        return back.save(fullPaper(assessment, 1_000))
      }),
    )
    const { rows } = await product.db.query(
      `select count(*)::int as late from attempt_events e join candidates c on c.id = e.candidate_id
       where c.assessment = $1 and e.kind = 'late_answer'`,
      [assessment.code],
    )
    tell('days-later-saves', JSON.stringify(countStatuses(replies)))
    tell('days-later-kept-as-late', rows[0].late)
    expect(countStatuses(replies)).toEqual({ 403: CANDIDATES })
    expect(rows[0].late).toBe(0)
  })
})
