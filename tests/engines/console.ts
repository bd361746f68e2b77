import { randomUUID } from 'node:crypto'
import { it } from 'vitest'
import { makeTest } from '../e2e/console/console-rig.ts'
import type { Product } from '../e2e/product.ts'
import { type Here, signIn } from './here.ts'
import { look, press, read, see, seeNo } from './looks.ts'

/** The console's main pages for an owner: a running test, Live, and its results. */
export function consolePages(here: Here): void {
  it("opens a society's overview, Live and Results", async () => {
    const { tab, product } = here
    const { email } = await signIn(here)
    const at = (minutes: number) => new Date(Date.now() + minutes * 60_000)
    const times = { durationSeconds: 1_800, opensAt: at(-5), closesAt: at(15) }
    const day = await makeTest(product, email, { ...times, itemCount: 8, session: 'Morning' })
    await sit(product, day.code, 12)

    await tab.go(`/organise/${day.society}`)
    await read(tab, 'Morning')
    await look(here, 'society')
    await tab.go(day.url)
    await see(tab, { role: 'heading', name: /./ })
    await read(tab, 'Morning')
    await look(here, 'overview')
    await tab.go(day.of('live'))
    await read(tab, 'Person 12')
    await look(here, 'live')

    await product.db.$client.query(
      `update attempts set submitted_at = started_at + interval '9 minutes', submit_reason = 'candidate',
         closed_by_submit = true where assessment = $1`,
      [day.code],
    )
    await product.db.$client.query(
      `update assessments set opens_at = now() - interval '3 hours', closes_at = now() - interval '1 minute'
       where code = $1`,
      [day.code],
    )
    await tab.go(day.of('results'))
    await see(tab, { role: 'heading', name: /^12 took it/ })
    await press(tab, 'button', 'Set a cut score')
    await seeNo(tab, { role: 'button', name: 'Set a cut score' })
    await look(here, 'console-results')
    await read(tab, 'Cut score')
  })
}

/** Candidates who answered everything. The nth has the first n correct. */
async function sit({ db: { $client } }: Product, code: string, count: number): Promise<void> {
  const { rows: items } = await $client.query<{ id: number; key: string }>(
    `select id, correct_option as key from assessment_items where assessment = $1 order by position`,
    [code],
  )
  for (let n = 1; n <= count; n += 1) {
    const [candidate, attempt] = [randomUUID(), randomUUID()]
    await $client.query(
      `insert into candidates (id, assessment, username, name, room, password_hash, created_at)
       values ($1, $2, $3, $4, '2.11', '\\x00', now() - interval '1 hour')`,
      [candidate, code, `p.${n}`, `Person ${n}`],
    )
    await $client.query(
      `insert into attempts (id, assessment, candidate_id, paper, started_at, deadline_at, window_id, is_demo)
       values ($1, $2, $3, $4, now() - interval '10 minutes', now() + interval '20 minutes', 'w', false)`,
      [attempt, code, candidate, items.map(({ id }) => id)],
    )
    await $client.query(
      `insert into attempt_answers (attempt_id, item_id, choice, revision, saved_at)
       select $1, id, choice, 1, now() - interval '5 minutes'
       from unnest($2::int[], $3::text[]) as given (id, choice)`,
      [
        attempt,
        items.map(({ id }) => id),
        items.map(({ key }, index) => (index < n ? key : key === 'A' ? 'B' : 'A')),
      ],
    )
  }
}
