import type { AnalysedQuestion } from '../../contract/analysis.ts'
import { countOf } from '../../number-words.ts'
import { coefficient, percent, rightOf } from '../../statistics/figures.ts'
import { FIGURES_FROM, SHARES_FROM } from '../../statistics/sample-size.ts'
import { noticeOf, suspectOf } from './analysis-words.ts'
import { IntervalLine } from './interval-line.tsx'
import { OptionHeads } from './option-counts.tsx'
import type { Analysis } from './queries.ts'
import { QuestionRow, TimeHead, useToggled } from './question-row.tsx'
import { WhatColumnsMean } from './what-columns-mean.tsx'

/** A row a question (product 7.18.4); a suspicious key's is open. */
export function QuestionTable({ analysis }: { analysis: Analysis }) {
  const { questions, people } = analysis
  const [toggled, toggle] = useToggled()
  const hasShares = people >= SHARES_FROM
  const hasFigures = people >= FIGURES_FROM
  const hasTimes = analysis.timed > 0
  return (
    <section aria-labelledby="questions">
      <div className="head">
        <h2 id="questions">Questions</h2>
        <span className="hint">
          {hasShares && 'lines are 95% intervals, '}
          {countOf(people, 'candidate')}
          {!hasTimes && ' · how long questions were looked at was not measured'} ·{' '}
          <WhatColumnsMean />
        </span>
      </div>
      <table className="table">
        <thead>
          <tr>
            <th scope="col" className="w-6.5">
              #
            </th>
            <th scope="col">Question</th>
            <th scope="col" colSpan={hasShares ? 2 : 1} className="max-md:text-end!">
              Right<span className="max-md:hidden">, difficulty</span>
            </th>
            {hasFigures && (
              <th scope="col" colSpan={2} className="max-lg:hidden">
                Goes with the rest, discrimination
              </th>
            )}
            <OptionHeads />
            <TimeHead analysis={analysis} />
            <th scope="col" className="max-md:hidden">
              Notice
            </th>
          </tr>
        </thead>
        <tbody>
          {questions.map((question) => {
            const isOpen = (suspectOf(question) !== null) !== toggled.has(question.item)
            return (
              <Row
                key={question.item}
                question={question}
                analysis={analysis}
                isOpen={isOpen}
                onToggle={() => toggle(question.item)}
              />
            )
          })}
        </tbody>
      </table>
    </section>
  )
}

function Row(props: {
  question: AnalysedQuestion
  analysis: Analysis
  isOpen: boolean
  onToggle: () => void
}) {
  const { question, analysis } = props
  const { discrimination: r, interval, right, of, isVoid } = question
  const isSuspicious = suspectOf(question) !== null
  return (
    <QuestionRow {...props} notice={noticeOf(question)}>
      <td className="w-11 whitespace-nowrap text-end">
        {isVoid ? '–' : interval ? percent(right / of) : rightOf(right, of)}
      </td>
      {analysis.people >= SHARES_FROM && (
        <td className="max-md:hidden">
          {!isVoid && interval && (
            <IntervalLine value={right / of} interval={interval} from={0} to={1} />
          )}
        </td>
      )}
      {analysis.people >= FIGURES_FROM && (
        <>
          <td className="w-11 text-end max-lg:hidden">{r ? coefficient(r.r) : '–'}</td>
          <td className="max-lg:hidden">
            {r && (
              <IntervalLine
                value={r.r}
                interval={r}
                from={-0.45}
                to={0.8}
                zero={0}
                isAmber={isSuspicious}
              />
            )}
          </td>
        </>
      )}
    </QuestionRow>
  )
}
