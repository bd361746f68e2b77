import type { StrikesChange } from '../server/incidents/strikes.ts'
import { describeTime } from '../server/local-time.ts'
import type { ResultChange } from '../server/results/changed-results.ts'

/** A code as people type it. */
export const parseCode = (text: string): string => text.trim().toUpperCase()

/** Examples below a command's help. */
export function examples(...lines: string[]): string {
  const commands = lines.map((line) => `  npm run admin -- assessments ${line}`)
  return `\n${lines.length === 1 ? 'Example' : 'Examples'}:\n${commands.join('\n')}`
}

/** '1 candidate', '3 candidates'. */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`
}

/** Lines with their cells one below the other. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  )
  return rows
    .map((row) =>
      `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd(),
    )
    .join('\n')
}

/** When an assessment can be started, on the clocks of its zone and in UTC. */
export function describeWindow(
  window: { opensAt: Date | null; closesAt: Date | null; timeZone: string },
  now: Date,
): string {
  const { opensAt, closesAt, timeZone } = window
  const at = (time: Date) => describeTime(time, timeZone)
  if (!opensAt && !closesAt) return '  can be started at any time: it is open now'
  return [
    `  opens:  ${opensAt ? at(opensAt) : 'no limit'}`,
    `  closes: ${closesAt ? at(closesAt) : 'no limit'}${closesAt ? ' (who has started by then keeps the whole time)' : ''}`,
    `  now:    ${at(now)}, ${describeState(opensAt, closesAt, now)}`,
  ].join('\n')
}

function describeState(opensAt: Date | null, closesAt: Date | null, now: Date): string {
  if (opensAt && now < opensAt) return 'not open yet'
  return closesAt && now > closesAt ? 'closed' : 'open'
}

/** Whose result changed, old and new. */
export function describeChanges(changes: readonly ResultChange[]): string {
  if (changes.length === 0) return 'No result has changed.'
  return [
    `${count(changes.length, 'result has', 'results have')} changed:`,
    table([
      ['user', 'correct', 'incorrect'],
      ...changes.map(({ username, isDemo, before, after }) => [
        `${username}${isDemo ? ' (demo)' : ''}`,
        `${before.correct} -> ${after.correct}`,
        `${before.incorrect} -> ${after.incorrect}`,
      ]),
    ]),
  ].join('\n')
}

/** What became of a candidate's strikes. */
export function describeStrikes(
  code: string,
  username: string,
  { before, after, mayBeReopened }: StrikesChange,
): string {
  return [
    `Strikes of ${username}: ${before} before, ${after} now.`,
    ...(mayBeReopened
      ? [
          `The third strike had ended the test; to let ${username} go on: assessments reopen ${code} ${username} --minutes N --reason "…".`,
        ]
      : []),
  ].join('\n')
}
