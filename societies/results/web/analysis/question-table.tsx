import { Fragment, useState } from 'react'
import { Link } from 'react-router'
import { clockTime } from '../../../../platform/durations.ts'
import { OPTION_LETTERS } from '../../../../platform/options.ts'
import { call } from '../../../../platform/web/api.ts'
import { countOf } from '../../../../platform/words.ts'
import type { Interval } from '../../../kit/statistics/moments.ts'
import { FIGURES_FROM, SHARES_FROM } from '../../../kit/statistics/responses.ts'
import { AskButton, REASON } from '../../../kit/web/ask.tsx'
import { useAssessment } from '../../../kit/web/console/console.tsx'
import { toggled } from '../../../kit/web/list-bar.tsx'
import { ColumnWords, Heads, Section } from '../../../kit/web/section.tsx'
import { ActButton, useAct, usePlace, useUrlOf } from '../../../kit/web/use-act.tsx'
import { zoneMoment } from '../../../kit/zone-time.ts'
import { type AnalyzedQuestion, doubtKey, keepKey } from '../../contract-analysis.ts'
import { coefficient, percent } from '../results-words.ts'
import { type Analysis, evidenceOf, isUrgent, noticeOf, suspectOf } from './analysis-words.ts'

const WORDS = [
  [
    'Right',
    'The share of candidates who got it right. The line is the 95% interval: the likely range for similar candidates.',
  ],
  [
    'Discrimination',
    'Whether candidates who got it right also do well on the other questions, as a correlation. Below 0, check the key first.',
  ],
  ['A to D, none', 'How many chose each option (the key is green), and how many left it blank.'],
  [
    'Time',
    'The median time that the question was on screen, without absences. It describes the question and proves nothing about a candidate.',
  ],
  [
    'Key is probably another option',
    'Another option fits the rest of the test better than the key, and at least a third of the top candidates chose it.',
  ],
  [
    'Attracts strong candidates',
    'Stronger candidates are more likely to choose this wrong option.',
  ],
  [
    'Rarely chosen',
    'Fewer than one in twenty candidates chose it, so it doesn’t work as a distractor.',
  ],
] as const

/** Shows one row per question (product 7.18.4). Rows with a suspicious key start open. */
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
          {analysis.timed === 0 && ' · time per question was not measured'} ·{' '}
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
            people >= FIGURES_FROM && ['Discrimination', 'max-lg:hidden', 2],
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
  question: AnalyzedQuestion
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
          {isVoid ? '–' : interval ? percent(right / of) : `${right} of ${of}`}
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
            {medianMs === null ? '–' : clockTime(Math.round(medianMs / 1_000))}
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

function OptionCounts({ question }: { question: AnalyzedQuestion }) {
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

function QuestionDetail(props: { question: AnalyzedQuestion; analysis: Analysis }) {
  const { question, analysis } = props
  const place = usePlace()
  const { timeZone } = useAssessment()
  const params = { ...place, item: String(question.item) }
  const doubting = useAct(() => call(doubtKey, { params }))
  const { kept } = question
  const evidence = evidenceOf(question, analysis.questionCount)
  const suspect = suspectOf(question)
  return (
    <div className="grid gap-x-12 gap-y-5 py-4.5 md:px-6.5 xl:grid-cols-[minmax(0,1fr)_372px]">
      <div className="min-w-0">
        <h3 className="whitespace-pre-line text-pretty break-words text-[19px]!">
          {question.question}
        </h3>
        <OptionTable question={question} others={analysis.questionCount - 1} />
      </div>
      <div className="text-[13.5px] text-ink-2 leading-[1.5]">
        {evidence && (
          <p>
            <b className="font-semibold text-ink">{evidence[0]}</b> {evidence[1]}
          </p>
        )}
        {kept && (
          <p>
            {kept.by} confirmed the key on {zoneMoment(kept.at, timeZone, Date.now())}:{' '}
            {kept.reason}
          </p>
        )}
        {question.timed > 0 && question.timed < analysis.people && (
          <p className="mt-2">Times are known for {countOf(question.timed, 'candidate')}.</p>
        )}
        <div className="mt-3.5 flex flex-wrap gap-2">
          <RuleLink
            item={question.item}
            ruling={analysis.ruling}
            className={suspect ? 'btn' : 'btn btn-ghost'}
          />
          {analysis.ruling === 'rule' && suspect && (
            <AskButton
              words="Confirm the key"
              title={`Confirm the key of question ${question.item}?`}
              text="No result changes. The notice disappears. You can bring it back later."
              endpoint={keepKey}
              input={{ params }}
              fields={{ reason: REASON }}
              button={[`Confirm ${question.keys.join(' or ')}`, 'Saving…']}
            />
          )}
          {analysis.ruling === 'rule' && kept && (
            <ActButton act={doubting}>Flag the key again</ActButton>
          )}
        </div>
      </div>
    </div>
  )
}

export function RuleLink(props: { item: number; ruling: Analysis['ruling']; className: string }) {
  const urlOf = useUrlOf()
  if (props.ruling === 'none') return null
  return (
    <Link to={urlOf(`analysis/${props.item}`)} className={props.className}>
      {props.ruling === 'rule' ? 'Rule' : 'Propose a ruling'} on question {props.item}…
    </Link>
  )
}

function OptionTable({ question, others }: { question: AnalyzedQuestion; others: number }) {
  const { rows, topCount, isVoid, options } = question
  const suspect = suspectOf(question)
  const most = Math.max(1, ...rows.map(({ count }) => count))
  const hasMeans = rows.some(({ restMean }) => restMean !== null)
  const hasR = rows.some(({ r }) => r !== null)
  return (
    <table className="table mt-2">
      <Heads
        of={[
          ['Option', '', 2],
          ['Chosen by', 'text-end!'],
          [
            <span key="drawn" className="sr-only">
              drawn
            </span>,
            'min-w-38 max-md:hidden',
          ],
          hasMeans && [`Mean on the other ${others}`, 'text-end! max-md:hidden'],
          hasR && ['Discrimination', 'text-end! max-md:hidden'],
          topCount !== null && [`Of the top ${topCount}`, 'text-end!'],
        ]}
      />
      <tbody>
        {rows
          .filter(({ option, count }) => option !== null || count > 0)
          .map(({ option, isKey, count, restMean, r, top }) => {
            const isSuspect = option !== null && option === suspect
            return (
              <tr key={option} className={isSuspect ? 'bg-mid-soft' : ''}>
                <td className="w-7 pl-2!">
                  <b className="font-semibold">{option ?? '–'}</b>
                </td>
                <td className="w-full break-words py-1!">
                  {option ? options[option] : 'nothing chosen'}
                  {isKey && !isVoid && <span className="chip chip-right ml-2">key</span>}
                </td>
                <td className="text-end">{count}</td>
                <td className="max-md:hidden" aria-hidden>
                  <span
                    className={`block h-2 max-w-36 ${isSuspect ? 'bg-mid' : 'bg-ink'}`}
                    style={{ width: `${(count / most) * 140}px` }}
                  />
                </td>
                {hasMeans && (
                  <td className="text-end max-md:hidden">{restMean?.toFixed(1) ?? '–'}</td>
                )}
                {hasR && (
                  <td className="text-end max-md:hidden">{r === null ? '–' : coefficient(r)}</td>
                )}
                {topCount !== null && <td className="pr-2.5! text-end">{top}</td>}
              </tr>
            )
          })}
      </tbody>
    </table>
  )
}
