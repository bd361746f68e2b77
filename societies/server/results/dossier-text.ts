import { referenceOf } from '../../../assessments/reference.ts'
import type { RulingKind } from '../../../assessments/server/tables.ts'
import { formatMinutes } from '../../../assessments/time-left.ts'
import { MERGE_MS, nameOfAct } from '../../../assessments/violations.ts'
import { OPTION_LETTERS } from '../../../platform/options.ts'
import { showControls } from '../../../platform/server/control-characters.ts'
import { formatLocalTime } from '../local-time.ts'
import { describeMark } from '../marks-text.ts'
import type { Gap } from '../unmonitored.ts'
import type { Dossier, DossierAction, DossierEvent, DossierItem } from './dossier.ts'
import type { Verdict } from './verdicts.ts'

/** How an attempt ended, in words. */
export const REASONS: Record<string, string> = {
  candidate: 'by the candidate',
  deadline: 'by the clock, at the deadline',
  violations: 'by the third strike',
}

/** What the lines of events and saves refer to, reckoned once: an attempt may have very many. */
interface Names {
  /** number of each item on this candidate's paper, by its id */
  numbers: Map<number, number>
  /** 1 for the first window that had the attempt open */
  windows: Map<string, number>
  /** what the zone's clocks showed, by seconds since 1970 */
  clocks: Map<number, string>
}

/** The dossier as Markdown. All times are on the clocks of the society's zone. */
export function writeDossier(dossier: Dossier): string {
  const { assessment, candidate, madeAt, madeBy } = dossier
  const names = namesIn(dossier)
  const name = assessment.session
    ? `${assessment.society} - ${assessment.session}`
    : assessment.society
  return `${[
    `# Dossier of ${plain(dossier.covered.as ?? candidate.username)}, ${assessment.code}`,
    `${plain(name)}. Made on ${timeOf(dossier, madeAt)} by ${plain(madeBy)}. All times are those of ${assessment.timeZone}.`,
    ...section('Candidate', writeCandidate(dossier)),
    ...section('Result', writeResult(dossier)),
    ...section('Paper', writePaper(dossier)),
    ...section('Saves', writeSaves(dossier, names)),
    ...section('Events', writeEvents(dossier, names)),
    ...section('Late answers', writeLate(dossier, names)),
    ...section('Verdicts', writeVerdicts(dossier)),
    ...section('What the candidate wrote', dossier.comment ? [plain(dossier.comment.text)] : []),
    ...section('What organisers did', writeActions(dossier)),
  ].join('\n\n')}\n`
}

function section(title: string, paragraphs: string[]): string[] {
  return [`## ${title}`, ...(paragraphs.length > 0 ? paragraphs : ['Nothing.'])]
}

function writeCandidate(dossier: Dossier): string[] {
  const { candidate, attempt, assessment } = dossier
  return [
    list([
      `username: ${dossier.covered.as === null ? plain(candidate.username) : 'covered'}${candidate.isDemo ? ' (a demo candidate)' : ''}`,
      `on the roster since ${timeOf(dossier, candidate.createdAt)}`,
      `time: ${formatMinutes(assessment.durationSeconds * 1000)}, extra time ${formatMinutes(candidate.extraSeconds * 1000)}`,
      ...(candidate.exemptKinds.length > 0
        ? [`exempt from: ${candidate.exemptKinds.join(', ')}`]
        : []),
      ...(candidate.revokedAt ? [`revoked on ${timeOf(dossier, candidate.revokedAt)}`] : []),
      attempt ? `reference: ${referenceOf(attempt)}` : 'has not started',
    ]),
  ]
}

function writeResult(dossier: Dossier): string[] {
  const { attempt, result, strikes, gaps, marks } = dossier
  if (!attempt) return []
  const watched =
    gaps.length === 0
      ? 'monitored: yes, every window reported, without a gap'
      : `unmonitored: ${gaps.map(describeGap).join('; ')}`
  return [
    list([
      `started: ${timeOf(dossier, attempt.startedAt)}`,
      `deadline: ${timeOf(dossier, attempt.deadlineAt)}`,
      ...(attempt.submittedAt
        ? [
            `submitted: ${timeOf(dossier, attempt.submittedAt)}, ${REASONS[attempt.submitReason ?? ''] ?? ''}`,
          ]
        : ['still open: there is no result yet']),
      ...(result && !dossier.covered.hasKeys ? ['correct, incorrect: covered'] : []),
      ...(result && dossier.covered.hasKeys
        ? [
            `correct: ${result.correct}, incorrect: ${result.incorrect} (unanswered counts as incorrect)`,
            `time: ${result.time}${attempt.pausedMs > 0 ? `, without ${formatMinutes(attempt.pausedMs)} for which it stood closed before it was reopened` : ''}`,
            `cheated: ${result.cheated}`,
          ]
        : []),
      `strikes that stand: ${strikes}`,
      watched,
      ...marks.map((mark) => `worth a look: ${describeMark(mark)}`),
    ]),
  ]
}

function writePaper({ paper, ...dossier }: Dossier): string[] {
  const { hasKeys } = dossier.covered
  return paper.flatMap((item, index) => [
    `### ${index + 1} (item ${item.position} of the table)`,
    plain(item.question),
    list(
      OPTION_LETTERS.map((letter) => {
        const marks = [
          ...(hasKeys && isRight(item, letter) ? ['right'] : []),
          ...(item.choice === letter ? ['chosen'] : []),
        ]
        return `${letter}. ${plain(item.options[letter])}${marks.length > 0 ? ` **(${marks.join(', ')})**` : ''}`
      }),
    ),
    `${hasKeys ? verdict(item) : 'The key is covered.'}${item.savedAt ? ` Saved ${timeOf(dossier, item.savedAt)}, revision ${item.revision}.` : ''}`,
    ...(hasKeys ? item.rulings : []).map(
      ({ kind, acceptedOption, reason }) =>
        `Ruled: ${ruledWords(kind, acceptedOption)}. Reason: ${plain(reason)}`,
    ),
  ])
}

function ruledWords(kind: RulingKind, option: string | null): string {
  switch (kind) {
    case 'accept':
      return `${option} counts as right too`
    case 'replace':
      return `${option} is right instead of the key`
    case 'void':
      return 'counts for nobody'
    case 'full_marks':
      return 'everybody has it right'
  }
}

const isRuled = ({ rulings }: DossierItem, kind: RulingKind) =>
  rulings.some((ruling) => ruling.kind === kind)

function isRight(item: DossierItem, letter: string): boolean {
  if (item.rulings.some((ruling) => ruling.acceptedOption === letter)) return true
  return item.key === letter && !isRuled(item, 'replace')
}

function verdict(item: DossierItem): string {
  if (isRuled(item, 'void')) return 'Void: counts for nobody.'
  if (isRuled(item, 'full_marks')) return 'Correct, as for everybody.'
  if (item.choice === null) return 'Not answered: incorrect.'
  return isRight(item, item.choice) ? 'Correct.' : 'Incorrect.'
}

function writeSaves(dossier: Dossier, names: Names): string[] {
  const saves = dossier.events.filter(({ kind }) => kind === 'saved')
  if (saves.length === 0) return []
  return [
    'Each line is one save as the server took it: question on this paper, choice, revision. The highest revision of a question counts.',
    list(
      saves.map((event) => {
        const answers = ((event.detail ?? []) as [number, string, number][])
          .map(
            ([itemId, choice, revision]) => `${names.numbers.get(itemId)}: ${choice} (${revision})`,
          )
          .join(', ')
        return `${stamp(dossier, names, event)}, window ${windowName(names, event)}: ${answers}`
      }),
    ),
  ]
}

function writeEvents(dossier: Dossier, names: Names): string[] {
  const { events } = dossier
  // A heartbeat each half minute would hide the rest; `events` has them.
  const rest = events.filter(({ kind }) => kind !== 'saved' && kind !== 'heartbeat')
  const beats = events.filter(({ kind }) => kind === 'heartbeat').length
  if (rest.length === 0) return []
  return [
    `The time is that of the attempt (minutes:seconds), then the clock when the server heard of it. Windows are numbered in the order in which they came.${beats > 0 ? ` Besides, ${beats === 1 ? 'one heartbeat' : `${beats} heartbeats`} of the page.` : ''}`,
    list(
      rest.map((event) => {
        const verdict = event.verdict && describeVerdict(event.verdict)
        return `event ${event.id}, ${stamp(dossier, names, event)}: ${describeEvent(dossier, names, event)}${verdict ? ` - **${plain(verdict)}**` : ''}`
      }),
    ),
  ]
}

function describeEvent(dossier: Dossier, names: Names, event: DossierEvent): string {
  const detail = (Array.isArray(event.detail) ? null : event.detail) ?? {}
  const parts = [event.kind]
  if (event.number !== null) {
    const name = event.isViolation ? ` (${nameOfAct(event.kind, detail.key as string)})` : ''
    parts[0] = `${event.kind}${plain(name)}`
    parts.push(`window ${windowName(names, event)}, no. ${event.number}`)
  }
  if (event.kind === 'taken_over' || event.kind === 'started') {
    parts.push(`window ${windowName(names, event)}`)
  }
  for (const [key, value] of Object.entries(detail)) {
    if (key === 'questionId') parts.push(`question ${names.numbers.get(Number(value))}`)
    else if (value !== null) parts.push(`${key} ${describeValue(dossier, value)}`)
  }
  if (event.address) parts.push(`from ${plain(event.address)}`)
  if (event.userId && event.address) parts.push(`account ${event.userId}`)
  if (event.agent) parts.push(`\`${showControls(event.agent).replaceAll('`', "'")}\``)
  return parts.join(', ')
}

function writeLate(dossier: Dossier, names: Names): string[] {
  if (dossier.late.length === 0) return []
  const inTime = (isInTime: boolean | null) =>
    isInTime === null
      ? 'nobody knows when it was chosen'
      : isInTime
        ? "chosen in time by the page's clock"
        : 'chosen too late'
  return [
    'Answers that reached the server when the attempt was closed.',
    list(
      dossier.late.map(
        (late) =>
          `question ${names.numbers.get(late.itemId)}: ${late.choice}, ${inTime(late.isInTime)}${late.chosenAt ? ` (${timeOf(dossier, late.chosenAt)})` : ''}, received ${timeOf(dossier, late.receivedAt)}, the service was ${late.wasServiceAway ? 'away' : 'up'} meanwhile, ${late.isOutdated ? 'this choice or a newer one counts' : 'not counted'}`,
      ),
    ),
  ]
}

function writeVerdicts(dossier: Dossier): string[] {
  if (dossier.verdicts.length === 0) return []
  return [
    list(
      dossier.verdicts.map(
        ({ incident, verdict, reason, isSecond, by, at, withdrawnAt }) =>
          `${timeOf(dossier, at)}, ${plain(by)} on ${plain(incident)}: ${verdict.replace('_', ' ')}${isSecond ? ', as the second reviewer' : ''}. ${plain(reason)}${withdrawnAt ? ` (taken back on ${timeOf(dossier, withdrawnAt)})` : ''}`,
      ),
    ),
  ]
}

function writeActions(dossier: Dossier): string[] {
  if (dossier.actions.length === 0) return []
  return [
    list(
      dossier.actions.map(
        ({ at, actor, action, detail }) =>
          `${timeOf(dossier, at)}, ${plain(actor)}: ${action}${describeDetail(dossier, detail)}`,
      ),
    ),
  ]
}

function describeDetail(dossier: Dossier, detail: DossierAction['detail']): string {
  const { username: _, hash: _hash, ...rest } = detail
  const parts = Object.entries(rest)
    .filter(([, value]) => value !== null)
    .map(([key, value]) => `${key} ${describeValue(dossier, value)}`)
  return parts.length > 0 ? ` (${parts.join('; ')})` : ''
}

/** A value of a stored detail; instants as the zone's clocks show them, like all other times here. */
function describeValue(dossier: Dossier, value: unknown): string {
  if (typeof value !== 'string') return plain(JSON.stringify(value))
  return /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) ? timeOf(dossier, new Date(value)) : plain(value)
}

function namesIn({ paper, events }: Pick<Dossier, 'paper' | 'events'>): Names {
  const windows = new Map<string, number>()
  for (const { windowId } of events) {
    if (windowId && !windows.has(windowId)) windows.set(windowId, windows.size + 1)
  }
  const numbers = new Map(paper.map(({ id }, index) => [id, index + 1]))
  return { numbers, windows, clocks: new Map() }
}

function windowName({ windows }: Names, { windowId }: DossierEvent): number {
  return windows.get(windowId ?? '') ?? 0
}

function stamp(dossier: Dossier, { clocks }: Names, { atMs, receivedAt }: DossierEvent): string {
  // Many events share a second, and reckoning a zone's time takes longer than all the rest of a line.
  const second = Math.floor(receivedAt.getTime() / 1000)
  const clock = clocks.get(second) ?? timeOf(dossier, receivedAt)
  clocks.set(second, clock)
  // Verifications happen outside the attempt's own time.
  return atMs === null ? clock : `${formatMinutes(atMs)} (${clock})`
}

function timeOf({ assessment }: Pick<Dossier, 'assessment'>, at: Date): string {
  return formatLocalTime(at, assessment.timeZone, 'seconds')
}

function list(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}`).join('\n')
}

/** Text that Markdown shows as it is, and nothing that a terminal obeys. */
function plain(text: string): string {
  return showControls(text.replace(/\s+/g, ' ')).replace(/[\\`*_[\]<>|]/g, '\\$&')
}

/** How a window was not watched; status says it in the same words. */
export function describeGap({ isSilent, missing }: Pick<Gap, 'isSilent' | 'missing'>): string {
  if (isSilent) return 'a window answered without ever reporting that it was watched'
  return missing === 1
    ? 'one event of a window never came in'
    : `${missing} events of a window never came in`
}

/** What an event counted and why, in words (product 7.5.7). */
export function describeVerdict(verdict: Verdict): string {
  switch (verdict.verdict) {
    case 'never_counted':
      return 'recorded, never counted'
    case 'counted':
      return `counted: strike ${verdict.strike}`
    case 'taken_back':
      return `taken back: ${verdict.reason}`
    case 'exempt':
      return `not counted: the candidate is exempt from ${verdict.kind}`
    case 'same_absence':
      return `not counted: the same absence as event ${verdict.event}`
    case 'same_act':
      return `not counted: the same act as event ${verdict.event}, less than ${MERGE_MS / 1000} s before`
    case 'was_exempt':
      return 'not counted: the candidate was exempt from it when it came in'
  }
}
