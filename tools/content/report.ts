import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { parse as parseYaml } from 'yaml'
import { z } from 'zod'
import type { Database } from '../../platform/database/database.ts'
import { OPTION_LETTERS } from '../../platform/options.ts'
import { CONTENT_DIR } from '../../platform/server/project-folder.ts'
import { DIFFICULTIES } from '../../practice/categories.ts'
import { IS_FIRST_VOTE } from '../../practice/server/schedule/usual-times.ts'
import type { CheckedCell, SampleItems } from './check.ts'
import { hasMistakes, isNumeric, ranksOf } from './check-item.ts'

/** Texts in which a term may occur, by kind. */
interface AskedTexts {
  /** 'families', 'cases', 'aloud': one text per file */
  [kind: string]: readonly string[]
}

/**
 * Describes the bank as tables for REVIEW.md: one line per cell with difficulty, key ranks, expressions of mistakes and
 * sources; and one line per interview field with its terms and where they occur.
 */
export function tablesOf(
  cells: readonly CheckedCell[],
  terms: readonly Term[],
  texts: AskedTexts,
): string[] {
  return [...tableOfCells(cells), '', ...tableOfFields(cells, terms, texts)]
}

function tableOfCells(cells: readonly CheckedCell[]): string[] {
  const lines = [
    '| cell | items | hardness, 1 to 5 | lowest and highest | numeric keys by rank, % | wrong numbers computed | with a source |',
    '|---|---|---|---|---|---|---|',
  ]
  for (const { file, questions: all } of cells) {
    const questions = all.filter(({ retired }) => !retired)
    const judged = questions.flatMap(({ hardness }) => hardness ?? [])
    const mean = judged.reduce((sum, one) => sum + one, 0) / (judged.length || 1)
    const ranks = ranksOf(questions)
    const numeric = ranks.reduce((sum, one) => sum + one, 0)
    const shares = ranks.map((count) => Math.round((100 * count) / (numeric || 1)))
    const computed = questions.filter(isNumeric).filter(hasMistakes).length
    lines.push(
      `| ${file.category}, ${file.difficulty} | ${questions.length} | ${judged.length === questions.length ? mean.toFixed(2) : `${mean.toFixed(2)} of ${judged.length}`} | ${Math.min(...judged)} and ${Math.max(...judged)} | ${shares.join(', ')} | ${computed} of ${numeric} | ${questions.filter(({ source }) => source).length} |`,
    )
  }
  return lines
}

function tableOfFields(
  cells: readonly CheckedCell[],
  terms: readonly Term[],
  texts: AskedTexts,
): string[] {
  const kinds: [name: string, texts: readonly string[]][] = [
    ...DIFFICULTIES.map((difficulty): [string, string[]] => [
      difficulty,
      cells
        .filter(({ file }) => file.difficulty === difficulty)
        .flatMap(({ questions }) => questions)
        .filter(({ retired }) => !retired)
        .map((question) =>
          [question.question, ...Object.values(question.options), question.explanation].join('\n'),
        ),
    ]),
    ...Object.entries(texts),
  ]
  const fields = [...new Set(terms.map(({ asked }) => asked))].sort()
  return [
    `| asked about | terms | ${kinds.map(([name]) => name).join(' | ')} |`,
    `|---|---|${'---|'.repeat(kinds.length)}`,
    ...fields.map((field) => {
      const own = terms.filter(({ asked }) => asked === field)
      const counts = kinds.map(
        ([, all]) => all.filter((text) => termsWithout(own, [text]).length < own.length).length,
      )
      return `| ${field} | ${own.length} | ${counts.join(' | ')} |`
    }),
  ]
}

/** A technical term of content/terms.yaml. */
const termSchema = z.strictObject({
  term: z.string().min(2),
  /** its meaning, on one line */
  line: z.string().min(10).max(110),
  /** the kind of interview that uses it */
  asked: z.string().min(4),
})
type Term = z.infer<typeof termSchema>

/** All terms in file order. Errors: ZodError; Error if one occurs twice. */
export async function readTerms(contentDir = CONTENT_DIR): Promise<Term[]> {
  const text = await readFile(path.join(contentDir, 'terms.yaml'), 'utf8')
  const terms = z.array(termSchema).parse(parseYaml(text))
  const names = terms.map(({ term }) => term.toLowerCase())
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice) throw new Error(`terms.yaml has '${twice}' twice`)
  return terms
}

/**
 * The terms that occur nowhere.
 * @param texts all that people read and answer; line breaks don't matter
 */
export function termsWithout(terms: readonly Term[], texts: readonly string[]): string[] {
  const all = texts.join('\n').replace(/\s+/g, ' ').toLowerCase()
  return terms.map(({ term }) => term).filter((term) => !occurs(all, term.toLowerCase()))
}

/** Finds a term at the start of a word: 'put' in 'puts', not in 'output'. */
function occurs(all: string, term: string): boolean {
  for (let at = all.indexOf(term); at !== -1; at = all.indexOf(term, at + 1)) {
    if (!/[a-z0-9]/.test(all[at - 1] ?? ' ')) return true
  }
  return false
}

/** Months after which an editor has to check an item's source again. */
const LOOK_AGAIN_AFTER = 12

/** Items whose source was checked too long ago, oldest first. */
export function listOutdated(cells: readonly CheckedCell[], today: Date): string[] {
  const oldest = new Date(today)
  oldest.setUTCMonth(oldest.getUTCMonth() - LOOK_AGAIN_AFTER)
  const limit = oldest.toISOString().slice(0, 7)
  return cells
    .flatMap(({ questions }) => questions)
    .flatMap(({ id, asOf, source, retired }) =>
      asOf && asOf < limit && !retired ? [`${asOf} ${id}: ${source}`] : [],
    )
    .sort()
}

/** Difficulty that a form needs to select among strong candidates. */
const SELECTS = { mean: 2.5, hardItems: 5, hard: 3.5 }

/**
 * The sample assessments: their difficulty, and the public item nearest to each of theirs.
 * @param nearest by 'PCF-1'
 */
export function tablesOfSamples(
  samples: readonly SampleItems[],
  nearest: ReadonlyMap<string, { key: string; score: number }>,
): string[] {
  const forms = samples.map(({ code, questions }) => {
    const judged = questions.flatMap(({ hardness }) => hardness ?? [])
    const mean = judged.reduce((sum, one) => sum + one, 0) / (judged.length || 1)
    const hard = judged.filter((one) => one >= SELECTS.hard).length
    const missing = [
      judged.length < questions.length && `${questions.length - judged.length} not judged`,
      mean < SELECTS.mean && `mean ${SELECTS.mean}`,
      hard < SELECTS.hardItems && `${SELECTS.hardItems - hard} items of ${SELECTS.hard}`,
    ].filter(Boolean)
    return `| ${code} | ${questions.length} | ${mean.toFixed(2)} | ${Math.max(...judged)} | ${hard} | ${missing.join(', ') || 'nothing'} |`
  })
  const items = samples.flatMap(({ code, questions }) =>
    questions.map((question) => {
      const near = nearest.get(`${code}-${question.id}`)
      const twin = near ? `${near.key} | ${near.score.toFixed(2)}` : ' | '
      return `| ${code}-${question.id} | ${question.topic} | ${question.hardness ?? ''} | ${twin} |`
    }),
  )
  return [
    `| form | items | hardness, 1 to 5 | highest | of ${SELECTS.hard} and above | missing |`,
    '|---|---|---|---|---|---|',
    ...forms,
    '',
    '| item | topic | hardness | nearest public item | score |',
    '|---|---|---|---|---|',
    ...items,
  ]
}

/** First answers to an item of the bank. `discrimination`: compared with the person's share on all other items. */
interface Answered {
  item: string
  people: number
  right: number
  discrimination: number | null
  chosen: string[]
}

/** Minimum number of people for a meaningful result. */
const PEOPLE_AT_LEAST = 30

/** Findings for editors from at least 30 first answers: too easy, too hard, misleading, unused options. */
export async function listAnswers(db: Database): Promise<string[]> {
  const { rows } = await db.$client.query<Answered>(
    `with first as (
       select a.user_id, a.item, a.choice, a.is_right::int as is_right from answered_questions a
       where a.item ~ '^[0-9]+$' and ${IS_FIRST_VOTE}
     ), person as (
       select user_id, sum(is_right) as rights, count(*) as answers from first group by user_id
     )
     select item, count(*)::int as people, avg(is_right)::float8 as right,
       corr(is_right, (rights - is_right)::float8 / nullif(answers - 1, 0)) as discrimination,
       array_agg(distinct choice) as chosen
     from first join person using (user_id) group by item having count(*) >= $1 order by item::int`,
    [PEOPLE_AT_LEAST],
  )
  return rows.flatMap(({ item, people, right, discrimination, chosen }) => {
    const unchosen = OPTION_LETTERS.filter((letter) => !chosen.includes(letter))
    const told = [
      right > 0.95 && 'above 95 %',
      right < 0.2 && 'below 20 %',
      discrimination !== null &&
        discrimination < 0 &&
        `discrimination ${discrimination.toFixed(2)}`,
      unchosen.length > 0 && `nobody chose ${unchosen.join(', ')}`,
    ].filter(Boolean)
    const share = `${Math.round(100 * right)} % of ${people} right`
    return told.length > 0 ? [`${item}: ${share}; ${told.join('; ')}`] : []
  })
}
