import type pg from 'pg'
import type { Exhibit } from '../../../platform/exhibit.ts'
import { OPTION_LETTERS, type OptionLetter } from '../../../platform/options.ts'
import { isReleased } from '../candidate-store.ts'

interface Question {
  id: number
  question: string
  options: Record<OptionLetter, string>
  exhibit?: Exhibit
}

export interface Paper {
  assessment: {
    code: string
    society: string
    session: string | null
    shuffle: boolean
    /** First and last moment to start. Null means no limit. */
    opensAt: Date | null
    closesAt: Date | null
    isReleased: boolean
  }
  questions: Map<number, Question>
  /** The form that each question belongs to, by its id. Null if both forms ask it. */
  forms: Map<number, 'A' | 'B' | null>
}

interface ItemRow extends Omit<Question, 'options' | 'exhibit'> {
  assessment: string
  options: string[]
  exhibit: Exhibit | null
  form: 'A' | 'B' | null
}

/** Reads the papers of assessments without the keys (product 6.4.8). Null for an unknown assessment. */
export async function readPapers(
  client: Pick<pg.Pool, 'query'>,
  codes: readonly string[],
): Promise<(Paper | null)[]> {
  const wanted = [...new Set(codes)]
  const [assessments, items] = await Promise.all([
    client.query<Paper['assessment']>({
      name: 'assessments-of-papers',
      text: `select code, society, session, shuffle, opens_at as "opensAt", closes_at as "closesAt",
          ${isReleased('assessments')} as "isReleased"
        from assessments where code = any ($1) and not is_draft and deleted_at is null`,
      values: [wanted],
    }),
    client.query<ItemRow>({
      name: 'items-of-papers',
      text: `select assessment, id, question, array[answer_a, answer_b, answer_c, answer_d] as options,
          exhibit, form
        from assessment_items where assessment = any ($1) order by assessment, position`,
      values: [wanted],
    }),
  ])
  const papers = new Map<string, Paper>(
    assessments.rows.map((assessment) => [
      assessment.code,
      { assessment, questions: new Map(), forms: new Map() },
    ]),
  )
  for (const { assessment, id, question, options, exhibit, form } of items.rows) {
    const lettered = Object.fromEntries(OPTION_LETTERS.map((letter, n) => [letter, options[n]]))
    const paper = papers.get(assessment)
    paper?.forms.set(id, form)
    paper?.questions.set(id, {
      ...{ id, question, options: lettered as Record<OptionLetter, string> },
      ...(exhibit ? { exhibit } : {}),
    })
  }
  return codes.map((code) => papers.get(code) ?? null)
}
