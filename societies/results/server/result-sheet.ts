import { labelOf } from '../../../assessments/reference.ts'
import { errorInWords, scoreShown } from '../../../assessments/released-result.ts'
import { formatMinutes } from '../../../platform/durations.ts'
import type { Block, Leaf } from '../../../platform/server/documents/pdf.ts'
import { countOf } from '../../../platform/words.ts'
import type { AssessmentRow } from '../../access/server/assessments.ts'
import { minutesOf } from '../../candidates/credential-letter.ts'
import type { TableItem } from '../../incidents/server/answer-table.ts'
import { formatLocalTime } from '../../kit/server/local-time.ts'
import type { ResultFacts } from './result-facts.ts'

export const heading = (text: string): Block => ({ kind: 'heading', text })
export const paragraph = (text: string): Block => ({ kind: 'paragraph', text })

/** Labeled texts; those that are null are left out. */
export const facts = (labeled: readonly [label: string, text: string | null][]): Block => ({
  kind: 'facts',
  facts: labeled.flatMap(([label, text]) => (text === null ? [] : [{ label, text }])),
})

/** @param columns relative widths by label */
export const table = (columns: Record<string, number>, rows: string[][]): Block => ({
  kind: 'table',
  columns: Object.entries(columns).map(([label, parts]) => ({ label, parts })),
  rows,
})

const REASONS = {
  candidate: 'by the candidate',
  deadline: 'automatically, at the deadline',
  violations: 'by the third strike',
}

export const VERDICT_WORDS = {
  cleared: 'cleared',
  upheld: 'upheld',
  needs_talk: 'needs follow-up',
} as const

/** Formats a time in the society's zone. */
export type Clock = (at: Date, precision?: 'seconds') => string

interface SheetOf {
  assessment: AssessmentRow
  items: readonly TableItem[]
  madeAt: Date
  madeBy: string
  /** null: the test has no cut score */
  line: { points: number; fixedAt: Date | null } | null
}

/**
 * Prints one candidate's result (product 7.17.10). It has no rank, because the test supports no order within a group.
 */
export function resultSheet(result: ResultFacts, of: SheetOf): Leaf {
  const { assessment, madeAt, madeBy, line } = of
  const { timeZone } = assessment
  const { correct: right, items, error } = result
  const at: Clock = (moment, precision) => formatLocalTime(moment, timeZone, precision)
  const whose = result.name ?? result.username
  const small = [labelOf(assessment), assessment.season].filter(Boolean).join(' · ')
  const figures = [
    { value: scoreShown({ right, items }), label: 'right' },
    ...(error === null ? [] : [{ value: `± ${error}`, label: 'points, margin of error' }]),
    { value: result.time, label: `of ${formatMinutes(result.allowedSeconds * 1000)}` },
  ]
  const answered = result.choices.filter(Boolean).length
  return {
    title: `${small} · ${whose}`,
    foot: `${small} · reference ${result.reference} · made ${at(madeAt)} by ${madeBy}`,
    blocks: [
      { kind: 'title', small, text: whose },
      paragraph(whatItMeasures(result, of)),
      { kind: 'figures', figures },
      paragraph(errorInWords({ right, items, error })),
      paragraph(groupInWords(result)),
      ...correctionBlocks(result),
      heading('Incidents'),
      ...incidentBlocks(result, at),
      heading('Receipt'),
      facts([
        ['Candidate', result.username],
        ['Reference', result.reference],
        ['Started', `${at(result.startedAt)}, ${timeZone}`],
        ['Ended', `${at(result.submittedAt)}, ${endText(result)}`],
        ['Time given', givenText(result)],
        ['Cut score', line?.fixedAt ? `${line.points} points, locked ${at(line.fixedAt)}` : null],
        ['Answered', countOf(answered, 'question')],
      ]),
    ],
  }
}

function endText({ submitReason, endedBySociety, time, allowedSeconds }: ResultFacts): string {
  if (!endedBySociety) return REASONS[submitReason]
  return `by an organizer, after ${time} of ${formatMinutes(allowedSeconds * 1000)}`
}

const givenText = ({ givenSeconds, endedBySociety }: ResultFacts): string | null =>
  givenSeconds > 0 && !endedBySociety ? `${minutesOf(givenSeconds)} min during the test` : null

export const RULED: Record<ResultFacts['corrections'][number]['kind'], (option: string) => string> =
  {
    accept: (option) => `${option} counts too`,
    replace: (option) => `${option} is right instead of the key`,
    void: () => 'the question is left out',
    full_marks: () => 'all candidates have the point',
  }

function correctionBlocks({ corrections }: ResultFacts): Block[] {
  if (corrections.length === 0) return []
  const texts = corrections.map(({ question, kind, option, change }) => {
    const points = countOf(Math.abs(change ?? 0), 'point')
    const effect =
      change === null
        ? ''
        : change === 0
          ? ' This score didn’t change.'
          : ` This ${change > 0 ? 'added' : 'took'} ${points} ${change > 0 ? 'to' : 'from'} this score.`
    return `Question ${question} of the test: ${RULED[kind](option ?? '')}.${effect}`
  })
  return [heading('Corrected after the test'), ...texts.map(paragraph)]
}

function whatItMeasures({ choices, items }: ResultFacts, of: SheetOf): string {
  const counts = new Map<string, number>()
  for (const [at, { topic, isVoid }] of of.items.entries()) {
    if (!topic || isVoid || choices[at] === undefined) continue
    counts.set(topic, (counts.get(topic) ?? 0) + 1)
  }
  const topics = [...counts].sort(([, a], [, b]) => b - a).map((one) => one.join(' '))
  const minutes = Math.round(of.assessment.durationSeconds / 60)
  return [
    `The test had ${countOf(items, 'question')} with four options each and a time limit of ${countOf(minutes, 'minute')}.`,
    ...(topics.length > 0 ? [`Questions by topic: ${topics.join(', ')}.`] : []),
    'An unanswered question counts as wrong.',
  ].join(' ')
}

function groupInWords({ group }: ResultFacts): string {
  if (!group) return 'The test is too short, or too few candidates took it, to compare them.'
  const { number, of, count, high, low } = group
  const scores = high === low ? `${high} points` : `${low} to ${high} points`
  return `Group ${number} of ${of}: ${countOf(count, 'candidate')} with ${scores}. Differences within a group mean nothing.`
}

function incidentBlocks({ incidents, undecided }: ResultFacts, at: Clock): Block[] {
  if (incidents.length === 0 && undecided === 0) {
    return [{ kind: 'paragraph', text: 'No incident needed a decision.', isQuiet: true }]
  }
  const counted = countOf(undecided, 'incident is', 'incidents are')
  const rows = incidents.map((one) => [
    `${one.at ? `${at(one.at, 'seconds').slice(-8)} ` : ''}${one.what}`,
    VERDICT_WORDS[one.verdict],
    one.reason,
    `${one.decidedBy}, ${at(one.decidedAt)}`,
  ])
  return [
    ...(undecided > 0 ? [paragraph(`${counted} undecided or waiting for follow-up.`)] : []),
    ...(rows.length > 0 ? [table({ 'What happened': 5, Verdict: 3, Reason: 6, By: 4 }, rows)] : []),
  ]
}
