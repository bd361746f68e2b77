import sql from 'sql-template-tag'
import { worthALook } from '../../../assessments/attempt-looks.ts'
import {
  companyWords,
  endWords,
  entryMeanings,
  incidentWords,
  NOT_THE_PERSON,
  REPORT_OF,
  standingWords,
} from '../../../assessments/incident-words.ts'
import { labelOf } from '../../../assessments/reference.ts'
import type { RulingKind } from '../../../assessments/server/tables.ts'
import { formatMinutes, lengthText } from '../../../platform/durations.ts'
import type { OptionLetter } from '../../../platform/options.ts'
import { showControls } from '../../../platform/server/control-characters.ts'
import type { Block, Leaf } from '../../../platform/server/documents/pdf.ts'
import { type AssessmentRow, requireAssessment } from '../../access/server/assessments.ts'
import type { MemberInTest } from '../../access/server/serve-members.ts'
import { minutesOf } from '../../candidates/credential-letter.ts'
import { type CandidateFile, readFile } from '../../incidents/server/candidate-file.ts'
import type { ResultChange } from '../../incidents/server/changed-results.ts'
import type { ShownIncident } from '../../incidents/server/list.ts'
import { mayReadKeys, notOver, readScore } from '../../incidents/server/uncover.ts'
import { blindNumber } from '../../kit/role-words.ts'
import { act, type Client } from '../../kit/server/action.ts'
import { describeAction } from '../../kit/server/action-words.ts'
import { formatLocalTime } from '../../kit/server/local-time.ts'
import { writeDocument } from './file-response.ts'
import {
  type Clock,
  facts,
  heading,
  paragraph,
  RULED,
  table,
  VERDICT_WORDS,
} from './result-sheet.ts'

interface Asked {
  candidate: string
  withName: boolean
  withKeys: boolean
}

type Report = Awaited<ReturnType<typeof readReport>>
type PaperItem = Report['paper'][number]

/**
 * Writes everything known about a candidate as a PDF for an appeal (product 7.5.7): events as on the page, the paper
 * with choices, and organizers' actions. Hidden names and keys stay hidden. Errors: 404 not_found; 409 not_over for a
 * reviewer before the test is over; 503 writing_busy.
 * @param signal aborts when the client disconnects
 */
export async function exportReport(
  member: MemberInTest,
  asked: Asked,
  signal?: AbortSignal,
): Promise<{ name: string; content: Uint8Array }> {
  const { code, now: madeAt, actor: madeBy } = member
  const report = await act(member, 'export-report', code, async (client) => {
    // The report contains the paper.
    if (!(await mayReadKeys(client, member))) throw notOver()
    const result = await readReport(client, member, asked)
    const whose = asked.withName ? { username: result.username } : { candidate: result.file.number }
    return { result, detail: { ...whose, hasKeys: result.score !== null } }
  })
  const leaf = reportSheet(report, { madeAt, madeBy })
  const { title } = leaf
  const content = await writeDocument(member, { as: 'pdf', leaves: [leaf], title, madeAt }, signal)
  const called = (report.username ?? report.called).replace(/[^\p{L}\p{N}@._-]+/gu, '-')
  return { name: `${code}-${called}.pdf`, content }
}

/** Reads the content of a candidate's report for appeals. Errors: 404 not_found. */
async function readReport(
  client: Client,
  member: MemberInTest,
  { candidate, withName, withKeys }: Asked,
) {
  const assessment = await requireAssessment(client, member.code)
  const { file, findings } = await readFile(client, member, candidate)
  const { rows } = await client.query<{
    username: string
    name: string | null
    exemptKinds: string[]
    attemptId: string | null
  }>(
    sql`select c.username, c.name, c.exempt_kinds as "exemptKinds", a.id as "attemptId"
     from candidates c left join attempts a on a.candidate_id = c.id where c.id = ${candidate}`,
  )
  const [row] = rows
  if (!row) throw new Error('The candidate who was just read is gone.')
  const { username, name, exemptKinds, attemptId } = row
  const hidden = file.number === null ? 'A candidate' : `Candidate ${blindNumber(file.number)}`
  return {
    assessment,
    file,
    exemptKinds,
    /** the name, or 'Candidate 021' if the name is hidden */
    called: withName ? (name ?? username) : hidden,
    /** null if the name is hidden */
    username: withName ? username : null,
    paper: attemptId === null ? [] : await readPaper(client, attemptId),
    /** null if key and points are hidden */
    score:
      withKeys && attemptId !== null && file.attempt?.submittedAt
        ? await readScore(client, attemptId)
        : null,
    looks: worthALook(findings),
    actions: await readActions(client, assessment, username, file.number),
  }
}

async function readPaper(client: Client, attemptId: string) {
  const { rows } = await client.query<{
    question: string
    options: Readonly<Record<OptionLetter, string>>
    rulings: { kind: RulingKind; acceptedOption: string | null; reason: string }[]
  }>(
    sql`select i.question,
       jsonb_build_object('A', answer_a, 'B', answer_b, 'C', answer_c, 'D', answer_d) as options,
       coalesce((select jsonb_agg(jsonb_build_object('kind', r.kind, 'acceptedOption', r.accepted_option,
         'reason', r.reason) order by r.id) from standing_rulings r where r.item_id = i.id), '[]') as rulings
     from attempts a
     cross join lateral unnest(a.paper) with ordinality as place (item_id, number)
     join assessment_items i on i.id = place.item_id
     where a.id = ${attemptId} order by place.number`,
  )
  return rows
}

/** These actions on all candidates are in every report. */
const COMMON_ACTIONS = ['load', 'window', 'extend', 'regrade', 'accept-late']

/** Reads organizers' actions on this candidate and on all candidates, without other candidates' results. */
async function readActions(
  client: Client,
  { code, createdAt }: AssessmentRow,
  username: string,
  number: number | null,
) {
  const { rows } = await client.query<{
    at: Date
    actor: string
    action: string
    detail: Record<string, unknown>
  }>(
    sql`select at, actor, action, detail from admin_actions
     where assessment = ${code} and at >= ${createdAt}
       and (lower(detail->>'username') = lower(${username}) or (action = any (${COMMON_ACTIONS})
       and detail->>'username' is null)
         or detail->'usernames' ? ${username} or detail->'moved' ? ${username} or detail->'reopened' ? ${username}
         or detail->'candidate' = to_jsonb(${number}::int) or detail->'candidates' @> to_jsonb(${number}::int))
     order by id`,
  )
  return rows.map((row) => {
    const { changes } = row.detail as { changes?: ResultChange[] | number }
    const own = Array.isArray(changes) && changes.find((change) => change.username === username)
    return { ...row, change: own || null }
  })
}

/** Lays out a candidate's report, with all times in the society's zone (product 7.5.7). */
function reportSheet(report: Report, { madeAt, madeBy }: { madeAt: Date; madeBy: string }): Leaf {
  const { assessment, file, called } = report
  const { timeZone } = assessment
  const at: Clock = (moment, precision) => formatLocalTime(moment, timeZone, precision)
  const small = [labelOf(assessment), assessment.season].filter(Boolean).join(' · ')
  const title = `${small} · ${called}`
  const comment = file.comment?.text
  return {
    title,
    foot: `${title} · made ${at(madeAt)} by ${madeBy}`,
    blocks: [
      { kind: 'title', small, text: called },
      facts(factsOf(report, at)),
      heading('What happened'),
      ...happened(file, at),
      ...answers(report, at),
      ...(comment ? [heading('What the candidate wrote'), paragraph(plain(comment))] : []),
      ...actions(report, at),
      heading('What an entry doesn’t prove'),
      paragraph(NOT_THE_PERSON),
      ...entryMeanings(file.attempt?.unseenMs ?? 0).map(({ term, text }) =>
        paragraph(`${term}: ${text}`),
      ),
    ],
  }
}

/** Control characters in page reports and candidates' texts are printed as visible symbols. */
const plain = (text: string) => showControls(text.replace(/\s+/g, ' '))
const plainTable = (columns: Record<string, number>, rows: string[][]): Block =>
  table(
    columns,
    rows.map((cells) => cells.map(plain)),
  )

function factsOf(
  { assessment, file, username, exemptKinds, score, looks }: Report,
  at: Clock,
): [label: string, text: string | null][] {
  const { attempt, room } = file
  const known: [string, string | null][] = [
    ['Username', username],
    ['Room', room ?? 'none'],
    ['Not counted', exemptKinds.join(', ') || null],
  ]
  if (!attempt) return [...known, ['Test', 'not started']]
  const { submittedAt, plannedSeconds, givenSeconds, strikesSeen, strikesStand, unseenMs } = attempt
  const times = [
    `${formatMinutes(attempt.usedMs)} of ${minutesOf(attempt.durationSeconds)} min`,
    plannedSeconds > 0 && `${minutesOf(plannedSeconds)} min planned`,
    givenSeconds !== 0 && `${minutesOf(givenSeconds)} min added during the test`,
  ]
  return [
    ...known,
    ['Reference', attempt.reference],
    ['Form', attempt.form],
    ['Started', `${at(attempt.startedAt, 'seconds')}, ${assessment.timeZone}`],
    ['Ended', submittedAt ? `${at(submittedAt, 'seconds')}, ${endWords(attempt)}` : 'still open'],
    ['Time used', times.filter(Boolean).join(', ')],
    ['Answered', `${attempt.answered} of ${attempt.itemCount}`],
    ['Score', score ? `${score.correct} right, ${score.incorrect} wrong or blank` : 'hidden'],
    ['Strikes', `${strikesStand} of ${strikesSeen} count`],
    ['Not monitored', unseenMs > 0 ? lengthText(unseenMs) : 'unknown'],
    ...attempt.receipts.map((one): [string, string] => [
      'Receipt',
      `${one.code}, since ${at(one.at, 'seconds')}`,
    ]),
    ...looks.map((text): [string, string] => ['Worth a look', text]),
  ]
}

function happened({ incidents, moments, leftOut, attempt }: CandidateFile, at: Clock): Block[] {
  const day = attempt ? at(attempt.startedAt).slice(0, 10) : ''
  const timeOf = (moment: Date) => {
    const text = at(moment, 'seconds')
    return text.startsWith(day) ? text.slice(11) : text
  }
  const rows = [
    ...moments.map((one) => ({ ...one, decision: '' })),
    ...incidents.map((one) => ({
      at: one.at,
      text: happenedText(one, timeOf),
      decision: decidedText(one, at),
    })),
  ].sort((a, b) => a.at.getTime() - b.at.getTime())
  if (rows.length === 0) return [paragraph('No incidents were recorded. That proves nothing.')]
  return [
    plainTable(
      { Time: 2, 'What happened': 8, 'Strike and decision': 6 },
      rows.map((one) => [timeOf(one.at), one.text, one.decision]),
    ),
    ...(leftOut > 0 ? [paragraph(`${leftOut} more entries never counted.`)] : []),
  ]
}

function happenedText(one: ShownIncident, timeOf: (at: Date) => string): string {
  const { report, company } = one
  if (report) return `${report.by} wrote${REPORT_OF[report.of]}: “${report.note}”`
  const startMs = one.at.getTime() - one.atMs
  const { lead, rest } = incidentWords(one, (ms) => timeOf(new Date(startMs + ms)))
  return [lead, companyWords(company), ...rest].filter(Boolean).join(' ')
}

function decidedText(one: ShownIncident, at: Clock): string {
  const verdicts = one.verdicts.map(({ verdict, reason, by, at: decidedAt, withdrawnAt }) => {
    const withdrawn = withdrawnAt ? `, withdrawn ${at(withdrawnAt)}` : ''
    return `${VERDICT_WORDS[verdict]} by ${by}, ${at(decidedAt)}${withdrawn}: ${reason}`
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
  const rows = file.answers.flatMap(({ number, choice, was, savedAt, hasWaited }) => {
    const item = paper[number - 1]
    if (!item) return []
    const key = keys.get(number)
    const chosen = [
      choice === null ? 'nothing' : `${choice}: ${item.options[choice]}`,
      was.length > 0 && `was ${was.join(', ')}`,
      hasWaited && 'chosen offline',
      savedAt && `saved ${at(savedAt, 'seconds').slice(11)}`,
    ]
    const cells = [String(number), item.question, chosen.filter(Boolean).join(', ')]
    return [key ? [...cells, keyText(item, key)] : cells]
  })
  const columns = { '#': 1, Question: 8, Chosen: 6, ...(score ? { Key: 6 } : {}) }
  return [
    heading('Answers'),
    plainTable(columns, rows),
    ...(score ? [] : [paragraph('Key and points are hidden.')]),
  ]
}

function keyText(
  { options, rulings }: PaperItem,
  { keys, points }: NonNullable<Report['score']>['keys'][number],
): string {
  const right = keys.map((letter) => `${letter}: ${options[letter]}`).join(' or ')
  const point = points === null ? 'left out for all' : points === 1 ? 'right' : 'wrong'
  const ruled = rulings.map(
    ({ kind, acceptedOption, reason }) => `Ruled: ${RULED[kind](acceptedOption ?? '')}. ${reason}`,
  )
  return [`${right} (${point})`, ...ruled].join('. ')
}

function actions({ actions: done, username, score }: Report, at: Clock): Block[] {
  if (done.length === 0) return []
  const rows = done.map(({ at: doneAt, actor, action, detail, change }) => {
    const what = describeAction(action, detail, username !== null)
    const reason = typeof detail.reason === 'string' ? `: “${detail.reason}”` : ''
    const moved =
      score && change
        ? ` (${change.before.correct} right before, ${change.after.correct} after)`
        : ''
    return [at(doneAt), `${actor} ${what}${reason}${moved}`]
  })
  return [heading('Organizers’ actions'), plainTable({ When: 3, What: 12 }, rows)]
}
