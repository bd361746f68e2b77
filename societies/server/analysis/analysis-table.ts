import { writeCsv } from '../../../platform/server/csv/csv.ts'
import type { AnalysedQuestion } from '../../contract/analysis.ts'
import { noticeWords } from '../../statistics/words.ts'

const COLUMNS = [
  ...['item', 'question', 'counts', 'key', 'right', 'of', 'right_low', 'right_high'],
  ...['discrimination', 'discrimination_low', 'discrimination_high'],
  ...['a', 'b', 'c', 'd', 'none', 'median_seconds', 'notice'],
]

/** What the page shows as CSV, a line a question; what the group is too small for is empty (product 7.18.13). */
export function writeAnalysisTable({
  questions,
}: {
  questions: readonly AnalysedQuestion[]
}): string {
  const round = (value: number | undefined | null) =>
    value === undefined || value === null ? null : Math.round(value * 1e4) / 1e4
  return writeCsv(
    COLUMNS,
    questions.map((one) => [
      ...[one.item, one.question, !one.isVoid, one.isFullMarks ? 'all' : one.keys.join('/')],
      ...[one.right, one.of, round(one.interval?.low), round(one.interval?.high)],
      ...[one.discrimination?.r, one.discrimination?.low, one.discrimination?.high].map(round),
      ...one.rows.map(({ count }) => count),
      one.medianMs === null ? null : Math.round(one.medianMs / 100) / 10,
      noticeWords(one.flags),
    ]),
  )
}
