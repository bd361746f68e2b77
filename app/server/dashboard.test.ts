import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import { PROJECT_DIR } from '../../platform/server/project-folder.ts'
import { useRig } from '../../tests/rig/rig.ts'

const rig = useRig({ metricsToken: 'a token of some length' })
/** Prometheus's own metrics. */
const ITS_OWN = new Set(['up'])

/** Metric names, which always precede a selector on our dashboards. */
const namesIn = (text: string) =>
  [...text.matchAll(/\b([a-z_][a-z0-9_]*)\{/g)].map(([, name]) => name ?? '')

it('each metric of the Grafana board is exported', async () => {
  const headers = { Authorization: 'Bearer a token of some length' }
  // A request is counted when it ends, so the first one shows up in the second.
  await rig.call('GET', '/metrics', { headers })
  const { body } = await rig.call('GET', '/metrics', { headers })
  const exported = new Set(
    String(body)
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => line.replace(/[{ ].*/, '')),
  )
  const board = JSON.parse(
    await readFile(path.join(PROJECT_DIR, 'docs/grafana/superday.json'), 'utf8'),
  )
  const expressions: string[] = board.panels.flatMap(
    ({ targets }: { targets: { expr: string }[] }) => targets.map(({ expr }) => expr),
  )
  expect(expressions.length).toBeGreaterThan(11)
  for (const expression of expressions) expect(namesIn(expression)).not.toEqual([])
  const missing = expressions
    .flatMap(namesIn)
    .filter((name) => !ITS_OWN.has(name) && !exported.has(name))
  expect(missing).toEqual([])
})
