import { useState } from 'react'
import type { AnalysedQuestion } from '../../contract/analysis.ts'
import { coefficient, percent } from '../../statistics/figures.ts'
import { mayBeSaid } from '../../statistics/what-may-be-said.ts'
import { isUrgent, noticeOf, suspectOf, timeWords } from './analysis-words.ts'
import { Fifths, IntervalLine } from './drawn.tsx'
import { OptionCounts, OptionHeads } from './option-counts.tsx'
import type { Analysis } from './queries.ts'
import { QuestionDetail } from './question-detail.tsx'
import { WhatColumnsMean } from './what-columns-mean.tsx'

/** A row a question (product 7.18.4); a suspicious key's is open. */
export function QuestionTable({ analysis }: { analysis: Analysis }) {
  const { questions, people } = analysis
  const [toggled, setToggled] = useState<ReadonlySet<number>>(new Set())
  const isIndicative = mayBeSaid('discrimination', people) === 'indicative'
  const hasFifths = mayBeSaid('quintiles', people) !== 'hidden'
  const hasTimes = analysis.timed > 0
  const toggle = (item: number) => {
    const next = new Set(toggled)
    if (!next.delete(item)) next.add(item)
    setToggled(next)
  }
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
            {hasTimes && (
              <th scope="col" className="text-end! max-lg:hidden">
                Time
              </th>
            )}
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
                hasTimes={hasTimes}
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
  hasTimes: boolean
  onToggle: () => void
}) {
  const { question, isOpen } = props
  const { item, discrimination: r, interval, right, of, isVoid, fifths } = question
  const isSuspicious = suspectOf(question) !== null
  const p = right / of
  const notice = noticeOf(question)
  const noticeLook = isUrgent(question) ? 'amber font-[550]' : 'text-ink-2'
  const tone = isOpen ? 'bg-surface' : ''
  return (
    <>
      <tr className={tone}>
        <td className="text-ink-2">{item}</td>
        <td className="w-full max-w-0">
          <button
            type="button"
            className="flex min-h-8.5 w-full flex-col justify-center overflow-hidden text-start max-md:min-h-11"
            aria-expanded={isOpen}
            onClick={props.onToggle}
          >
            <span className="line-clamp-1 break-words">{question.question}</span>
            {notice && <span className={`text-[12.5px] md:hidden ${noticeLook}`}>{notice}</span>}
          </button>
        </td>
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
        {props.hasFifths && (
          <td className="max-lg:hidden">
            {fifths && !isVoid && <Fifths shares={fifths} isAmber={isSuspicious} />}
          </td>
        )}
        <OptionCounts question={question} />
        {props.hasTimes && (
          <td className="text-end text-ink-2 max-lg:hidden">
            {question.medianMs === null ? '–' : timeWords(question.medianMs)}
          </td>
        )}
        <td className={`min-w-44 text-[13px] leading-tight max-md:hidden ${noticeLook}`}>
          {notice}
        </td>
      </tr>
      {isOpen && (
        <tr className="bg-surface">
          <td colSpan={20} className="h-auto! border-b-ink! pr-0!">
            <QuestionDetail question={question} analysis={props.analysis} />
          </td>
        </tr>
      )}
    </>
  )
}
