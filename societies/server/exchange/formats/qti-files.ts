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
import { readQtiItem } from './qti-2.ts'
import { readQti12 } from './qti-12.ts'

interface Parsed {
  root: Element
  /** it is not well-formed from some place on */
  isBroken: boolean
}

/** A QTI document by itself: QTI 1.2 with all questions, or an item of QTI 2. */
export function readQtiText(text: string): Found {
  const parsed = parseXml(text)
  const isBank = parsed.root.name === 'questestinterop'
  return {
    questions: readDocument(parsed, null) ?? [],
    notices: parsed.isBroken && isBank ? ['broken_off'] : [],
  }
}

/** A QTI package: a zip with its documents, in the order of the test where there is one. */
export function readQtiZip(zip: ZipFiles): Found {
  const documents = [...zip.values()]
    // What a Mac adds to a zip bears the names of the real ones.
    .filter(({ path }) => /\.(xml|dat)$/i.test(path) && !/^__MACOSX\//.test(path))
    .map(({ path, read }) => ({ path, parsed: tryParse(read()) }))
  const questions: FoundQuestion[] = []
  let isQti = false
  for (const { path, parsed } of inTestOrder(documents)) {
    const found = parsed && readDocument(parsed, path)
    if (found) {
      isQti = true
      questions.push(...found)
    } else if (!parsed && !/imsmanifest|meta|context|settings/.test(path)) {
      // Of what is no XML nobody knows whether it was a question.
      questions.push(flawedQuestion(shortPath(path), 'unreadable'))
    }
    requireFewQuestions(questions.length)
  }
  const hasZips = [...zip.keys()].some((path) => path.toLowerCase().endsWith('.zip'))
  if (!isQti) throw new QuestionFileError(hasZips ? 'only_zips' : 'unknown_format')
  return { questions, notices: hasZips ? ['zips_inside'] : [] }
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

/** Null for what is no QTI. @param path in the zip */
function readDocument({ root, isBroken }: Parsed, path: string | null): FoundQuestion[] | null {
  const placeOf = (line: number) =>
    path === null ? `line ${line}` : `${shortPath(path)}, line ${line}`
  if (root.name === 'questestinterop') return readQti12(root, placeOf)
  if (root.name !== 'assessmentItem') return null
  const place = path === null ? placeOf(root.line) : shortPath(path)
  if (!isBroken) return [readQtiItem(root, place)]
  return [flawedQuestion(place, 'unreadable', tidy(rawText(root)).slice(0, 100))]
}

/** Items in the order in which the test names them; the others as they lie in the zip. */
function inTestOrder<T extends { path: string; parsed: Parsed | null }>(documents: T[]): T[] {
  const named = documents.flatMap(({ parsed }) =>
    parsed?.root.name === 'assessmentTest'
      ? allOf(parsed.root, 'assessmentItemRef').map(({ attributes }) => attributes.href ?? '')
      : [],
  )
  const rank = new Map(named.map((href, index) => [baseName(href), index]))
  const rankOf = ({ path }: T) => rank.get(baseName(path)) ?? named.length
  return documents.sort((a, b) => rankOf(a) - rankOf(b))
}

/** Items are often all called the same in folders of their own. */
const baseName = (path: string) => path.split('/').slice(-2).join('/')

const shortPath = (path: string) => (path.length > 80 ? `…${path.slice(-79)}` : path)
