import type { AnalysedQuestion } from '../../contract/analysis.ts'
import { coefficient, percent } from '../../statistics/figures.ts'
import { mayBeSaid } from '../../statistics/what-may-be-said.ts'
import { noticeOf, suspectOf } from './analysis-words.ts'
import { Fifths, IntervalLine } from './drawn.tsx'
import { OptionHeads } from './option-counts.tsx'
import type { Analysis } from './queries.ts'
import { QuestionRow, TimeHead, useToggled } from './question-row.tsx'
import { WhatColumnsMean } from './what-columns-mean.tsx'

/** A row a question (product 7.18.4); a suspicious key's is open. */
export function QuestionTable({ analysis }: { analysis: Analysis }) {
  const { questions, people } = analysis
  const [toggled, toggle] = useToggled()
  const isIndicative = mayBeSaid('discrimination', people) === 'indicative'
  const hasFifths = mayBeSaid('quintiles', people) !== 'hidden'
  const hasTimes = analysis.timed > 0
  return (
    <section aria-labelledby="questions">
      <div className="head">
        <h2 id="questions">Questions</h2>
        <span className="hint">
          lines are 95% intervals, {people} candidates
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
            <th scope="col" colSpan={2} className="max-md:text-end!">
              Right<span className="max-md:hidden">, difficulty</span>
            </th>
            <th scope="col" colSpan={2} className="max-lg:hidden">
              Goes with the rest, discrimination
              {isIndicative && <span className="chip ml-2">indicative</span>}
            </th>
            {hasFifths && (
              <th scope="col" className="max-lg:hidden">
                Weakest to best fifth
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
                hasFifths={hasFifths}
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
  hasFifths: boolean
  onToggle: () => void
}) {
  const { hasFifths, ...row } = props
  const { question } = props
  const { discrimination: r, interval, right, of, isVoid, fifths } = question
  const isSuspicious = suspectOf(question) !== null
  const p = right / of
  return (
    <QuestionRow {...row} notice={noticeOf(question)}>
      <td className="w-11 text-end">{isVoid ? '–' : percent(p)}</td>
      <td className="max-md:hidden">
        {!isVoid && interval && <IntervalLine value={p} interval={interval} from={0} to={1} />}
      </td>
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
      {hasFifths && (
        <td className="max-lg:hidden">
          {fifths && !isVoid && <Fifths shares={fifths} isAmber={isSuspicious} />}
        </td>
      )}
    </QuestionRow>
  )
}
