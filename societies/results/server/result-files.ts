import { labelOf } from '../../../assessments/reference.ts'
import type { BodyOf } from '../../../platform/endpoint.ts'
import { OPTION_LETTERS } from '../../../platform/options.ts'
import { writeCsvInSlices } from '../../../platform/server/csv/csv.ts'
import type { Cell, Sheet } from '../../../platform/server/documents/workbook.ts'
import { countOf } from '../../../platform/words.ts'
import { requireAssessment } from '../../access/server/assessments.ts'
import type { MemberInTest, OrganizerInTest } from '../../access/server/serve-members.ts'
import type { AnswerTable } from '../../incidents/server/answer-table.ts'
import { act } from '../../kit/server/action.ts'
import { formatLocalTime } from '../../kit/server/local-time.ts'
import { refuse } from '../../kit/server/refuse.ts'
import { type exportResultFile, SHEETS_IN_FILE } from '../contract.ts'
import { writeDocument } from './file-response.ts'
import { readLine } from './line.ts'
import { type Absentee, type ResultFacts, readAbsentees, readResultFacts } from './result-facts.ts'
import { resultSheet, VERDICT_WORDS } from './result-sheet.ts'
import { requireOver } from './scores.ts'

/**
 * Exports results as a file (product 7.17.8 to 7.17.10) and logs it. Members without access to names get a file
 * without names and hidden scores. Errors: 403 without_names_only; 409 results_not_ready, many_sheets; 503 writing_busy.
 * @param signal aborts when the client disconnects
 */
export async function writeResultFile(
  organizer: OrganizerInTest & Pick<MemberInTest, 'extent' | 'societyId'>,
  { file, part }: BodyOf<typeof exportResultFile>,
  signal?: AbortSignal,
): Promise<{ name: string; mediaType: string; content: string | Uint8Array }> {
  const { code, now: madeAt, actor: madeBy, extent } = organizer
  const withNames = file !== 'csv_without_names'
  if (withNames && extent !== 'all') {
    throw refuse(403, 'without_names_only', 'You can export only the file without names.')
  }
  const action = withNames ? 'export-results' : 'export-results-without-names'
  const { assessment, table, facts, line, absentees } = await act(
    organizer,
    action,
    code,
    async (client) => {
      const assessment = await requireAssessment(client, organizer)
      const table = await requireOver(client, code, madeAt)
      const all = await readResultFacts(client, assessment, table)
      const line = await readLine(client, code)
      // A reviewer of an incident must not see that candidate's score under the same number (product 7.16.13).
      const shown =
        withNames || line?.fixedAt ? all : all.filter(({ undecided }) => undecided === 0)
      const facts = file === 'sheets' ? partOf(shown, part) : shown
      const ofPart = facts.length < shown.length && { part }
      const absentees = file === 'workbook' ? await readAbsentees(client, code) : []
      return {
        result: { assessment, table, facts, line, absentees },
        detail: { file, count: facts.length, ...ofPart },
      }
    },
  )
  switch (file) {
    case 'csv_without_names':
      return {
        name: `${code}-results-without-names.csv`,
        mediaType: 'text/csv; charset=utf-8',
        content: await writeCsvInSlices(
          ['number', 'correct', 'incorrect', 'minutes', 'cheated', 'excluded'],
          facts,
          (one) => [
            ...[one.number, one.correct, one.incorrect, one.time.split(':')[0], one.cheated],
            one.isExcluded,
          ],
        ),
      }
    case 'workbook': {
      const ranking = rankingSheet(facts, absentees, line?.points ?? null)
      const sheets = [ranking, ...resultSheets(facts, table, assessment.timeZone)]
      return {
        name: `${code}-results.xlsx`,
        mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
        content: await writeDocument(organizer, { as: 'workbook', sheets, madeAt }, signal),
      }
    }
    case 'sheets': {
      const fixedAt = line?.fixedAt ? new Date(line.fixedAt) : null
      const cut = line && { points: line.points, fixedAt }
      const of = { assessment, items: table.items, madeAt, madeBy, line: cut }
      const leaves = mapLazily(facts, (one) => resultSheet(one, of))
      const title = `${labelOf(assessment)} · Result sheets`
      return {
        name: `${code}-result-sheets${part === undefined ? '' : `-${part}`}.pdf`,
        mediaType: 'application/pdf',
        content: await writeDocument(organizer, { as: 'pdf', madeAt, title, leaves }, signal),
      }
    }
  }
}

/**
 * Picks the results of one part of the result sheets. More in one file would take a minute and the thread's memory.
 * Errors: 409 many_sheets.
 */
function partOf(facts: readonly ResultFacts[], part = 0): readonly ResultFacts[] {
  const count = Math.ceil(facts.length / SHEETS_IN_FILE)
  if (part === 0 && count <= 1) return facts
  if (part === 0 || part > count) {
    const sentence = `A file has at most ${SHEETS_IN_FILE} result sheets. Reload the page and download them in ${countOf(count, 'part')}.`
    throw refuse(409, 'many_sheets', sentence)
  }
  return facts.slice((part - 1) * SHEETS_IN_FILE, part * SHEETS_IN_FILE)
}

/** Makes each item only when it is written, because a test has up to 500,000 answers. */
function* mapLazily<T, R>(list: Iterable<T>, work: (one: T) => R): Generator<R> {
  for (const one of list) yield work(one)
}

type Column<Row> = [label: string, width: number, cell: (row: Row) => Cell]

const sheetOf = <Row>(name: string, rows: Iterable<Row>, columns: Column<Row>[]): Sheet => ({
  name,
  columns: columns.map(([label, width]) => ({ label, width })),
  rows: mapLazily(rows, (row) => columns.map(([, , cell]) => cell(row))),
})

/**
 * Makes the workbook's first sheet: everyone on the list, best first, excluded and absent candidates last (product
 * 7.17.9). Two forms have no common ranking, so then nobody has a place.
 * @param points the cut score; null: none
 */
function rankingSheet(
  facts: readonly ResultFacts[],
  absentees: readonly Absentee[],
  points: number | null,
): Sheet {
  const isOneForm = new Set(facts.map(({ form }) => form)).size <= 1
  const ranked = facts.filter(({ isExcluded }) => !isExcluded)
  ranked.sort((a, b) => b.correct - a.correct || a.number - b.number)
  const placeOf = new Map<number, number>()
  for (const [at, { correct }] of ranked.entries()) {
    if (!placeOf.has(correct)) placeOf.set(correct, at + 1)
  }
  const excluded = facts.filter(({ isExcluded }) => isExcluded)
  type Listed = Absentee & Partial<ResultFacts>
  /** Writes a cell of a candidate who is part of the ranking. */
  const ifRanked =
    (write: (correct: number) => Cell) =>
    ({ correct, isExcluded }: Listed): Cell =>
      correct === undefined || isExcluded ? null : write(correct)
  return sheetOf<Listed>(
    'Ranking',
    [...ranked, ...excluded, ...absentees],
    [
      ['place', 8, ifRanked((correct) => (isOneForm ? (placeOf.get(correct) ?? null) : null))],
      ['name', 28, (one) => one.name],
      ['email', 30, (one) => one.email],
      ['user', 24, (one) => one.username],
      ['room', 12, (one) => one.room],
      ['correct', 9, (one) => one.correct ?? null],
      ['margin', 8, (one) => one.error ?? null],
      points === null
        ? ['cut score', 14, () => null]
        : [`cut score ${points}`, 14, ifRanked((correct) => (correct >= points ? 'in' : 'below'))],
      ['flags', 24, flagsOf],
    ],
  )
}

/** 'absent', 'excluded', 'cheated, 2 undecided'; null: nothing to say. */
function flagsOf({ correct, isExcluded, cheated, undecided = 0 }: Partial<ResultFacts>): Cell {
  if (correct === undefined) return 'absent'
  if (isExcluded) return 'excluded'
  return (
    [cheated && 'cheated', undecided > 0 && `${undecided} undecided`].filter(Boolean).join(', ') ||
    null
  )
}

/** Makes the workbook's other sheets: results, answers and verdicts (product 7.17.9). */
function resultSheets(
  facts: readonly ResultFacts[],
  table: AnswerTable,
  timeZone: string,
): Sheet[] {
  const form: Column<ResultFacts> = ['form', 7, (one) => one.form]
  const verdicts = facts.flatMap(({ username, incidents }) =>
    incidents.map((incident) => ({ ...incident, username })),
  )
  return [
    sheetOf('Results', facts, [
      ['user', 24, (one) => one.username],
      ['name', 28, (one) => one.name],
      ['room', 12, (one) => one.room],
      ...(facts.some((one) => one.form !== null) ? [form] : []),
      ['correct', 9, (one) => one.correct],
      ['incorrect', 10, (one) => one.incorrect],
      ['margin', 8, (one) => one.error],
      ['group', 7, (one) => one.group?.number ?? null],
      ['time', 8, (one) => one.time],
      ['seconds', 9, (one) => secondsOf(one.time)],
      ['cheated', 9, (one) => one.cheated],
      ['excluded', 9, (one) => one.isExcluded],
      ['undecided', 10, (one) => one.undecided],
      ['reference', 11, (one) => one.reference],
      ['submitted', 17, (one) => formatLocalTime(one.submittedAt, timeZone)],
    ]),
    sheetOf('Answers', answersOf(facts, table), [
      ['user', 24, (one) => one.username],
      ['question', 10, (one) => one.position],
      ['choice', 12, (one) => one.choice],
      ['key', 12, (one) => one.key],
      ['right', 12, (one) => one.isRight],
    ]),
    sheetOf('Verdicts', verdicts, [
      ['user', 24, (one) => one.username],
      ['happened', 20, (one) => one.at && formatLocalTime(one.at, timeZone, 'seconds')],
      ['incident', 40, (one) => one.what],
      ['verdict', 14, (one) => VERDICT_WORDS[one.verdict]],
      ['reason', 60, (one) => one.reason],
      ['by', 20, (one) => one.decidedBy],
      ['at', 17, (one) => formatLocalTime(one.decidedAt, timeZone)],
    ]),
  ]
}

function* answersOf(facts: readonly ResultFacts[], { items }: AnswerTable) {
  const written = items.map((item) => ({
    ...item,
    key: OPTION_LETTERS.filter((letter) => item.keys.includes(letter)).join('/'),
  }))
  for (const { choices, username } of facts) {
    for (const [at, { position, key, keys, isVoid, isFullMarks }] of written.entries()) {
      const choice = choices[at]
      if (choice === undefined) continue
      const isRight = isFullMarks || (choice !== null && keys.includes(choice))
      yield { username, position, choice, key, isRight: isVoid ? 'void' : isRight }
    }
  }
}

/** '34:27' becomes 2067. */
function secondsOf(time: string): number {
  const [minutes = 0, seconds = 0] = time.split(':').map(Number)
  return minutes * 60 + seconds
}
