import { labelOf } from '../../../../assessments/reference.ts'
import { errorInWords, scoreShown } from '../../../../assessments/released-result.ts'
import { formatMinutes } from '../../../../assessments/time-left.ts'
import type { Block, Leaf } from '../../../../platform/server/documents/pdf.ts'
import { countOf } from '../../../number-words.ts'
import type { AssessmentRow } from '../../assessments.ts'
import { formatLocalTime } from '../../local-time.ts'
import type { TableItem } from '../answer-table.ts'
import type { ResultFacts } from './result-facts.ts'

/** How an attempt ended, in words. */
const REASONS: Record<string, string> = {
  candidate: 'by the candidate',
  deadline: 'by the clock, at the deadline',
  violations: 'by the third strike',
}

export const VERDICT_WORDS = {
  cleared: 'cleared',
  upheld: 'upheld',
  needs_talk: 'needs a talk',
} as const

export interface SheetOf {
  assessment: AssessmentRow
  items: readonly TableItem[]
  madeAt: Date
  /** name */
  madeBy: string
}

/** One candidate's result on paper (product 7.17.10). No rank: the test supports none within a group. */
export function resultSheet(facts: ResultFacts, of: SheetOf): Leaf {
  const { assessment, madeAt, madeBy } = of
  const { timeZone, code } = assessment
  const at = (moment: Date, precision?: 'seconds') => formatLocalTime(moment, timeZone, precision)
  const whose = facts.name ?? facts.username
  const blocks: Block[] = [
    {
      kind: 'title',
      small: [labelOf(assessment), assessment.season].filter(Boolean).join(' · '),
      text: whose,
    },
    { kind: 'paragraph', text: whatItMeasures(facts, of) },
    {
      kind: 'figures',
      figures: [
        { value: scoreShown({ right: facts.correct, items: facts.items }), label: 'right' },
        ...(facts.error === null
          ? []
          : [{ value: `± ${facts.error}`, label: 'points, one standard error' }]),
        { value: facts.time, label: `of ${formatMinutes(facts.allowedSeconds * 1000)}` },
      ],
    },
    {
      kind: 'paragraph',
      text: errorInWords({ right: facts.correct, items: facts.items, error: facts.error }),
    },
    { kind: 'paragraph', text: groupInWords(facts) },
    { kind: 'heading', text: 'Incidents' },
    ...incidentBlocks(facts, at),
    { kind: 'heading', text: 'Receipt' },
    {
      kind: 'facts',
      facts: [
        { label: 'Candidate', text: facts.username },
        { label: 'Reference', text: facts.reference },
        { label: 'Started', text: `${at(facts.startedAt)}, ${timeZone}` },
        {
          label: 'Submitted',
          text: `${at(facts.submittedAt)}, ${REASONS[facts.submitReason] ?? facts.submitReason}`,
        },
        { label: 'Answered', text: countOf(facts.answered, 'question') },
      ],
    },
  ]
  return {
    title: `${code} · ${whose}`,
    foot: `${code} · reference ${facts.reference} · made ${at(madeAt)} by ${madeBy}`,
    blocks,
  }
}

function whatItMeasures({ form, items }: ResultFacts, of: SheetOf): string {
  const asked = of.items.filter((one) => one.form === null || form === null || one.form === form)
  const counts = new Map<string, number>()
  for (const { topic, isVoid } of asked) {
    if (topic && !isVoid) counts.set(topic, (counts.get(topic) ?? 0) + 1)
  }
  const topics = [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([topic, count]) => `${topic} ${count}`)
  const minutes = Math.round(of.assessment.durationSeconds / 60)
  return `The test measures what somebody knows of ${countOf(items, 'question')} with four options each, in ${countOf(minutes, 'minute')}${topics.length > 0 ? `: ${topics.join(', ')}` : ''}. An unanswered question counts as not right.`
}

function groupInWords({ group }: ResultFacts): string {
  if (!group) {
    return 'This test is too short, or was sat by too few, to put candidates in an order.'
  }
  const { number, of, count, high, low } = group
  const scores = high === low ? `${high} points` : `${low} to ${high} points`
  return `Group ${number} of ${of}: ${countOf(count, 'candidate')} with ${scores}. Inside a group the test tells nobody apart.`
}

function incidentBlocks(
  { incidents, undecided }: ResultFacts,
  at: (moment: Date, precision?: 'seconds') => string,
): Block[] {
  const open: Block[] =
    undecided === 0
      ? []
      : [
          {
            kind: 'paragraph',
            text: `${countOf(undecided, 'incident')} ${undecided === 1 ? 'is undecided, or waits' : 'are undecided, or wait'} for a talk.`,
          },
        ]
  if (incidents.length === 0) {
    return open.length > 0
      ? open
      : [{ kind: 'paragraph', text: 'None that somebody had to decide about.', isQuiet: true }]
  }
  return [
    ...open,
    {
      kind: 'table',
      columns: [
        { label: 'What happened', parts: 5 },
        { label: 'Verdict', parts: 3 },
        { label: 'Reason', parts: 6 },
        { label: 'By', parts: 4 },
      ],
      rows: incidents.map(({ at: happenedAt, what, verdict, reason, ...by }) => [
        `${happenedAt ? `${at(happenedAt, 'seconds').slice(-8)} ` : ''}${what}`,
        VERDICT_WORDS[verdict],
        reason,
        `${by.decidedBy}, ${at(by.decidedAt)}`,
      ]),
    },
  ]
}
