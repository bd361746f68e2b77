import { writeCsv } from '../../../platform/server/csv/csv.ts'
import type { CandidateResult } from './results.ts'

/** Results as CSV; the columns are promised (product 6.11.1, 7.5.1). */
export function writeResults(results: readonly CandidateResult[]): string {
  return writeCsv(
    ['user', 'correct', 'incorrect', 'time', 'cheated'],
    results.map((one) => [one.username, one.correct, one.incorrect, one.time, one.cheated]),
  )
}
