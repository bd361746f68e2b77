import type { AnalysedQuestion } from '../../contract/analysis.ts'
import { rightOf } from '../../statistics/figures.ts'
import { LIMITS, STAGES, stageOf, stageRange } from '../../statistics/what-may-be-said.ts'
import {
  directionWords,
  noOrderWords,
  scoreErrorWords,
  scoresWords,
  uncertainReliabilityWords,
} from '../../statistics/words.ts'
import { noticeOf, paceWords } from './analysis-words.ts'
import { IntervalLine, ReliabilityLine } from './drawn.tsx'
import { OptionHeads } from './option-counts.tsx'
import type { Analysis } from './queries.ts'
import { QuestionRow, TimeHead, useToggled } from './question-row.tsx'
import { WhatColumnsMean } from './what-columns-mean.tsx'

/** The same page with fewer than 30 candidates: counts, directions in words, and what appears when. */
export function Few({ analysis }: { analysis: Analysis }) {
  return (
    <div className="grid gap-x-14 gap-y-9 xl:grid-cols-[minmax(0,1fr)_344px]">
      <Questions analysis={analysis} />
      <aside className="space-y-8">
        <Whole analysis={analysis} />
        <WhatAppearsWhen people={analysis.people} />
      </aside>
    </div>
  )
}

function Questions({ analysis }: { analysis: Analysis }) {
  const [open, toggle] = useToggled()
  const hasWords = analysis.people >= LIMITS.direction.indicative
  return (
    <section aria-labelledby="questions" className="min-w-0">
      <div className="head">
        <h2 id="questions">Questions</h2>
        <span className="hint">
          {hasWords && 'lines are 95% intervals · '}
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
            <th scope="col" colSpan={hasWords ? 2 : 1} className="max-md:text-end!">
              Right
            </th>
            <OptionHeads />
            <TimeHead analysis={analysis} />
            <th scope="col" className="max-md:hidden">
              {hasWords ? 'Direction, indicative' : 'Notice'}
            </th>
          </tr>
        </thead>
        <tbody>
          {analysis.questions.map((question) => (
            <Row
              key={question.item}
              question={question}
              analysis={analysis}
              isOpen={open.has(question.item)}
              onToggle={() => toggle(question.item)}
            />
          ))}
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
  const { right, of, interval, direction, isVoid } = question
  const notice = noticeOf(question) || (direction ? directionWords(direction) : '')
  return (
    <QuestionRow {...props} notice={notice}>
      <td className="whitespace-nowrap text-end">{isVoid ? '–' : rightOf(right, of)}</td>
      {analysis.people >= LIMITS.difficulty.shown && (
        <td className="max-md:hidden">
          {!isVoid && interval && (
            <IntervalLine value={right / of} interval={interval} from={0} to={1} width={112} />
          )}
        </td>
      )}
    </QuestionRow>
  )
}

function Whole({ analysis }: { analysis: Analysis }) {
  const { reliability, scores } = analysis
  if (!scores) return null
  const { low, high, median, quartiles } = scores
  const pace = paceWords(analysis)
  return (
    <section aria-labelledby="whole">
      <div className="head">
        <h2 id="whole">The test as a whole</h2>
        {reliability?.said === 'indicative' && <span className="chip">indicative</span>}
      </div>
      {reliability && (
        <>
          <div className="mt-4">
            <ReliabilityLine
              alpha={reliability.alpha}
              interval={reliability.interval}
              isIndicative
              width={344}
            />
          </div>
          <p className="mt-3 text-pretty font-medium font-serif text-[19px] leading-[1.35]">
            {uncertainReliabilityWords(reliability.alpha, reliability.interval)}
          </p>
          <p className="hint mt-2">
            Do not rank by this test alone. {scoreErrorWords(reliability.error)}{' '}
            {noOrderWords(reliability.error)}
          </p>
        </>
      )}
      <p className="hint mt-2">
        {median !== null && quartiles
          ? scoresWords({ low, high, median, quartiles })
          : `Scores ${low === high ? low : `${low} to ${high}`}.`}
      </p>
      {pace && <p className="hint mt-2">{pace}</p>}
    </section>
  )
}

/** What appears from how many candidates on, for people who wait for it. */
export function WhatAppearsWhen({ people }: { people: number }) {
  const here = people === 0 ? null : stageOf(people)
  return (
    <section aria-labelledby="when">
      <div className="head">
        <h2 id="when">What appears when</h2>
      </div>
      <ul className="figures">
        {STAGES.map((stage) => (
          <li
            key={stage.from}
            className={`grid grid-cols-[92px_minmax(0,1fr)] gap-x-3 border-line border-b py-2.5 text-[13.5px] ${stage === here ? 'text-ink' : 'text-ink-2'}`}
          >
            <b className={stage === here ? 'font-semibold' : 'font-[550]'}>{stageRange(stage)}</b>
            <span>
              {stage === here && <b className="font-semibold">You are here. </b>}
              {stage === here
                ? `${stage.appears.charAt(0).toUpperCase()}${stage.appears.slice(1)}`
                : stage.appears}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
