import { createHash } from 'node:crypto'
import { parse as parseYaml } from 'yaml'
import { z } from 'zod'
import { readBrainteasers } from '../../daily/server/brainteasers.ts'
import { OPTION_LETTERS } from '../../platform/options.ts'
import { CONTENT_DIR } from '../../platform/server/project-folder.ts'
import { type CaseContent, parseCase } from '../../practice/server/cases/content.ts'
import {
  type ContentQuestion,
  contentQuestionSchema,
  parseQuestions,
  readQuestionFiles,
  readYamlFiles,
} from '../../practice/server/content/content.ts'
import { readSampleFiles } from '../../societies/questions/server/authoring/assessment-file.ts'
import { brainteaserItems, type Problem } from './check.ts'
import { type Family, familySchema } from './families.ts'

// An explanation is stale if an option changed and the explanation didn't. For each item, content/fingerprints.txt
// has the last recorded fingerprints of its options, its explanation and its `why` lines:
//
//     7080 b3f0a1 90c2de 41aa7b:5d0e19 …      key, options, explanation, then mistake:why of each distractor
//
// An item with changed options passes only if its explanation and each changed option's `why` changed too.
// Any other change must be recorded, so that it can't excuse a later one.

/** The parts of an item that have to change together. */
export interface FingerprintedItem {
  /** for messages: questions/…/….yaml */
  file: string
  /** unique over all content: '7080', 'B12', 'PCF-3', 'covenant-holds-notes-at-32-1', 'adjusted-ebitda' */
  key: string
  /** the options in any order; the key is marked */
  options: string[]
  explanation: string
  distractors: Distractor[]
}

export interface Distractor {
  /** the displayed text, for messages */
  text: string
  /** what the student did: the mistake's formula, or the text if there is none */
  mistake: string
  why: string
}

/** Fingerprints by key, each in the file's format. */
export type Fingerprints = ReadonlyMap<string, string>

export const FINGERPRINTS_NAME = 'fingerprints.txt'
const RECORD = 'npm run content -- record'

/** All items: the bank, its families, the brainteasers, the sample assessments and the cases. */
export async function readFingerprintedItems(
  contentDir = CONTENT_DIR,
): Promise<FingerprintedItem[]> {
  const [files, teasers, samples, cases, families] = await Promise.all([
    readQuestionFiles(contentDir),
    readBrainteasers(contentDir),
    readSampleFiles(`${contentDir}/assessments`),
    readYamlFiles('cases', contentDir),
    readYamlFiles('families', contentDir),
  ])
  return [
    ...files.flatMap((file) => itemsOfQuestions(file.name, '', parseQuestions(file))),
    ...itemsOfQuestions('brainteasers.yaml', 'B', brainteaserItems(teasers)),
    ...samples.flatMap(({ name, code, text }) => {
      const { items } = z.object({ items: z.array(contentQuestionSchema) }).parse(parseYaml(text))
      return itemsOfQuestions(name, `${code}-`, items)
    }),
    ...cases.flatMap(({ name, text }) => itemsOfCase(name, parseCase(text))),
    ...families.map(({ name, text }) => itemOfFamily(name, familySchema.parse(parseYaml(text)))),
  ]
}

function itemsOfQuestions(
  file: string,
  prefix: string,
  questions: readonly ContentQuestion[],
): FingerprintedItem[] {
  return questions
    .filter(({ retired }) => !retired)
    .map(({ id, options, answer, explanation, why, wrong }) => ({
      file,
      key: `${prefix}${id}`,
      options: OPTION_LETTERS.map((letter) => markKey(options[letter], letter === answer)),
      explanation,
      distractors: OPTION_LETTERS.filter((letter) => letter !== answer).map((letter) =>
        toDistractor(options[letter], why[letter], wrong?.[letter]),
      ),
    }))
}

function itemsOfCase(file: string, content: CaseContent): FingerprintedItem[] {
  return content.questions.map(({ options, explanation }, index) => ({
    file,
    key: `${content.case}-${index + 1}`,
    options: options.map(({ text, key }) => markKey(text, key === true)),
    explanation,
    distractors: options
      .filter(({ key }) => !key)
      .map(({ text, why, value }) => toDistractor(text, why, value)),
  }))
}

/** A family shows the results of its expressions. */
function itemOfFamily(file: string, family: Family): FingerprintedItem {
  return {
    file,
    key: family.family,
    options: [
      markKey(family.answer, true),
      ...family.distractors.map(({ value }) => markKey(value, false)),
    ],
    explanation: family.explanation,
    distractors: family.distractors.map(({ value, why }) => ({ text: value, mistake: value, why })),
  }
}

const markKey = (text: string, isKey: boolean) => (isKey ? `key ${text}` : text)

/** With other numbers it is still the same mistake, as long as the `why` contains none. */
function toDistractor(text: string, why = '', formula?: string): Distractor {
  const isProven = formula !== undefined && !/\d/.test(why)
  return { text, why, mistake: isProven ? formula.replaceAll(/\d+(?:\.\d+)?/g, '#') : text }
}

/** Six hex digits of what a reader would notice: not case, spaces, hyphens, or commas and periods between words. */
function fingerprint(text: string): string {
  const noticed = text
    .toLowerCase()
    .replaceAll(/(?<=[a-z])-(?=[a-z])|[,;.!?'"](?!\d)/g, '')
    .replaceAll(/\s+/g, '')
  return createHash('sha256').update(noticed).digest('hex').slice(0, 6)
}

/** An item's line without its key. */
function write({ options, explanation, distractors }: FingerprintedItem): string {
  const pairs = distractors.map(({ mistake, why }) => `${fingerprint(mistake)}:${fingerprint(why)}`)
  const offered = fingerprint([...options].sort().join('\n'))
  return [offered, fingerprint(explanation), ...pairs.sort()].join(' ')
}

/** Reads the record. Lines that start with # are comments. */
export function parseFingerprints(text: string): Fingerprints {
  return new Map(
    text
      .split('\n')
      .filter((line) => line && !line.startsWith('#'))
      .map((line) => {
        const space = line.indexOf(' ')
        return [line.slice(0, space), line.slice(space + 1)]
      }),
  )
}

/** Finds items whose explanation or `why` is older than an option, and anything that isn't recorded yet. */
export function checkFingerprints(
  items: readonly FingerprintedItem[],
  recorded: Fingerprints,
): Problem[] {
  const keys = new Set(items.map(({ key }) => key))
  return [
    ...items.flatMap((item) => {
      const line = recorded.get(item.key)
      if (line === write(item)) return []
      const stale = line === undefined ? [] : listStale(item, line)
      const messages = stale.length > 0 ? stale : [`is not recorded in its current form: ${RECORD}`]
      return messages.map((message) => ({
        file: item.file,
        message: `${item.key}: ${message}`,
      }))
    }),
    ...[...recorded.keys()]
      .filter((key) => !keys.has(key))
      .map((key) => ({
        file: FINGERPRINTS_NAME,
        message: `${key} is not asked any more: ${RECORD}`,
      })),
  ]
}

/**
 * The updated record. A stale item keeps its old line, so that recording can't hide it.
 * @returns the text, and the problems that prevent recording items
 */
export function recordFingerprints(
  items: readonly FingerprintedItem[],
  recorded: Fingerprints,
): { text: string; stale: Problem[] } {
  const stale: Problem[] = []
  const lines = items.map((item) => {
    const line = recorded.get(item.key)
    const messages = line === undefined ? [] : listStale(item, line)
    for (const message of messages) {
      stale.push({ file: item.file, message: `${item.key}: ${message}` })
    }
    return `${item.key} ${messages.length > 0 ? line : write(item)}\n`
  })
  const head = `# Written by ${RECORD}: what tools/content/fingerprints.ts compares. Not edited by hand.\n`
  return { text: head + lines.join(''), stale }
}

/** Texts that didn't change with their option, each a sentence. */
function listStale(item: FingerprintedItem, line: string): string[] {
  const [offered, explanation, ...pairs] = line.split(' ')
  const [offeredNow, explanationNow] = write(item).split(' ')
  if (offered === offeredNow) return []
  const found: string[] = []
  if (explanation === explanationNow) {
    found.push('its options have changed but not its explanation: explain the current options')
  }
  const mistakes = pairs.map((pair) => pair.split(':')[0])
  const whys = pairs.map((pair) => pair.split(':')[1])
  for (const { text, mistake, why } of item.distractors) {
    const known = mistakes.indexOf(fingerprint(mistake))
    if (known >= 0) mistakes.splice(known, 1)
    else if (whys.includes(fingerprint(why))) {
      found.push(`'${text}' is new but its why is not: say which mistake leads to it`)
    }
  }
  return found
}
