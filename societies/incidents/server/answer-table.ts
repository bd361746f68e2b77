import sql from 'sql-template-tag'
import { isEmpty, lastStart } from '../../../assessments/server/candidate-store.ts'
import type { OptionLetter } from '../../../platform/options.ts'
import { mapInSlices } from '../../../platform/server/shares/slices.ts'
import type { Client } from '../../kit/server/action.ts'

/** A question as it is scored now, with its key and any rulings applied. */
export interface TableItem {
  id: number
  /** The position in the table, starting at 1. */
  position: number
  /** The id shared by all copies of a question. */
  questionId: string
  topic: string | null
  question: string
  options: Readonly<Record<OptionLetter, string>>
  /** Null if both forms include it. */
  form: 'A' | 'B' | null
  /** The key as written by its author. */
  key: OptionLetter
  /** The options that count as right now. */
  keys: OptionLetter[]
  isVoid: boolean
  isFullMarks: boolean
}

/** One closed attempt with its choices. */
export interface TableRow {
  attemptId: string
  candidateId: string
  /** The blind number, shown in place of the name. */
  number: number
  form: 'A' | 'B' | null
  startedAt: Date
  submittedAt: Date
  submitReason: 'candidate' | 'violations' | 'deadline'
  /** Whether an owner took the candidate out of the ranking (product 7.17.17). */
  isExcluded: boolean
  /** Question ids separated by spaces, in the order of the candidate's paper. They are parsed only where needed. */
  paper: string
  /** In the order of the items. Null means no choice, undefined means the item isn't on this paper. */
  choices: (OptionLetter | null | undefined)[]
}

export interface AnswerTable {
  items: TableItem[]
  rows: TableRow[]
  /** The number of candidates still taking the test, who are not among the rows. */
  openCount: number
}

/**
 * SQL for whether a listed candidate can still start. Without a start deadline, everyone who hasn't started can.
 * @param of the assessment's alias
 * @param now a placeholder such as $2
 */
export const canStart = (of: string, now: string) =>
  `coalesce(${lastStart(of)} > ${now}, exists (select from candidates w
    where w.assessment = ${of}.code and not w.is_demo and w.revoked_at is null
      and coalesce(w.starts_until > ${now}, true)
      and not exists (select from attempts t where t.candidate_id = w.id)))`

/** SQL for whether all have finished and no one can start, when scores are shown. Parameters as for canStart. */
export const isFinished = (of: string, now: string) =>
  `(not ${canStart(of, now)} and ${isEmpty(of)})`

/** Reads the choices of every closed attempt by blind number, without demo candidates. */
export async function readAnswerTable(client: Client, code: string): Promise<AnswerTable> {
  const { rows: items } = await client.query<TableItem>(
    sql`select i.id, i.position, i.question_id as "questionId", i.topic, i.question, i.form,
       jsonb_build_object('A', i.answer_a, 'B', i.answer_b, 'C', i.answer_c, 'D', i.answer_d) as options,
       i.correct_option as key, k.keys, k.is_void as "isVoid", k.is_full_marks as "isFullMarks"
     from assessment_items i join item_keys k on k.item_id = i.id
     where i.assessment = ${code} order by i.position`,
  )
  const { rows: attempts } = await client.query<
    Omit<TableRow, 'choices'> & { chosen: string | null }
  >(
    // Selected as text, because parsing millions of values in the driver would block the event loop.
    `select a.id as "attemptId", a.candidate_id as "candidateId", b.number, a.form,
       array_to_string(a.paper, ' ') as paper,
       a.started_at as "startedAt", a.submitted_at as "submittedAt", a.submit_reason as "submitReason",
       exists (select from ranking_exclusions x where x.candidate_id = a.candidate_id) as "isExcluded",
       (select string_agg(x.choice || x.item_id, ' ') from attempt_answers x
         where x.attempt_id = a.id) as chosen
     from attempts a
     join blind_numbers b on b.candidate_id = a.candidate_id and b.assessment = a.assessment
     where a.assessment = $1 and not a.is_demo and a.submitted_at is not null
     order by b.number`,
    [code],
  )
  const { rows: open } = await client.query<{ count: number }>(
    sql`select count(*)::int as count from attempts
     where assessment = ${code} and not is_demo and submitted_at is null`,
  )
  const placeOf = new Map(items.map(({ id }, place) => [String(id), place]))
  const rows = await mapInSlices(attempts, ({ chosen, ...attempt }): TableRow => {
    const choices: TableRow['choices'] = Array(items.length).fill(undefined)
    for (const id of attempt.paper.split(' ')) {
      const place = placeOf.get(id)
      if (place !== undefined) choices[place] = null
    }
    for (const one of chosen?.split(' ') ?? []) {
      const place = placeOf.get(one.slice(1))
      if (place !== undefined && choices[place] === null) choices[place] = one[0] as OptionLetter
    }
    return { ...attempt, choices }
  })
  return { items, rows, openCount: open[0]?.count ?? 0 }
}
