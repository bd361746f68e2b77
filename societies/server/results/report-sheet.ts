import {
  companyWords,
  endWords,
  entryMeanings,
  incidentWords,
  lengthText,
  NOT_THE_PERSON,
  REPORT_OF,
  standingWords,
} from '../../../assessments/incident-words.ts'
import { labelOf } from '../../../assessments/reference.ts'
import { formatMinutes } from '../../../assessments/time-left.ts'
import { showControls } from '../../../platform/server/control-characters.ts'
import type { Block, Leaf } from '../../../platform/server/documents/pdf.ts'
import type { CandidateFile, ShownIncident } from '../../contract/incidents.ts'
import { minutesOf } from '../../credential-letter.ts'
import { describeAction } from '../checklist/action-words.ts'
import { formatLocalTime } from '../local-time.ts'
import { VERDICT_WORDS } from './files/result-sheet.ts'
import type { PaperItem, Report } from './report.ts'

type Clock = (at: Date | string, precision?: 'seconds') => string

/** A candidate's report on paper. All times are on the clocks of the society's zone (product 7.5.7). */
export function reportSheet(
  report: Report,
  { madeAt, madeBy }: { madeAt: Date; madeBy: string },
): Leaf {
  const { assessment, file, called } = report
  const { code, timeZone } = assessment
  const at: Clock = (moment, precision) => formatLocalTime(new Date(moment), timeZone, precision)
  const title = `${code} · ${called}`
  return {
    title,
    foot: `${title} · made ${at(madeAt)} by ${madeBy}`,
    blocks: [
      {
        kind: 'title',
        small: [labelOf(assessment), assessment.season].filter(Boolean).join(' · '),
        text: called,
      },
      { kind: 'facts', facts: factsOf(report, at) },
      { kind: 'heading', text: 'What happened' },
      ...happened(file, at),
      ...answers(report, at),
      ...(file.comment ? [heading('What the candidate wrote'), paragraph(file.comment.text)] : []),
      ...actions(report, at),
      heading('What an entry does not mean'),
      paragraph(NOT_THE_PERSON),
      ...entryMeanings(file.attempt?.unseenMs ?? 0).map(({ term, text }) =>
        paragraph(`${term}: ${text}`),
      ),
    ],
  }
}

const heading = (text: string): Block => ({ kind: 'heading', text })
const paragraph = (text: string): Block => ({ kind: 'paragraph', text: plain(text) })
/** What a page or a candidate wrote shows its control characters and holds none. */
const plain = (text: string) => showControls(text.replace(/\s+/g, ' '))

function factsOf(
  { assessment, file, username, exemptKinds, score, looks }: Report,
  at: Clock,
): { label: string; text: string }[] {
  const { attempt, room } = file
  const known = [
    ...(username === null ? [] : [{ label: 'Username', text: username }]),
    { label: 'Room', text: room ?? 'none' },
    ...(exemptKinds.length > 0 ? [{ label: 'Not counted', text: exemptKinds.join(', ') }] : []),
  ]
  if (!attempt) return [...known, { label: 'Test', text: 'not started' }]
  const { submittedAt, plannedSeconds, givenSeconds, strikesSeen, strikesStand, unseenMs } = attempt
  const own = [
    ...(plannedSeconds > 0 ? [`${minutesOf(plannedSeconds)} min planned`] : []),
    ...(givenSeconds === 0 ? [] : [`${minutesOf(givenSeconds)} min given on the day`]),
  ]
  return [
    ...known,
    { label: 'Reference', text: attempt.reference },
    ...(attempt.form ? [{ label: 'Form', text: attempt.form }] : []),
    { label: 'Started', text: `${at(attempt.startedAt, 'seconds')}, ${assessment.timeZone}` },
    {
      label: 'Ended',
      text: submittedAt ? `${at(submittedAt, 'seconds')}, ${endWords(attempt)}` : 'still open',
    },
    {
      label: 'Time used',
      text: [
        `${formatMinutes(attempt.usedMs)} of ${minutesOf(attempt.durationSeconds)} min`,
        ...own,
      ].join(', '),
    },
    { label: 'Answered', text: `${attempt.answered} of ${attempt.itemCount}` },
    {
      label: 'Right',
      text: score ? `${score.correct}, not right ${score.incorrect}` : 'covered',
    },
    { label: 'Strikes', text: `${strikesStand} of ${strikesSeen} stand` },
    {
      label: 'Not monitored',
      text: unseenMs > 0 ? lengthText(unseenMs) : 'no time that is known of',
    },
    ...attempt.receipts.map((one) => ({
      label: 'Receipt',
      text: `${one.code}, since ${at(one.at, 'seconds')}`,
    })),
    ...looks.map((text) => ({ label: 'Worth a look', text })),
  ]
}

/** The same lines as on the page, in their order. */
function happened({ incidents, moments, leftOut, attempt }: CandidateFile, at: Clock): Block[] {
  const day = attempt ? at(attempt.startedAt).slice(0, 10) : ''
  const timeOf = (moment: string) => {
    const text = at(moment, 'seconds')
    return text.startsWith(day) ? text.slice(11) : text
  }
  const rows = [
    ...moments.map((one) => ({ at: one.at, cells: [one.text, ''] })),
    ...incidents.map((one) => ({
      at: one.at,
      cells: [happenedText(one, timeOf), decidedText(one, at)],
    })),
  ].sort((a, b) => a.at.localeCompare(b.at))
  if (rows.length === 0) return [paragraph('Nothing was seen. That is not proof of anything.')]
  return [
    {
      kind: 'table',
      columns: [
        { label: 'Time', parts: 2 },
        { label: 'What happened', parts: 8 },
        { label: 'Strike and decision', parts: 6 },
      ],
      rows: rows.map((row) => [timeOf(row.at), ...row.cells.map(plain)]),
    },
    ...(leftOut > 0 ? [paragraph(`And ${leftOut} more entries that never counted.`)] : []),
  ]
}

function happenedText(one: ShownIncident, timeOf: (at: string) => string): string {
  const { report, company } = one
  if (report) return `${report.by} wrote${REPORT_OF[report.of]}: “${report.note}”`
  const startMs = Date.parse(one.at) - one.atMs
  const { lead, rest } = incidentWords(one, (ms) => timeOf(new Date(startMs + ms).toISOString()))
  return [lead, companyWords(company), ...rest].filter(Boolean).join(' ')
}

function decidedText(one: ShownIncident, at: Clock): string {
  const verdicts = one.verdicts.map(({ verdict, reason, by, at: decidedAt, ...taken }) => {
    const back = taken.withdrawnAt ? `, taken back ${at(taken.withdrawnAt)}` : ''
    return `${VERDICT_WORDS[verdict]} by ${by}, ${at(decidedAt)}${back}: ${reason}`
  })
  const voided = one.strike?.reason ? ` (${one.strike.reason})` : ''
  return [
    ...(one.kind === 'report' ? [] : [`${standingWords(one)}${voided}`]),
    ...verdicts,
    ...(one.state === 'waiting' ? ['undecided'] : []),
  ].join('. ')
}

function answers({ file, paper, score }: Report, at: Clock): Block[] {
  if (!file.answers) return []
  const keys = new Map(score?.keys.map((one) => [one.number, one]) ?? [])
  const optionText = ({ options }: PaperItem, letter: keyof PaperItem['options'] | null) =>
    letter === null ? 'nothing' : `${letter}: ${options[letter]}`
  const rows = file.answers.flatMap(({ number, choice, was, savedAt, hasWaited }) => {
    const item = paper[number - 1]
    if (!item) return []
    const key = keys.get(number)
    const notes = [
      ...(was.length > 0 ? [`was ${was.join(', ')}`] : []),
      ...(hasWaited ? ['chosen offline'] : []),
      ...(savedAt ? [`saved ${at(savedAt, 'seconds').slice(11)}`] : []),
    ]
    return [
      [
        String(number),
        item.question,
        [optionText(item, choice), ...notes].join(', '),
        ...(key ? [keyText(item, key)] : []),
      ],
    ]
  })
  return [
    heading('Answers'),
    {
      kind: 'table',
      columns: [
        { label: '#', parts: 1 },
        { label: 'Question', parts: 8 },
        { label: 'Chosen', parts: 6 },
        ...(score ? [{ label: 'Key', parts: 6 }] : []),
      ],
      rows: rows.map((cells) => cells.map(plain)),
    },
    ...(score ? [] : [paragraph('Key and points are covered.')]),
  ]
}

/** What counts as right, the point, and what was ruled. */
function keyText(
  { options, rulings }: PaperItem,
  { keys, points }: NonNullable<Report['score']>['keys'][number],
): string {
  const right = keys.map((letter) => `${letter}: ${options[letter]}`).join(' or ')
  const point = points === null ? 'left out for everybody' : points === 1 ? 'right' : 'not right'
  const ruled = rulings.map(({ kind, acceptedOption, reason }) => {
    return `Ruled: ${RULED[kind](acceptedOption)}. ${reason}`
  })
  return [`${right} (${point})`, ...ruled].join('. ')
}

const RULED: Record<PaperItem['rulings'][number]['kind'], (option: string | null) => string> = {
  accept: (option) => `${option} counts too`,
  replace: (option) => `${option} is right instead of the key`,
  void: () => 'it counts for nobody',
  full_marks: () => 'everybody has the point',
}

function actions({ actions: done, username, score }: Report, at: Clock): Block[] {
  if (done.length === 0) return []
  return [
    heading('What organizers did'),
    {
      kind: 'table',
      columns: [
        { label: 'When', parts: 3 },
        { label: 'What', parts: 12 },
      ],
      rows: done.map(({ at: doneAt, actor, action, detail, change }) => {
        const reason = typeof detail.reason === 'string' ? `: “${detail.reason}”` : ''
        const moved =
          score && change
            ? ` (${change.before.correct} right before, ${change.after.correct} after)`
            : ''
        const what = describeAction(action, detail, username !== null)
        return [at(doneAt), plain(`${actor} ${what}${reason}${moved}`)]
      }),
    },
  ]
}
