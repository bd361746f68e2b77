// Long because what all commands say stands in one file.
import { formatMinutes } from '../../assessments/time-left.ts'
import { describeDuration } from '../minutes.ts'
import type { ListedAssessment } from '../server/assessments.ts'
import type { Loaded } from '../server/authoring/load-assessment.ts'
import type { Extension } from '../server/incidents/extend.ts'
import type { ExtraTime } from '../server/incidents/extra-time.ts'
import type { Reopened } from '../server/incidents/reopen.ts'
import type { StrikesChange } from '../server/incidents/strikes.ts'
import { describeTime } from '../server/local-time.ts'
import { describeMark } from '../server/marks-text.ts'
import type { ResultChange } from '../server/results/changed-results.ts'
import type { Regraded } from '../server/results/regrade.ts'
import type { IssuedPassword } from '../server/roster.ts'
import type { Deleted } from '../server/season.ts'
import type { CandidateStatus } from '../server/status.ts'
import { describeGap } from '../server/unmonitored.ts'
import type { Window } from '../server/window.ts'

/** Examples below a command's help. */
export function examples(...lines: string[]): string {
  const commands = lines.map((line) => `  npm run admin -- assessments ${line}`)
  return `\n${lines.length === 1 ? 'Example' : 'Examples'}:\n${commands.join('\n')}`
}

/** What a command that is about a candidate takes. */
export const CANDIDATE = 'the candidate, or the reference on the completion screen'
export const ONE_CANDIDATE =
  'one candidate only: the name, or the reference on the completion screen'

/** '1 candidate', '3 candidates'. */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`
}

/** Lines with their cells one below the other. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  )
  return rows
    .map((row) =>
      `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd(),
    )
    .join('\n')
}

/** When an assessment can be started, on the clocks of its zone and in UTC. */
export function describeWindow(
  window: { opensAt: Date | null; closesAt: Date | null; timeZone: string },
  now: Date,
): string {
  const { opensAt, closesAt, timeZone } = window
  const at = (time: Date) => describeTime(time, timeZone)
  if (!opensAt && !closesAt) return '  can be started at any time: it is open now'
  return [
    `  opens:  ${opensAt ? at(opensAt) : 'no limit'}`,
    `  closes: ${closesAt ? at(closesAt) : 'no limit'}${closesAt ? ' (who has started by then keeps the whole time)' : ''}`,
    `  now:    ${at(now)}, ${describeState(opensAt, closesAt, now)}`,
  ].join('\n')
}

function describeState(opensAt: Date | null, closesAt: Date | null, now: Date): string {
  if (opensAt && now < opensAt) return 'not open yet'
  return closesAt && now > closesAt ? 'closed' : 'open'
}

/** Whose result changed, old and new. */
export function describeChanges(changes: readonly ResultChange[]): string {
  if (changes.length === 0) return 'No result has changed.'
  return [
    `${count(changes.length, 'result has', 'results have')} changed:`,
    table([
      ['user', 'correct', 'incorrect'],
      ...changes.map(({ username, isDemo, before, after }) => [
        `${username}${isDemo ? ' (demo)' : ''}`,
        `${before.correct} -> ${after.correct}`,
        `${before.incorrect} -> ${after.incorrect}`,
      ]),
    ]),
  ].join('\n')
}

/** What became of a candidate's strikes. */
export function describeStrikes(
  code: string,
  username: string,
  { before, after, mayBeReopened }: StrikesChange,
): string {
  return [
    `Strikes of ${username}: ${before} before, ${after} now.`,
    ...(mayBeReopened
      ? [
          `The third strike had ended the test; to let ${username} go on: assessments reopen ${code} ${username} --minutes N --reason "…".`,
        ]
      : []),
  ].join('\n')
}

/** What was loaded, and when it can be started. */
export function describeLoaded(loaded: Loaded, now: Date): string {
  const { code, society, session, timeZone, windowBefore, demoAttemptsRemoved } = loaded
  return [
    loaded.isUnchanged
      ? `${code} stands as in this file already; nothing was changed.`
      : `${code} is loaded${loaded.isNew ? '' : ' again'}: ${nameOf({ society, session })}, ${count(loaded.itemCount, 'question')}, ${describeDuration(loaded.durationSeconds)}, ${count(loaded.candidateCount, 'candidate')} on the roster.`,
    ...(loaded.isDraft
      ? [`It is a draft, which candidates don't see; publish it with: assessments publish ${code}.`]
      : []),
    describeWindow(loaded, now),
    ...(windowBefore
      ? [
          'The file has changed these times; before, they were:',
          describeWindow({ ...windowBefore, timeZone }, now),
        ]
      : []),
    ...(demoAttemptsRemoved > 0
      ? [`${count(demoAttemptsRemoved, 'demo attempt was', 'demo attempts were')} removed.`]
      : []),
  ].join('\n')
}

/** All assessments with their times. */
export function describeList(all: readonly ListedAssessment[], now: Date): string {
  if (all.length === 0) return 'There is none yet: assessments load FILE reads one in.'
  return all
    .flatMap((one) => {
      if (one.deletedAt === null) return describeListed(one, now)
      return [
        `${one.code}  ${nameOf(one)}  (deleted on ${one.deletedAt.toISOString().slice(0, 10)})`,
      ]
    })
    .join('\n')
}

function describeListed(one: ListedAssessment, now: Date): string[] {
  return [
    `${one.code}  ${nameOf(one)}${one.isDraft ? '  (draft: candidates do not see it)' : ''}${one.isSample ? '  (sample: everybody can read its keys)' : ''}`,
    `  ${count(one.itemCount, 'question')}, ${describeDuration(one.durationSeconds)}; ${count(one.candidateCount, 'candidate')}, ${one.runningCount} inside, ${one.submittedCount} submitted`,
    describeWindow(one, now),
  ]
}

/** What candidates see from now on. */
export function describePublished(
  code: string,
  { questionCount, candidateCount }: { questionCount: number; candidateCount: number },
): string {
  return `${code} is published: ${count(questionCount, 'question')}, ${count(candidateCount, 'candidate')} on the roster.`
}

/** What was made of which, under which code. */
export function describeCopied(from: string, code: string, wanted: string): string {
  return [
    `${code} is a copy of ${from}, a draft without candidates and without a window.`,
    ...(code === wanted ? [] : [`Another society has ${wanted} already.`]),
  ].join('\n')
}

function nameOf({ society, session }: { society: string; session: string | null }): string {
  return session ? `${society} - ${session}` : society
}

/** The window that was set. */
export function describeWindowSet(set: Window, now: Date): string {
  return [
    `${set.code}:`,
    describeWindow(set, now),
    ...(set.startedCount > 0
      ? [
          `${count(set.startedCount, 'candidate has', 'candidates have')} started already; they are not touched.`,
        ]
      : []),
  ].join('\n')
}

/** Who was added, and where their passwords are. */
export function describeImport(
  code: string,
  { added, withExtraTime }: { added: number; withExtraTime: number },
  out: string,
): string {
  return `${count(added, 'candidate')} added to ${code}${withExtraTime > 0 ? `, ${withExtraTime} of them with extra time` : ''}. Their passwords are in ${out}; keep it safe, and delete it when they have been sent.`
}

/** The new password: shown, unless it was written into a file. */
export function describeReset(
  { username, password, wasRevoked }: IssuedPassword & { wasRevoked: boolean },
  out: string | undefined,
): string {
  return [
    out
      ? `The new password of ${username} is in ${out}.`
      : `The new password of ${username}, shown this once: ${password}`,
    ...(wasRevoked ? [`${username} was revoked, and is admitted again.`] : []),
  ].join('\n')
}

/** Who was shut out. */
export function describeRevoked(
  code: string,
  { username, isRunning }: { username: string; isRunning: boolean },
): string {
  return `${username} is shut out of ${code}.${isRunning ? ' The test that was under way ends at its deadline with what was answered.' : ''}`
}

/** What a candidate's whole extra time is now. */
export function describeExtraTime({
  username,
  before,
  after,
  deadlineAt,
  timeZone,
}: ExtraTime): string {
  return [
    `Extra time of ${username}: ${describeDuration(before)} before, ${describeDuration(after)} now.`,
    ...(deadlineAt
      ? [`The test that is under way ends on ${describeTime(deadlineAt, timeZone)}.`]
      : []),
  ].join('\n')
}

/** What a candidate is exempt from now. */
export function describeExemption(
  code: string,
  done: { username: string; kinds: readonly string[]; strikes: StrikesChange | null },
): string {
  return [
    done.kinds.length > 0
      ? `${done.username} is exempt from: ${done.kinds.join(', ')}.`
      : `Everything counts for ${done.username} again.`,
    ...(done.strikes ? [describeStrikes(code, done.username, done.strikes)] : []),
  ].join('\n')
}

/** Which strike was taken back. */
export function describeVoided(
  code: string,
  event: number,
  done: StrikesChange & { username: string; kind: string },
): string {
  return [
    `Event ${event} (${done.kind}) no longer counts.`,
    describeStrikes(code, done.username, done),
  ].join('\n')
}

/** Until when a test is open again, and what keeps the candidate out of it. */
export function describeReopened(code: string, done: Reopened): string {
  const { username } = done
  return [
    `The test of ${username} is open again until ${describeTime(done.deadlineAt, done.timeZone)}.`,
    ...(done.isRevoked
      ? [`${username} is revoked; assessments reset ${code} ${username} admits again.`]
      : []),
    ...(done.isListed
      ? []
      : [
          `${code} closed more than a day ago and is no longer on the recruitment page; move its end with: assessments window ${code} --closes "…".`,
        ]),
  ].join('\n')
}

/** Whose time ends when, after everybody was given more. */
export function describeExtension({ moved, reopened, tooLate, timeZone }: Extension): string {
  const show = (title: string, list: { username: string; deadlineAt: Date }[]) => {
    if (list.length === 0) return []
    const rows = list.map(({ username, deadlineAt }) => [
      username,
      describeTime(deadlineAt, timeZone),
    ])
    return [title, table(rows)]
  }
  const blocks = [
    ...show(`${count(moved.length, 'candidate')} inside, new end:`, moved),
    ...show(
      `${count(reopened.length, 'test')} opened again (the candidates sign in again), new end:`,
      reopened,
    ),
    ...show(
      `${count(tooLate.length, 'test')} not opened, since the new end would be over already; give more minutes, or use reopen:`,
      tooLate,
    ),
  ]
  if (blocks.length > 0) return blocks.join('\n')
  return 'Nobody is inside, and nobody was stopped by the clock: nothing to extend.'
}

/** The status as text: a line of figures, then who is where. */
export function describeStatus(candidates: readonly CandidateStatus[]): string {
  const admitted = candidates.filter(({ isRevoked, where }) => !isRevoked || where === 'submitted')
  const revoked = candidates.filter((one) => !admitted.includes(one))
  const at = (where: CandidateStatus['where']) => admitted.filter((one) => one.where === where)
  const names = (list: readonly CandidateStatus[]) =>
    list.map(({ username }) => username).join(', ')
  const [absent, verified, running, submitted] = [
    at('absent'),
    at('verified'),
    at('running'),
    at('submitted'),
  ]
  const blocks = [
    `${count(candidates.length, 'candidate')}: ${absent.length} not here yet, ${verified.length} signed in and not started, ${running.length} inside, ${submitted.length} done${revoked.length > 0 ? `, ${revoked.length} revoked` : ''}`,
  ]
  if (absent.length > 0) blocks.push(`Not here yet: ${names(absent)}`)
  if (verified.length > 0) blocks.push(`Signed in, not started: ${names(verified)}`)
  if (running.length > 0) {
    blocks.push(
      `Inside:\n${table([
        ['user', 'answered', 'time left', 'strikes', ''],
        ...running.map((one) => [
          one.username,
          `${one.answered} of ${one.total}`,
          formatMinutes(one.remainingMs),
          String(one.strikes),
          one.extraSeconds > 0 ? `${describeDuration(one.extraSeconds)} extra` : '',
        ]),
      ])}`,
    )
  }
  if (submitted.length > 0) {
    blocks.push(
      `Done:\n${table([
        ['user', 'answered', 'strikes', 'ended by'],
        ...submitted.map((one) => [
          one.username,
          `${one.answered} of ${one.total}`,
          String(one.strikes),
          one.submitReason ?? '',
        ]),
      ])}`,
    )
  }
  if (revoked.length > 0) blocks.push(`Revoked: ${names(revoked)}`)
  const looks = candidates.flatMap(describeLook)
  if (looks.length > 0) blocks.push(`Worth a look:\n${looks.join('\n')}`)
  return blocks.join('\n')
}

function describeLook({ username, ...one }: CandidateStatus): string[] {
  const { unmonitored, marks, userCount, addresses } = one
  return [
    ...unmonitored.map((gap) => `  ${username}: unmonitored (${describeGap(gap)})`),
    ...marks.map((mark) => `  ${username}: ${describeMark(mark)}`),
    ...(userCount > 1 ? [`  ${username}: ${userCount} accounts`] : []),
    ...(addresses.length > 1
      ? [`  ${username}: ${addresses.length} addresses (${addresses.join(', ')})`]
      : []),
  ]
}

/** Beside the results: who is not among them. Empty when nobody is inside. */
export function describeOpen(openCount: number): string[] {
  if (openCount === 0) return []
  return [`${count(openCount, 'candidate is', 'candidates are')} still inside and not among them.`]
}

/** What holds for an item now, and whose result changed. */
export function describeRegraded(regraded: Regraded): string {
  const { item, question, keys, isFullMarks, changes, openCount } = regraded
  return [
    `Item ${item}: ${question}`,
    keys.length === 0
      ? 'It counts for nobody.'
      : isFullMarks
        ? 'Everybody has it right.'
        : `It counts as right with ${keys.join(' or ')}.`,
    describeChanges(changes),
    ...(openCount > 0
      ? [
          `${count(openCount, 'candidate is', 'candidates are')} still inside; it holds for them too.`,
        ]
      : []),
  ].join('\n')
}

/** Which file has what was asked for. */
export const describeWritten = (what: string, out: string): string => `${what} written to ${out}.`

/** What is gone. */
export function describeDeleted(code: string, gone: Deleted): string {
  return `${code} is deleted: ${count(gone.candidates, 'candidate')}, ${count(gone.attempts, 'attempt')}, ${count(gone.events, 'event')}, ${count(gone.items, 'question')}.`
}

/** How many demo candidates are gone. */
export function describeDemoDeleted(code: string, candidates: number): string {
  return `${count(candidates, 'demo candidate')} of ${code} deleted.`
}
