import type { AnalysedQuestion } from '../../contract/analysis.ts'
import { suspectOf } from './analysis-words.ts'

const COLUMNS = ['A', 'B', 'C', 'D', 'none'] as const

/** The heads of the five columns. */
export function OptionHeads() {
  return COLUMNS.map((name) => (
    <th key={name} scope="col" className="w-10 text-end! max-md:hidden">
      {name}
    </th>
  ))
}

/** How often each option was chosen: the key in green, the one that seems right in amber. */
export function OptionCounts({ question }: { question: AnalysedQuestion }) {
  const suspect = suspectOf(question)
  return question.rows.map(({ option, isKey, count }) => (
    <td
      key={option ?? 'none'}
      className={`w-10 text-end text-[13px] max-md:hidden ${
        isKey && !question.isVoid
          ? 'font-semibold text-right'
          : option !== null && option === suspect
            ? 'amber font-semibold'
            : 'text-ink-2'
      }`}
    >
      {count > 0 && count}
      {count === 0 && <span aria-hidden>·</span>}
      {count === 0 && <span className="sr-only">0</span>}
      {isKey && !question.isVoid && <span className="sr-only"> (key)</span>}
    </td>
  ))
}
