import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import { readServerLog, sizeOfServerLog } from '../platform/database/embedded/server-log.ts'
import type { RunningProduct } from './product.ts'

const FILE = path.join(import.meta.dirname, '..', 'docs', 'query-plans.md')
/** A named statement is planned anew five times; the plan of the last call is one that stays. */
const CALLS = 10

/** By the text of each statement: its plan, and the names of the calls that ran it. */
export type Plans = Map<string, { plan: string; calls: string[] }>

/**
 * Makes some calls of the product and reads in its database's log what they ran and how, so that the
 * statements are the real ones. The product is slower from then on.
 * @param calls by name
 */
export async function readPlans(
  db: pg.Client,
  { dataDir }: RunningProduct,
  calls: Record<string, () => Promise<unknown>>,
): Promise<Plans> {
  await db.query(`
    load 'auto_explain';
    alter database superday set session_preload_libraries = 'auto_explain';
    alter database superday set auto_explain.log_min_duration = 0;
    alter database superday set auto_explain.log_analyze = on;
    alter database superday set auto_explain.log_buffers = on;
    alter database superday set auto_explain.log_timing = off;
    alter database superday set auto_explain.log_parameter_max_length = 0`)
  // Only new connections take it up. The product notices at once that it lost the old ones.
  await db.query(`
    select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'superday'`)
  await wait(1_000)
  const log = path.join(dataDir, 'postgres', 'server.log')
  const plans: Plans = new Map()
  for (const [name, call] of Object.entries(calls)) {
    const start = sizeOfServerLog(log)
    for (let count = 0; count < CALLS; count += 1) await call()
    for (const [statement, plan] of lastPlans(readServerLog(log, start))) {
      plans.set(statement, { plan, calls: [...(plans.get(statement)?.calls ?? []), name] })
    }
  }
  return plans
}

/** The last plan of each statement that ran with every call: what the server does besides ran less. */
function lastPlans(log: string): Map<string, string> {
  const runs = new Map<string, string[]>()
  for (const [, entry = ''] of log.matchAll(/ plan:\n((?:\t.*\n)+)/g)) {
    const text = entry.replace(/^\t/gm, '').replace('Query Text: ', '')
    const planAt = text.lastIndexOf('\n', text.indexOf('  (cost=')) + 1
    const statement = text.slice(0, planAt).trim()
    const plan = text
      .slice(planAt)
      .trimEnd()
      // Estimates, and the ids of this run, mean nothing to who reads it later.
      .replace(/ {2}\(cost=[^)]*\)/g, '')
      .replace(/'[0-9a-f]{8}-[0-9a-f-]{27}'/g, "'…'")
    runs.set(statement, [...(runs.get(statement) ?? []), plan])
  }
  return new Map(
    [...runs].flatMap(([statement, found]) =>
      found.length < CALLS ? [] : [[statement, found.at(-1) ?? '']],
    ),
  )
}

/** Writes the plans of two sizes, in results stored, into docs/. */
export function writePlans(sizes: { stored: number; plans: Plans }[]): void {
  const statements = new Map(sizes.flatMap(({ plans }) => [...plans]))
  const allCalls = new Set([...statements.values()].flatMap(({ calls }) => calls)).size
  const sections = [...statements].map(([statement, { calls }]) =>
    [
      `## ${calls.length === allCalls ? 'Every call' : calls.join(', ')}`,
      code('sql', statement),
      ...sizes.flatMap(({ stored, plans }) => [
        `${stored.toLocaleString('en')} stored:`,
        code('', plans.get(statement)?.plan ?? 'did not run'),
      ]),
    ].join('\n\n'),
  )
  writeFileSync(FILE, `${[INTRODUCTION, ...sections].join('\n\n')}\n`)
}

function code(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\``
}

const INTRODUCTION = `# Query plans

Written by \`npm run bench -- growth --plans\`: what a call runs for a person with 300 results, and how, as PostgreSQL's own log told it (auto_explain, at the last of ${CALLS} calls on one connection). \`Buffers\` are pages of 8 kB; \`read\` ones were not in PostgreSQL's own memory (128 MB).`
