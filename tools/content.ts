import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { withDatabase } from '../app/command/database.ts'
import { readBrainteasers } from '../daily/server/brainteasers.ts'
import { OPTION_LETTERS } from '../platform/options.ts'
import { CONTENT_DIR } from '../platform/server/project-folder.ts'
import { readSpokenPromptFiles } from '../practice/server/aloud/spoken-content.ts'
import {
  type ContentQuestion,
  listStrayQuestionFiles,
  readBlueprintFiles,
  readQuestionFiles,
  readYamlFiles,
  THINKING,
} from '../practice/server/content/content.ts'
import { readSlips } from '../practice/server/slips-store.ts'
import { readSampleFiles } from '../societies/questions/server/authoring/assessment-file.ts'
import {
  brainteaserItems,
  type CheckedCell,
  cellSlug,
  checkBank,
  checkBlueprints,
  checkBrainteasers,
  checkSamples,
  isKeyLongest,
} from './content/check.ts'
import { checkSpokenPrompts } from './content/check-aloud.ts'
import { checkCases } from './content/check-cases.ts'
import {
  checkFamilies,
  checkSlips,
  retiredIdsOf,
  slipsByCategory,
} from './content/check-families.ts'
import { isWorded } from './content/check-item.ts'
import { checkTracks, tableOfTracks } from './content/check-tracks.ts'
import {
  checkClones,
  findClones,
  findNearest,
  type ItemSource,
  readReviewedPairs,
} from './content/clones.ts'
import {
  checkFingerprints,
  FINGERPRINTS_NAME,
  type Fingerprints,
  parseFingerprints,
  readFingerprintedItems,
  recordFingerprints,
} from './content/fingerprints.ts'
import {
  listAnswers,
  listOutdated,
  readTerms,
  tablesOf,
  tablesOfSamples,
  termsWithout,
} from './content/report.ts'

const USAGE = `npm run content -- check     checks everything under content/
npm run content -- clones    prints the pairs of items that are close to each other, kept or not
npm run content -- report    prints figures for each cell
npm run content -- answers   prints what students' first answers say of items, from the database of npm start
npm run content -- expand    writes content/variants/ from content/families/
npm run content -- record    writes the ids and the fingerprints of now into content/question-ids.txt and
                             content/fingerprints.txt; an explanation older than its options is refused`

/** All published ids, one cell per line: 'cell: 1001 1002 …'. Ids never vanish, move or return. */
const LEDGER = path.join(CONTENT_DIR, 'question-ids.txt')
/** Fingerprints of options, explanations and whys when they were last recorded. */
const FINGERPRINTS = path.join(CONTENT_DIR, FINGERPRINTS_NAME)
/** How the questions were verified, and which close pairs stay. */
const REVIEW = path.join(CONTENT_DIR, 'REVIEW.md')

async function main(command: string | undefined): Promise<number> {
  const files = await readQuestionFiles()
  const landed = await readLedger()
  const { problems, cells } = checkBank(files, landed)
  const slips = await readSlips()
  const slipCodes = new Set(slips.keys())
  const { problems: inFamilies, families } = checkFamilies(
    await readYamlFiles('families'),
    await readYamlFiles('variants'),
    cells,
    slipCodes,
    landed,
  )
  switch (command) {
    case 'check': {
      for (const name of await listStrayQuestionFiles()) {
        problems.push({ file: name, message: 'belongs to no category and difficulty' })
      }
      problems.push(...checkBlueprints(cells, await readBlueprintFiles()), ...checkTracks(cells))
      const { problems: inSamples, samples } = checkSamples(await readSampleFiles(), cells)
      problems.push(...inSamples)
      const teasers = await readBrainteasers()
      problems.push(...checkBrainteasers(teasers, cells))
      const aloud = checkSpokenPrompts(await readSpokenPromptFiles())
      problems.push(...aloud.problems)
      const review = readReviewedPairs(await readFile(REVIEW, 'utf8'))
      problems.push(...checkClones(await listSources(cells), review))
      const daily = { file: { name: 'brainteasers.yaml' }, questions: brainteaserItems(teasers) }
      problems.push(...inFamilies, ...checkSlips([...cells, daily], slipCodes))
      const { problems: inCases, cases } = checkCases(await readYamlFiles('cases'), slips)
      problems.push(...inCases)
      // Files that can't be parsed are reported above.
      const items = await readFingerprintedItems().catch(() => null)
      if (items) problems.push(...checkFingerprints(items, await readFingerprints()))
      for (const term of termsWithout(await readTerms(), await readAllTexts())) {
        problems.push({ file: 'terms.yaml', message: `'${term}' occurs nowhere` })
      }
      for (const { file, id, message } of problems) {
        console.error(`${file}${id === undefined ? '' : ` ${id}`}: ${message}`)
      }
      const served = cells.flatMap((cell) => cell.questions).filter(({ retired }) => !retired)
      const variantCount = families.reduce((sum, { variants }) => sum + 1 + variants.length, 0)
      const inSamplesCount = samples.reduce((sum, { questions }) => sum + questions.length, 0)
      console.log(
        `${served.length} questions in ${cells.length} cells, ${families.length} families with ${variantCount} variants, ${cases.length} cases, ${aloud.prompts.length} prompts to answer aloud, ${inSamplesCount} items in sample assessments, ${teasers.length} brainteasers, ${problems.length} problems`,
      )
      return problems.length === 0 && served.length > 0 && inSamplesCount > 0 ? 0 : 1
    }
    case 'clones': {
      const { kept } = readReviewedPairs(await readFile(REVIEW, 'utf8'))
      const reasons = new Map(
        kept.map(({ keys, reason }) => [[...keys].sort().join(' / '), reason]),
      )
      for (const { first, second, score } of findClones(await listSources(cells))) {
        const reason = reasons.get([first, second].sort().join(' / '))
        console.log(`${score.toFixed(2)} ${first} / ${second}${reason ? `: ${reason}` : ''}`)
      }
      return 0
    }
    case 'report':
      report(cells)
      for (const line of slipsByCategory(cells)) console.log(line)
      console.log('')
      for (const line of await tables(cells)) console.log(line)
      console.log('')
      for (const line of await sampleTables(cells)) console.log(line)
      console.log('')
      for (const line of tableOfTracks(cells)) console.log(line)
      console.log('')
      console.log('Sources to check again, last checked more than twelve months ago:')
      for (const line of listOutdated(cells, new Date())) console.log(line)
      return 0
    case 'answers':
      for (const line of await withDatabase(listAnswers)) console.log(line)
      return 0
    case 'expand':
      await mkdir(path.join(CONTENT_DIR, 'variants'), { recursive: true })
      for (const { family, base, variants, combinations, usable, expanded } of families) {
        await writeFile(path.join(CONTENT_DIR, 'variants', `${family.family}.yaml`), expanded)
        const ranks = OPTION_LETTERS.map(
          (letter) => [base, ...variants].filter(({ answer }) => answer === letter).length,
        )
        console.log(
          `${family.family}: ${combinations} combinations, ${usable} usable, ${1 + variants.length} variants, key by rank ${ranks.join(' ')}`,
        )
      }
      for (const { file, message } of inFamilies) {
        if (file.startsWith('families/')) console.error(`${file}: ${message}`)
      }
      return 0
    case 'record': {
      const { text, stale } = recordFingerprints(
        await readFingerprintedItems(),
        await readFingerprints(),
      )
      for (const { file, message } of stale) console.error(`${file} ${message}`)
      await writeFile(FINGERPRINTS, text)
      await writeFile(
        LEDGER,
        cells
          .map(
            ({ file, questions }) => `${cellSlug(file)}: ${questions.map((q) => q.id).join(' ')}\n`,
          )
          .concat(
            families.map(
              ({ family, variants }) =>
                `variants/${family.family}: ${[...retiredIdsOf(family), ...variants.map(({ id }) => id)].join(' ')}\n`,
            ),
          )
          .join(''),
      )
      return stale.length === 0 ? 0 : 1
    }
    default:
      console.log(USAGE)
      return 1
  }
}

/** All texts that people read or answer, from the files. */
async function readAllTexts(): Promise<string[]> {
  const files = await Promise.all([
    readQuestionFiles(),
    ...['families', 'cases', 'aloud'].map((folder) => readYamlFiles(folder)),
  ])
  return files.flat().map(({ text }) => text)
}

/** The tables of REVIEW.md, with a line on its terms and one on its close pairs. */
async function tables(cells: readonly CheckedCell[]): Promise<string[]> {
  const terms = await readTerms()
  const textsIn = async (folder: string) => (await readYamlFiles(folder)).map(({ text }) => text)
  const missing = termsWithout(terms, await readAllTexts())
  const close = findClones(await listSources(cells)).length
  const review = readReviewedPairs(await readFile(REVIEW, 'utf8'))
  return [
    ...tablesOf(cells, terms, {
      families: await textsIn('families'),
      cases: await textsIn('cases'),
      'files of prompts': await textsIn('aloud'),
    }),
    '',
    `Terms of the trade: ${terms.length - missing.length} of ${terms.length} occur.`,
    `Close pairs: ${close} above the limit, ${review.kept.length} kept with a sentence.`,
  ]
}

async function sampleTables(cells: readonly CheckedCell[]): Promise<string[]> {
  const { samples } = checkSamples(await readSampleFiles(), cells)
  const names = new Set(samples.map(({ name }) => name))
  return tablesOfSamples(samples, findNearest(await listSources(cells), names))
}

/** Everything that is asked anywhere: the cells, the brainteasers and the sample assessments. */
async function listSources(cells: readonly CheckedCell[]): Promise<ItemSource[]> {
  const { samples } = checkSamples(await readSampleFiles(), cells)
  const teasers = brainteaserItems(await readBrainteasers())
  return [
    ...cells.map(({ file, questions }) => ({ name: file.name, prefix: '', questions })),
    { name: 'brainteasers.yaml', prefix: 'B', questions: teasers },
    ...samples.map(({ code, name, questions }) => ({ name, prefix: `${code}-`, questions })),
  ]
}

async function readFingerprints(): Promise<Fingerprints> {
  return parseFingerprints(await readFile(FINGERPRINTS, 'utf8').catch(() => ''))
}

async function readLedger(): Promise<Map<string, number[]>> {
  const text = await readFile(LEDGER, 'utf8').catch(() => '')
  return new Map(
    text
      .split('\n')
      .filter(Boolean)
      .map((line) => {
        const [cell = '', ids = ''] = line.split(': ')
        return [cell, ids.split(' ').map(Number)]
      }),
  )
}

function report(cells: readonly CheckedCell[]): void {
  for (const { file, questions: all } of cells) {
    const questions = all.filter(({ retired }) => !retired)
    const count = questions.length
    const worded = questions.filter(isWorded)
    const keys = OPTION_LETTERS.map(
      (letter) => `${letter} ${questions.filter((question) => question.answer === letter).length}`,
    )
    const topics = new Map<string, number>()
    for (const { topic } of questions) topics.set(topic, (topics.get(topic) ?? 0) + 1)
    const options = questions.flatMap((question) => Object.values(question.options))
    const words = (of: (question: ContentQuestion) => string) =>
      mean(questions.map((question) => of(question).split(/\s+/).length))
    const computed = questions.filter((question) => question.compute).length
    const longest = worded.filter(isKeyLongest).length
    const thinking = THINKING.map(
      (kind) => `${kind} ${questions.filter((question) => question.thinking === kind).length}`,
    )
    console.log(`${file.category}, ${file.difficulty}`)
    console.log(`  questions ${count}, keys ${keys.join(', ')}`)
    console.log(
      `  key longest in ${longest} of ${worded.length} worded items (${percent(longest, worded.length)}), computed ${computed} (${percent(computed, count)})`,
    )
    console.log(`  thinking: ${thinking.join(', ')}`)
    console.log(
      `  option length ${mean(options.map((option) => option.length))} characters, stem ${words(({ question }) => question)} words, explanation ${words(({ explanation }) => explanation)} words`,
    )
    console.log(`  topics ${[...topics].map(([topic, times]) => `${topic} ${times}`).join(', ')}`)
  }
}

function percent(part: number, whole: number): string {
  return `${Math.round((100 * part) / (whole || 1))} %`
}

function mean(numbers: readonly number[]): string {
  return (numbers.reduce((sum, number) => sum + number, 0) / (numbers.length || 1)).toFixed(1)
}

process.exitCode = await main(process.argv[2])
