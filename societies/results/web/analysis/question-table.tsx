import { Fragment, useState } from 'react'
import { OPTION_LETTERS } from '../../../../platform/options.ts'
import { countOf } from '../../../../platform/words.ts'
import { coefficient, percent, rightOf } from '../../../kit/statistics/figures.ts'
import type { Interval } from '../../../kit/statistics/moments.ts'
import { FIGURES_FROM, SHARES_FROM } from '../../../kit/statistics/sample-size.ts'
import { ColumnWords, Heads } from '../../../kit/web/heads.tsx'
import { Section } from '../../../kit/web/section.tsx'
import { toggled } from '../../../kit/web/chosen-bar.tsx'
import type { AnalysedQuestion } from '../../contract-analysis.ts'
import { type Analysis, isUrgent, noticeOf, suspectOf } from './analysis-words.ts'
import { QuestionDetail } from './question-detail.tsx'

const WORDS = [
  [
    'Right',
    'The share of candidates who had it right. The line shows where it could be with other candidates like these.',
  ],
  [
    'Goes with the rest',
    'How far those who had it right also do well on the other questions: the correlation with the rest of the test. Below 0 look at the key first.',
  ],
  ['A to D, none', 'How many chose each option, the key in green, and how many chose none.'],
  [
    'Time',
    'The median time that the question was visible, without absences. It says something about the question, and proves nothing about a candidate.',
  ],
  [
    'Key suspicious',
    'Another option goes with the rest better than the key does, and at least a third of the best chose it.',
  ],
  [
    'Attracts the good',
    'The better candidates are, the more likely they choose this wrong option.',
  ],
  ['Hardly chosen', 'Fewer than one in twenty chose it: as a distractor it does not work.'],
] as const

/** One row for each question (product 7.18.4). Rows with a suspicious key are open. */
export function QuestionTable({ analysis }: { analysis: Analysis }) {
  const { questions, people } = analysis
  const [turned, setTurned] = useState<ReadonlySet<number>>(new Set())
  const hasShares = people >= SHARES_FROM
  return (
    <Section
      title="Questions"
      hint={
        <>
          {hasShares && 'lines are 95% intervals, '}
          {countOf(people, 'candidate')}
          {analysis.timed === 0 && ' · times on questions were not measured'} ·{' '}
          <ColumnWords words={WORDS} />
        </>
      }
    >
      <table className="table">
        <Heads
          of={[
            ['#', 'w-6.5'],
            ['Question'],
            [
              <Fragment key="right">
                Right<span className="max-md:hidden">, difficulty</span>
              </Fragment>,
              'max-md:text-end!',
              hasShares ? 2 : 1,
            ],
            people >= FIGURES_FROM && ['Goes with the rest, discrimination', 'max-lg:hidden', 2],
            ...[...OPTION_LETTERS, 'none'].map(
              (name) => [name, 'w-10 text-end! max-md:hidden'] as const,
            ),
            analysis.timed > 0 && ['Time', 'text-end! max-lg:hidden'],
            ['Notice', 'max-md:hidden'],
          ]}
        />
        <tbody>
          {questions.map((question) => (
            <QuestionRow
              key={question.item}
              question={question}
              analysis={analysis}
              isOpen={(suspectOf(question) !== null) !== turned.has(question.item)}
              onToggle={() => setTurned(toggled(turned, question.item))}
            />
          ))}
        </tbody>
      </table>
    </Section>
  )
}

function QuestionRow(props: {
  question: AnalysedQuestion
  analysis: Analysis
  isOpen: boolean
  onToggle: () => void
}) {
  const { question, analysis, isOpen } = props
  const { discrimination: r, interval, right, of, isVoid, medianMs } = question
  const notice = noticeOf(question)
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
                  isAmber={suspectOf(question) !== null}
                />
              )}
            </td>
          </>
        )}
        <OptionCounts question={question} />
        {analysis.timed > 0 && (
          <td className="text-end text-ink-2 max-lg:hidden">
            {medianMs === null ? '–' : timeWords(medianMs)}
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

/** How often each option was chosen: the key in green, the one that seems right in amber. */
function OptionCounts({ question }: { question: AnalysedQuestion }) {
  const suspect = suspectOf(question)
  return question.rows.map(({ option, isKey, count }) => {
    const isRight = isKey && !question.isVoid
    const look = isRight
      ? 'font-semibold text-right'
      : option !== null && option === suspect
        ? 'amber font-semibold'
        : 'text-ink-2'
    return (
      <td key={option} className={`w-10 text-end text-[13px] max-md:hidden ${look}`}>
        {count || (
          <>
            <span aria-hidden>·</span>
            <span className="sr-only">0</span>
          </>
        )}
        {isRight && <span className="sr-only"> (key)</span>}
      </td>
    )
  })
}

const WIDTH = 132

/** A value with its interval on a line, with a mark at zero. The value is also next to it in digits. */
function IntervalLine(props: {
  value: number
  interval: Interval
  from: number
  to: number
  isAmber?: boolean
}) {
  const { value, interval, from, to } = props
  const x = (at: number) => Math.max(1, Math.min(WIDTH - 1, ((at - from) / (to - from)) * WIDTH))
  const color = props.isAmber ? 'var(--mid)' : 'var(--ink)'
  return (
    <svg width={WIDTH} height="16" aria-hidden className="block">
      {from < 0 && <line x1={x(0)} x2={x(0)} y1="0" y2="16" stroke="var(--line-strong)" />}
      <line x1="0" x2={WIDTH} y1="8" y2="8" stroke="var(--line)" />
      <line
        x1={x(interval.low)}
        x2={x(interval.high)}
        y1="8"
        y2="8"
        stroke={color}
        strokeWidth="1.5"
      />
      <circle cx={x(value)} cy="8" r="3.5" fill={color} />
    </svg>
  )
}

/** '1:12' */
function timeWords(ms: number): string {
  const seconds = Math.round(ms / 1_000)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
