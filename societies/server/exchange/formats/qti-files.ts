import type { ReadFormat } from '../../../questions/question-files.ts'
import { decodeText } from '../files/decode.ts'
import { tidy } from '../files/plain-text.ts'
import type { ZipFiles } from '../files/unzip.ts'
import { allOf, type Element, parseXml, rawText } from '../files/xml.ts'
import {
  type Found,
  type FoundQuestion,
  flawedQuestion,
  QuestionFileError,
  requireFewQuestions,
} from '../question.ts'
import { readQtiItem } from './qti.ts'
import { readQti12 } from './qti-12.ts'

type QtiVersion = Extract<ReadFormat, 'qti12' | 'qti2' | 'qti3'>

/** A QTI document by itself: QTI 1.2 with all questions, or an item of QTI 2 or 3. */
export function readQtiText(text: string): Found {
  const { root, isBroken } = parseXml(text)
  const questions = readDocument(root, isBroken, null)
  requireFewQuestions(questions.length)
  return { questions, notices: isBroken && root.name === 'questestinterop' ? ['broken_off'] : [] }
}

/** A QTI package: a zip with its documents, in the order of the test where there is one. */
export function readQtiZip(zip: ZipFiles): Found & { format: QtiVersion } {
  const documents = [...zip.values()]
    // What a Mac adds to a zip bears the names of the real ones.
    .filter(({ path }) => /\.(xml|dat)$/i.test(path) && !/^__MACOSX\//.test(path))
    .map((file) => ({ file, document: tryParse(file.read()) }))
  const questions: FoundQuestion[] = []
  let version: QtiVersion | null = null
  for (const { file, document } of inTestOrder(documents)) {
    if (!document) {
      // Of what is no XML nobody knows whether it was a question; manifests are not told.
      if (!/imsmanifest|meta|context|settings/.test(file.path)) {
        questions.push(flawedQuestion(shortPath(file.path), 'unreadable'))
      }
      continue
    }
    const { root, isBroken } = document
    const found = versionOf(root)
    if (!found) continue
    version ??= found
    questions.push(...readDocument(root, isBroken, file.path))
    requireFewQuestions(questions.length)
  }
  const hasZips = [...zip.keys()].some((path) => path.toLowerCase().endsWith('.zip'))
  if (!version) throw new QuestionFileError(hasZips ? 'only_zips' : 'unknown_format')
  return { format: version, questions, notices: hasZips ? ['zips_inside'] : [] }
}

interface Parsed {
  root: Element
  isBroken: boolean
}

/** Null for what is no XML; a file that defines entities or is too deep stops everything. */
function tryParse(bytes: Buffer): Parsed | null {
  try {
    return parseXml(decodeText(bytes).text)
  } catch (error) {
    const isHarmless =
      error instanceof QuestionFileError &&
      (error.problem === 'broken_xml' || error.problem === 'unknown_encoding')
    if (isHarmless) return null
    throw error
  }
}

const ROOTS: Record<string, QtiVersion> = {
  questestinterop: 'qti12',
  assessmentItem: 'qti2',
  'qti-assessment-item': 'qti3',
}
const versionOf = ({ name }: Element): QtiVersion | null => ROOTS[name] ?? null

function readDocument(root: Element, isBroken: boolean, path: string | null): FoundQuestion[] {
  const name = path === null ? null : shortPath(path)
  const placeOf = (line: number) => (name === null ? `line ${line}` : `${name}, line ${line}`)
  if (root.name === 'questestinterop') return readQti12(root, placeOf)
  const place = name ?? `line ${root.line}`
  if (!isBroken) return [readQtiItem(root, place)]
  return [flawedQuestion(place, 'unreadable', tidy(rawText(root)).slice(0, 100))]
}

interface Document {
  file: { path: string }
  document: Parsed | null
}

/** Items in the order in which the test names them; the others as they lie in the zip. */
function inTestOrder<T extends Document>(documents: readonly T[]): T[] {
  const named = documents.flatMap(({ document }) => {
    const root = document?.root
    if (!root || !/assessment-?test$/i.test(root.name)) return []
    return allOf(root, 'assessmentItemRef', 'qti-assessment-item-ref').map(
      ({ attributes }) => attributes.href ?? '',
    )
  })
  const rank = new Map(named.map((href, index) => [baseName(href), index]))
  const rankOf = ({ file }: T) => rank.get(baseName(file.path)) ?? named.length
  return [...documents].sort((a, b) => rankOf(a) - rankOf(b))
}

/** Items are often all called the same in folders of their own. */
const baseName = (path: string) => path.split('/').slice(-2).join('/')

const shortPath = (path: string) => (path.length > 80 ? `…${path.slice(-79)}` : path)
