import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callMany, countStatuses, type Reply } from './http.ts'
import { type Product, readSecretKey, startProduct, tell } from './product.ts'
import { makeAssessment, type Seat, takeSeats, watchPulse } from './rig.ts'

/** the node that owns the database, and the other one */
let owner: Product
let product: Product
let folder: string
beforeAll(async () => {
  owner = await startProduct()
  folder = await mkdtemp(path.join(tmpdir(), 'superday-hostile-second-'))
  // The later start prints the demo candidate that is valid.
  product = await startProduct({
    environment: {
      DATABASE_URL: owner.databaseUrl,
      SECRET_KEY: readSecretKey(owner.dataDir),
      DATA_DIR: folder,
    },
  })
})
afterAll(async () => {
  await product?.stop()
  await owner?.stop()
  if (folder) await rm(folder, { recursive: true, force: true })
})

const callOf = (node: Product, seat: Seat, method: string, route: string, body: unknown) =>
  node.call(method, `/api/assessments/${seat.code}/attempt${route}`, {
    token: seat.token,
    headers: { 'X-Candidate-Token': seat.candidateToken, 'X-Window-Id': seat.windowId },
    body,
  })

const one = async (text: string, values: unknown[]) =>
  (await product.db.query(text, values)).rows[0]

describe('two nodes', () => {
  it('get no save acknowledged that is not stored, while another call submits or strikes out', async () => {
    for (const end of ['submit', 'strikes'] as const) {
      const assessment = await makeAssessment(product)
      const [seat] = await takeSeats(product, assessment, 1)
      if (!seat) throw new Error('no candidate')
      await seat.save(assessment.items.map((id) => ({ questionId: id, choice: 'A', revision: 1 })))
      const acknowledged = new Map<number, number>()
      const saving = callMany(400, 6, async (n) => {
        const questionId = assessment.items[n % assessment.items.length] as number
        const answers = [{ questionId, choice: 'B', revision: n + 2 }]
        const reply = await callOf(n % 2 ? product : owner, seat, 'PUT', '/answers', { answers })
        if (reply.status === 200) {
          acknowledged.set(questionId, Math.max(acknowledged.get(questionId) ?? 0, n + 2))
        }
        return reply
      })
      await sleep(300)
      const ending: Promise<Reply>[] =
        end === 'submit'
          ? [product, owner].map((node) => callOf(node, seat, 'POST', '/submit', { answers: [] }))
          : [1, 2, 3, 4].map((n) =>
              callOf(n % 2 ? product : owner, seat, 'POST', '/events', {
                events: [0, 1].map((index) => ({
                  id: n * 2 + index,
                  kind: index ? 'page_visible' : 'page_hidden',
                  at: n * 10,
                })),
              }),
            )
      tell(`two-nodes-${end}`, JSON.stringify(countStatuses(await Promise.all(ending))))
      tell(`two-nodes-${end}-saves`, JSON.stringify(countStatuses(await saving)))
      const { rows } = await product.db.query(
        `select item_id, revision from attempt_answers s join attempts a on a.id = s.attempt_id
         where assessment = $1`,
        [assessment.code],
      )
      for (const { item_id, revision } of rows) {
        expect(revision).toBeGreaterThanOrEqual(acknowledged.get(item_id) ?? 0)
      }
      const row = await one(
        `select submit_reason, attempt_strikes(id) as strikes, (select count(*)::int from attempt_events e
           where e.attempt_id = a.id and e.kind = 'submitted') as ends from attempts a where assessment = $1`,
        [assessment.code],
      )
      tell(`two-nodes-${end}-row`, JSON.stringify(row))
      expect(row.ends).toBe(1)
      expect(row.submit_reason).toBe(end === 'submit' ? 'candidate' : 'violations')
    }
  })

  it('one of them killed at a deadline and restarted causes no outage', async () => {
    const pulse = watchPulse(product)
    const before = await one('select count(*)::int as count from service_outages', [])
    product.process.kill('SIGKILL')
    await sleep(8_000)
    const after = await one('select count(*)::int as count from service_outages', [])
    tell('two-nodes-killed', JSON.stringify(await pulse.stop()))
    expect(after).toEqual(before)
  })
})
