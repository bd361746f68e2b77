import { parse as parseYaml, stringify } from 'yaml'
import { OPTION_LETTERS } from '../../platform/options.ts'
import { CATEGORIES } from '../../practice/categories.ts'
import { isVariant, VARIANTS_PER_FAMILY, variantAt } from '../../practice/family/variants.ts'
import type { ContentQuestion, VariantsFile } from '../../practice/server/content/content.ts'
import { countTests, questionsOfTest } from '../../practice/test-of-ten.ts'
import { type CheckedCell, longestRun, type Problem } from './check.ts'
import { checkQuestion } from './check-item.ts'
import { expandFamily, type Family, familySchema } from './families.ts'

// Requirements for a family (product 3.12.1, 3.12.3), and that its committed variants are up to date.

/** Allowed share of each rank of the key, over a cell's families. */
const RANK_SHARE = { min: 0.2, max: 0.3 }
/** Maximum share of one rank within a family. */
const RANK_AT_MOST = 0.5

/** A text file below content/. */
interface TextFile {
  name: string
  text: string
}

interface CheckedFamily {
  family: Family
  cell: CheckedCell
  base: ContentQuestion
  /** without the base */
  variants: ContentQuestion[]
  /** the required content of its variants' file */
  expanded: string
  /** how many combinations of values fulfill the condition, and how many of them make a good question */
  combinations: number
  usable: number
}

/**
 * Expands every family and compares the committed variants.
 * @param committed content/variants/
 * @param slips codes of content/slips.yaml
 * @param landed ids of published variants, by 'variants/NAME'
 */
export function checkFamilies(
  files: readonly TextFile[],
  committed: readonly TextFile[],
  cells: readonly CheckedCell[],
  slips: ReadonlySet<string>,
  landed: ReadonlyMap<string, readonly number[]>,
): { problems: Problem[]; families: CheckedFamily[] } {
  const problems: Problem[] = []
  const families = files.flatMap((file) => {
    const checked = checkFamily(file, cells, slips, problems)
    return checked ? [checked] : []
  })
  const texts = new Map(committed.map(({ name, text }) => [name, text]))
  for (const { family, variants, expanded } of families) {
    const name = `variants/${family.family}.yaml`
    if (texts.get(name) !== expanded) {
      problems.push({
        file: name,
        message: 'differs from its family: npm run content -- expand',
      })
    }
    texts.delete(name)
    const ids = new Set([...variants.map(({ id }) => id), ...retiredIdsOf(family)])
    for (const id of landed.get(`variants/${family.family}`) ?? []) {
      if (!ids.has(id)) problems.push({ file: name, id, message: 'was published and is missing' })
    }
  }
  for (const name of texts.keys()) problems.push({ file: name, message: 'belongs to no family' })
  for (const name of landed.keys()) {
    if (
      name.startsWith('variants/') &&
      !families.some((one) => `variants/${one.family.family}` === name)
    ) {
      problems.push({ file: name, message: 'was published and is missing' })
    }
  }
  problems.push(...findSharedIds(families), ...checkLonelyNames(cells, families))
  for (const cell of cells) problems.push(...checkCellOfFamilies(cell, families))
  return { problems, families }
}

/** Ids of earlier draws (content/families/README.md). */
export const retiredIdsOf = (family: Family): number[] =>
  family.retired.flatMap((first) =>
    Array.from({ length: VARIANTS_PER_FAMILY - 1 }, (_, index) => first + index),
  )

function checkFamily(
  file: TextFile,
  cells: readonly CheckedCell[],
  slips: ReadonlySet<string>,
  problems: Problem[],
): CheckedFamily | null {
  const tell = (message: string, id?: number) => {
    problems.push({ file: file.name, message, ...(id === undefined ? {} : { id }) })
  }
  const parsed = familySchema.safeParse(parseYaml(file.text))
  if (!parsed.success) {
    for (const { path, message } of parsed.error.issues) tell(`${path.join('.')}: ${message}`)
    return null
  }
  const family = parsed.data
  if (file.name !== `families/${family.family}.yaml`) tell(`family: must be the file's name`)
  for (const { mistake } of family.distractors) {
    if (!slips.has(mistake)) tell(`mistake '${mistake}' is not in slips.yaml`)
  }
  const cell = cells.find(({ questions }) => questions.some(({ id }) => id === family.base.id))
  const base = cell?.questions.find(({ id }) => id === family.base.id)
  if (!cell || !base) {
    tell(`base: ${family.base.id} is not in the bank`)
    return null
  }
  try {
    const { variants, problems: found, combinations, usable } = expandFamily(family, base)
    for (const message of found) tell(message)
    for (const variant of variants) {
      for (const message of checkQuestion(variant)) tell(message, variant.id)
    }
    for (const message of checkRanks([base, ...variants], RANK_AT_MOST, 0)) tell(message)
    return {
      family,
      cell,
      base,
      variants,
      combinations,
      usable,
      expanded: write(family, cell, variants),
    }
  } catch (error) {
    tell(`can't be expanded: ${(error as Error).message}`)
    return null
  }
}

function write(family: Family, { file }: CheckedCell, variants: ContentQuestion[]): string {
  const content: VariantsFile = {
    family: family.family,
    category: file.category,
    difficulty: file.difficulty,
    variants,
  }
  return `# Made from content/families/${family.family}.yaml by npm run content -- expand; changed there, not here.\n${stringify(content, { lineWidth: 100 })}`
}

function checkRanks(questions: readonly ContentQuestion[], most: number, least: number): string[] {
  return OPTION_LETTERS.flatMap((letter, rank) => {
    const share = questions.filter(({ answer }) => answer === letter).length / questions.length
    if (share <= most && share >= least) return []
    return [`the key is number ${rank + 1} of its options in ${Math.round(share * 100)} %`]
  })
}

function findSharedIds(families: readonly CheckedFamily[]): Problem[] {
  const seen = new Map<number, string>()
  return families.flatMap(({ family }) => {
    const file = `families/${family.family}.yaml`
    return [family.first, ...family.retired]
      .flatMap((first) => Array.from({ length: VARIANTS_PER_FAMILY }, (_, index) => first + index))
      .flatMap((id) => {
        const other = seen.get(id)
        seen.set(id, file)
        return other === undefined ? [] : [{ file, id, message: `also belongs to ${other}` }]
      })
  })
}

/** Finds questions that name a family which doesn't name them, and variant ids used for questions. */
function checkLonelyNames(
  cells: readonly CheckedCell[],
  families: readonly CheckedFamily[],
): Problem[] {
  return cells.flatMap(({ file, questions }) =>
    questions.flatMap(({ id, family }) => {
      if (isVariant(id))
        return [{ file: file.name, id, message: 'has an id reserved for variants' }]
      if (family === undefined) return []
      if (families.some((one) => one.family.family === family && one.base.id === id)) return []
      return [{ file: file.name, id, message: `family '${family}' is not based on it` }]
    }),
  )
}

/** Checks a cell: equal shares of the key's ranks, and no four equal keys in a row in any test at any retake. */
function checkCellOfFamilies(cell: CheckedCell, families: readonly CheckedFamily[]): Problem[] {
  const own = families.filter((one) => one.cell === cell)
  if (own.length === 0) return []
  const found = checkRanks(
    own.flatMap(({ base, variants }) => [base, ...variants]),
    RANK_SHARE.max,
    RANK_SHARE.min,
  ).map((message) => `over its families ${message}; should be 20 to 30 %`)
  const inOrder = cell.questions.filter(({ retired }) => !retired).sort((a, b) => a.id - b.id)
  const variantsOf = new Map(own.map(({ base, variants }) => [base.id, variants]))
  for (let test = 1; test <= countTests(inOrder.length); test += 1) {
    for (let attempts = 0; attempts < VARIANTS_PER_FAMILY; attempts += 1) {
      const keys = questionsOfTest(inOrder, test).map(
        (slot) => variantAt(slot, variantsOf.get(slot.id) ?? [], attempts).answer,
      )
      const run = longestRun(keys)
      if (run >= 4) found.push(`test ${test} has ${run} equal keys in a row at variant=${attempts}`)
    }
  }
  return found.map((message) => ({ file: cell.file.name, message }))
}

/** How many wrong answers of active questions have a mistake code, one line per category. */
export function slipsByCategory(cells: readonly CheckedCell[]): string[] {
  return CATEGORIES.map((category) => {
    const questions = cells
      .filter(({ file }) => file.category === category)
      .flatMap((cell) => cell.questions)
      .filter(({ retired }) => !retired)
    const wrong = questions.length * (OPTION_LETTERS.length - 1)
    const named = questions.reduce(
      (sum, { slips = {} }) => sum + Object.values(slips).filter(Boolean).length,
      0,
    )
    return `${category}: ${named} of ${wrong} wrong answers name their slip (${Math.round((100 * named) / (wrong || 1))} %)`
  })
}

/** Checks codes on questions and brainteasers: known ones, on every distractor or on none (product 3.12.5). */
export function checkSlips(
  sources: readonly { file: { name: string }; questions: readonly ContentQuestion[] }[],
  slips: ReadonlySet<string>,
): Problem[] {
  return sources.flatMap(({ file, questions }) =>
    questions.flatMap((question) =>
      OPTION_LETTERS.flatMap((letter) => {
        const code = question.slips?.[letter]
        const tell = (message: string) => [{ file: file.name, id: question.id, message }]
        if (code === undefined) {
          const isLeftOut = question.slips !== undefined && letter !== question.answer
          return isLeftOut ? tell(`slips.${letter} is missing`) : []
        }
        if (letter === question.answer) return tell(`slips.${letter} is set for the key`)
        return slips.has(code) ? [] : tell(`slip '${code}' is not in slips.yaml`)
      }),
    ),
  )
}
