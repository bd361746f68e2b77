import { type ReactNode, useState } from 'react'
import type { AnalysedQuestion } from '../../contract/analysis.ts'
import { isUrgent, timeWords } from './analysis-words.ts'
import { OptionCounts } from './option-counts.tsx'
import type { Analysis } from './queries.ts'
import { QuestionDetail } from './question-detail.tsx'

/** Which questions somebody opened, or closed where they were open. */
export function useToggled() {
  const [toggled, setToggled] = useState<ReadonlySet<number>>(new Set())
  const toggle = (item: number) => {
    const next = new Set(toggled)
    if (!next.delete(item)) next.add(item)
    setToggled(next)
  }
  return [toggled, toggle] as const
}

/** The head of the column of times, where any are known. */
export function TimeHead({ analysis }: { analysis: Analysis }) {
  if (analysis.timed === 0) return null
  return (
    <th scope="col" className="text-end! max-lg:hidden">
      Time
    </th>
  )
}

/** A question's row, and what opens below it. @param children the cells of its figures */
export function QuestionRow(props: {
  question: AnalysedQuestion
  analysis: Analysis
  notice: string
  isOpen: boolean
  onToggle: () => void
  children: ReactNode
}) {
  const { question, analysis, notice, isOpen } = props
  const look = isUrgent(question) ? 'amber font-[550]' : 'text-ink-2'
  return (
    <>
      <tr className={isOpen ? 'bg-surface' : ''}>
        <td className="text-ink-2">{question.item}</td>
        <td className="w-full max-w-0">
          <button
            type="button"
            className="flex min-h-8.5 w-full flex-col justify-center overflow-hidden text-start max-md:min-h-11"
            aria-expanded={isOpen}
            onClick={props.onToggle}
          >
            <span className="line-clamp-1 break-words">{question.question}</span>
            {notice && <span className={`text-[12.5px] md:hidden ${look}`}>{notice}</span>}
          </button>
        </td>
        {props.children}
        <OptionCounts question={question} />
        {analysis.timed > 0 && (
          <td className="text-end text-ink-2 max-lg:hidden">
            {question.medianMs === null ? '–' : timeWords(question.medianMs)}
          </td>
        )}
        <td className={`min-w-44 text-[13px] leading-tight max-md:hidden ${look}`}>{notice}</td>
      </tr>
      {isOpen && (
        <tr className="bg-surface">
          <td colSpan={20} className="h-auto! border-b-ink! pr-0!">
            <QuestionDetail question={question} analysis={analysis} />
          </td>
        </tr>
      )}
    </>
  )
}
