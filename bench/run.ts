import { parseArgs } from 'node:util'
import { benchAttemptCpu } from './attempt-cpu.ts'
import { benchBundle } from './bundle.ts'
import { benchDay, benchShortDay } from './day.ts'
import { benchFinishTest } from './finish-test.ts'
import { benchGrowth } from './growth.ts'
import { benchLighthouse } from './lighthouse.ts'
import { benchLive } from './live.ts'
import { benchMemory } from './memory.ts'
import { benchMigrations } from './migrations.ts'
import { benchQuestions } from './questions.ts'
import { benchRequests } from './requests.ts'
import type { Figure } from './rounds.ts'
import { benchSignIn } from './sign-in.ts'
import { benchStart } from './start.ts'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'boolean', default: false },
    /** number of candidates on the assessment day */
    candidates: { type: 'string', default: '10000' },
    /** number of nodes; more than one are behind nginx */
    nodes: { type: 'string', default: '1' },
    /** number of stored events while the schema changes */
    events: { type: 'string', default: '10000000' },
  },
})

const BENCHES: Record<string, () => Promise<Figure[]>> = {
  'finish-test': benchFinishTest,
  questions: benchQuestions,
  'sign-in': benchSignIn,
  memory: benchMemory,
  'screen-kb': benchBundle,
  requests: benchRequests,
  lighthouse: benchLighthouse,
  'second-start-ms': benchStart,
  'attempt-cpu': benchAttemptCpu,
  'short-day': benchShortDay,
  day: () => benchDay(Number(values.candidates), Number(values.nodes)),
  live: benchLive,
  growth: benchGrowth,
  migrations: () => benchMigrations(Number(values.events)),
}

const wanted = positionals.length > 0 ? positionals : Object.keys(BENCHES)
const figures: Figure[] = []
for (const name of wanted) {
  const bench = BENCHES[name]
  if (!bench) {
    console.error(`There is no bench ${name}: ${Object.keys(BENCHES).join(', ')}`)
    process.exit(1)
  }
  if (!values.json) console.error(`${name} …`)
  figures.push(...(await bench()))
}

if (values.json) {
  console.log(
    JSON.stringify(
      figures.map(({ name, figure, limit, met }) => ({ name, figure, limit, met })),
      null,
      2,
    ),
  )
} else {
  for (const { name, figure, limit, met, note } of figures) {
    console.log(
      `${name.padEnd(18)} ${String(figure).padStart(8)}  ${limit.padEnd(8)} ${met ? 'met   ' : 'NOT MET'} ${note}`,
    )
  }
}
process.exitCode = figures.every((figure) => figure.met) ? 0 : 1
