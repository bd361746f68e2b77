import { parse as parseYaml } from 'yaml'
import { z } from 'zod'
import type { BrainteaserContent } from '../../daily/server/brainteasers.ts'
import { OPTION_LETTERS, type OptionLetter } from '../../platform/options.ts'
import { FileProblems } from '../../platform/server/admin-error.ts'
import { slugOf } from '../../practice/categories.ts'
import {
  blueprintSchema,
  type ContentFile,
  type ContentQuestion,
  contentQuestionSchema,
  THINKING,
} from '../../practice/server/content/content.ts'
import { QUESTIONS_PER_TEST } from '../../practice/test-of-ten.ts'
import {
  parseAssessmentFile,
  type SampleFile,
} from '../../societies/questions/server/authoring/assessment-file.ts'

import { checkNumeric, checkQuestion, isWorded } from './check-item.ts'

export interface Problem {
  file: string
  /** the id of the question concerned, if any */
  id?: number
  message: string
}

export interface CheckedCell {
  file: ContentFile
  questions: ContentQuestion[]
}

/** Allowed share of each letter among a cell's keys (product 3.1.7). */
const KEY_SHARE = { min: 0.2, max: 0.3 }
/** Maximum share of a cell's text items whose key is strictly the longest option. */
const LONGEST_KEY_SHARE = 1 / 3
/** Above this, two stems count as the same question. */
const JACCARD_LIMIT = 0.8

/**
 * Checks the whole bank against product 3.1.7 and reports all problems together.
 * @param landed published ids by cell slug; they may be retired but never vanish or move
 */
export function checkBank(
  files: readonly ContentFile[],
  landed: ReadonlyMap<string, readonly number[]>,
): { problems: Problem[]; cells: CheckedCell[] } {
  const problems: Problem[] = []
  const cells: CheckedCell[] = []
  for (const file of files) {
    const questions = readQuestions(file, problems)
    cells.push({ file, questions })
    for (const question of questions) {
      for (const message of checkQuestion(question)) {
        problems.push({ file: file.name, id: question.id, message })
      }
    }
    const served = questions.filter((question) => !question.retired)
    for (const message of [...checkCell(served), ...checkNumeric(served)]) {
      problems.push({ file: file.name, message })
    }
    const ids = new Set(questions.map((question) => question.id))
    for (const id of landed.get(cellSlug(file)) ?? []) {
      if (!ids.has(id)) {
        problems.push({
          file: file.name,
          id,
          message: 'was published and is missing; retire it (retired: true) instead',
        })
      }
    }
  }
  problems.push(...findRepeatedIds(cells), ...findNearDuplicates(cells.map(toStemSource)))
  return { problems, cells }
}

/** category/difficulty as folder and file name. */
export function cellSlug(file: ContentFile): string {
  return `${slugOf(file.category)}/${slugOf(file.difficulty)}`
}

/**
 * Checks that each cell follows its blueprint: the number of items per topic and kind of thinking.
 * @param blueprints as text, by 'category/difficulty'
 */
export function checkBlueprints(
  cells: readonly CheckedCell[],
  blueprints: ReadonlyMap<string, string>,
): Problem[] {
  return cells.flatMap((cell) => {
    const file = `blueprints/${cellSlug(cell.file)}.yaml`
    const text = blueprints.get(cellSlug(cell.file))
    if (text === undefined) return [{ file, message: 'is missing: what should the cell cover?' }]
    return compareWithBlueprint(cell.questions, text).map((message) => ({ file, message }))
  })
}

function compareWithBlueprint(questions: readonly ContentQuestion[], text: string): string[] {
  const parsed = blueprintSchema.safeParse(parseYaml(text))
  if (!parsed.success) {
    return parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
  }
  const written = new Map<string, number>()
  const found: string[] = []
  for (const { id, topic, thinking, retired } of questions) {
    if (!thinking) found.push(`${id} has no thinking`)
    else if (!retired) {
      const key = `${topic}, ${thinking}`
      written.set(key, (written.get(key) ?? 0) + 1)
    }
  }
  for (const planned of parsed.data.topics) {
    for (const thinking of THINKING) {
      const key = `${planned.topic}, ${thinking}`
      const [wanted, is] = [planned[thinking] ?? 0, written.get(key) ?? 0]
      if (wanted !== is) found.push(`${key}: ${wanted} planned, ${is} written`)
      written.delete(key)
    }
  }
  for (const [key, count] of written) found.push(`${key}: not planned, but ${count} written`)
  return found
}

/**
 * Checks the sample assessments: their files' form, their items by the rules for practice questions, and that none is
 * nearly the same as another or one of the bank.
 * @param bank the cells that checkBank read
 */
export function checkSamples(
  files: readonly SampleFile[],
  bank: readonly CheckedCell[],
): { problems: Problem[]; samples: SampleItems[] } {
  const problems: Problem[] = []
  const samples: SampleItems[] = []
  for (const { code, name, text } of files) {
    try {
      const { code: written, sample } = parseAssessmentFile(text)
      if (written !== code) problems.push({ file: name, message: `code: must be ${code}` })
      if (!sample) problems.push({ file: name, message: 'sample: must be true' })
    } catch (error) {
      if (!(error instanceof FileProblems)) throw error
      problems.push(...error.problems.map((message) => ({ file: name, message })))
      continue
    }
    const { items } = parseYaml(text) as { items: unknown }
    const questions = parseList(items, name, problems)
    for (const question of questions) {
      for (const message of checkQuestion(question)) {
        problems.push({ file: name, id: question.id, message })
      }
    }
    problems.push(...checkCell(questions).map((message) => ({ file: name, message })))
    samples.push({ code, name, questions })
  }
  const sampleNames = new Set(samples.map(({ name }) => name))
  const near = findNearDuplicates([...bank.map(toStemSource), ...samples])
  // checkBank reports pairs within the bank.
  problems.push(...near.filter(({ file }) => sampleNames.has(file)))
  return { problems, samples }
}

export interface SampleItems {
  code: string
  name: string
  questions: ContentQuestion[]
}

/** Brainteasers in the form of questions, for shared checks. */
export function brainteaserItems(teasers: readonly BrainteaserContent[]): ContentQuestion[] {
  return teasers.map(({ kind, level: _, statement, ...rest }) => ({
    ...rest,
    topic: kind,
    question: statement,
  }))
}

/**
 * Checks the brainteasers: each as an item, and all together like a cell of any size.
 * @param bank the cells that checkBank read; a brainteaser must not repeat any of them
 */
export function checkBrainteasers(
  teasers: readonly BrainteaserContent[],
  bank: readonly CheckedCell[],
): Problem[] {
  const name = 'brainteasers.yaml'
  const items = brainteaserItems(teasers)
  const near = findNearDuplicates([...bank.map(toStemSource), { name, questions: items }])
  return [
    ...items.flatMap((item) =>
      checkQuestion(item).map((message) => ({ file: name, id: item.id, message })),
    ),
    ...checkKeys(items).map((message) => ({ file: name, message })),
    ...findRepeated(items.map((item) => item.id)).map((id) => ({
      file: name,
      id,
      message: 'stands twice',
    })),
    ...near.filter(({ file }) => file === name),
  ]
}

function findRepeated(ids: readonly number[]): number[] {
  return ids.filter((id, index) => ids.indexOf(id) !== index)
}

function readQuestions(file: ContentFile, problems: Problem[]): ContentQuestion[] {
  try {
    return parseList(parseYaml(file.text), file.name, problems)
  } catch (error) {
    problems.push({ file: file.name, message: `is not YAML: ${(error as Error).message}` })
    return []
  }
}

function parseList(list: unknown, name: string, problems: Problem[]): ContentQuestion[] {
  const items = z.array(z.unknown()).safeParse(list)
  if (!items.success) {
    problems.push({ file: name, message: 'must be a list of questions' })
    return []
  }
  return items.data.flatMap((item) => {
    const parsed = contentQuestionSchema.safeParse(item)
    if (parsed.success) return [parsed.data]
    const id = Number((item as { id?: unknown })?.id) || undefined
    for (const issue of parsed.error.issues) {
      problems.push({ file: name, id, message: `${issue.path.join('.')}: ${issue.message}` })
    }
    return []
  })
}

/** The guide's requirements for a whole cell. */
export function checkCell(questions: readonly ContentQuestion[]): string[] {
  const found: string[] = []
  const inOrder = [...questions].sort((a, b) => a.id - b.id)
  if (inOrder.length % QUESTIONS_PER_TEST !== 0 || inOrder.length === 0) {
    found.push(`has ${inOrder.length} questions; should be whole tests of ${QUESTIONS_PER_TEST}`)
  }
  return [...found, ...checkKeys(inOrder)]
}

/** Checks that keys are spread evenly, without long runs in a test, and not revealed by length. */
function checkKeys(inOrder: readonly ContentQuestion[]): string[] {
  const found: string[] = []
  const keys = inOrder.map((question) => question.answer)
  for (const letter of OPTION_LETTERS) {
    const share = keys.filter((key) => key === letter).length / (keys.length || 1)
    if (share < KEY_SHARE.min || share > KEY_SHARE.max) {
      found.push(`the key is ${letter} in ${Math.round(share * 100)} %; should be 20 to 30 %`)
    }
  }
  for (let start = 0; start < keys.length; start += QUESTIONS_PER_TEST) {
    const run = longestRun(keys.slice(start, start + QUESTIONS_PER_TEST))
    if (run >= 4)
      found.push(`test ${start / QUESTIONS_PER_TEST + 1} has ${run} equal keys in a row`)
  }
  const worded = inOrder.filter(isWorded)
  const longest = worded.filter(isKeyLongest)
  if (longest.length > worded.length * LONGEST_KEY_SHARE) {
    found.push(
      `the key is the longest option in ${longest.length} of ${worded.length} worded items (${longest.map((question) => question.id).join(', ')})`,
    )
  }
  return found
}

export function isKeyLongest(question: ContentQuestion): boolean {
  const key = question.options[question.answer].length
  return OPTION_LETTERS.every(
    (letter) => letter === question.answer || question.options[letter].length < key,
  )
}

export function longestRun(keys: readonly OptionLetter[]): number {
  let longest = 0
  let run = 0
  keys.forEach((key, index) => {
    run = key === keys[index - 1] ? run + 1 : 1
    longest = Math.max(longest, run)
  })
  return longest
}

function findRepeatedIds(cells: readonly CheckedCell[]): Problem[] {
  const seen = new Map<number, string>()
  const problems: Problem[] = []
  for (const { file, questions } of cells) {
    for (const { id } of questions) {
      const earlier = seen.get(id)
      if (earlier) problems.push({ file: file.name, id, message: `is also in ${earlier}` })
      seen.set(id, file.name)
    }
  }
  return problems
}

/** Words of at least three letters, and numbers. */
function stemWords(stem: string): Set<string> {
  return new Set(stem.toLowerCase().match(/[a-z]{3,}|\d+(?:[.,]\d+)*/g) ?? [])
}

/** A file with the questions that it asks. */
interface StemSource {
  name: string
  questions: readonly ContentQuestion[]
}

const toStemSource = ({ file, questions }: CheckedCell): StemSource => ({
  name: file.name,
  questions,
})

function findNearDuplicates(sources: readonly StemSource[]): Problem[] {
  const stems = sources.flatMap(({ name, questions }) =>
    questions.map((question) => ({
      file: name,
      id: question.id,
      isRetired: question.retired === true,
      stem: question.question,
      words: stemWords(question.question),
    })),
  )
  const problems: Problem[] = []
  stems.forEach((one, index) => {
    for (const other of stems.slice(index + 1)) {
      // A question that moved to another level is retired under its old number with the same text.
      if ((one.isRetired || other.isRetired) && one.stem === other.stem) continue
      // Sets of very different sizes can't overlap enough, so skipping them saves most of the work.
      const [small, large] =
        one.words.size < other.words.size ? [one.words, other.words] : [other.words, one.words]
      if (small.size < large.size * JACCARD_LIMIT) continue
      let common = 0
      for (const word of small) if (large.has(word)) common += 1
      const jaccard = common / (small.size + large.size - common)
      if (jaccard > JACCARD_LIMIT) {
        problems.push({
          file: other.file,
          id: other.id,
          message: `asks nearly the same as ${one.id}${one.file === other.file ? '' : ` of ${one.file}`} (${jaccard.toFixed(2)})`,
        })
      }
    }
  })
  return problems
}
