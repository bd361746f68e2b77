import { decodeText } from '../files/decode.ts'
import { QuestionFileError } from '../files/limits.ts'
import type { ZipFiles } from '../files/unzip.ts'
import { allOf, type ParsedXml, parseXml, rawText } from '../files/xml.ts'
import { type Found, type FoundQuestion, flawedQuestion } from '../question.ts'
import { readQtiItem } from './qti-2.ts'
import { readQti12 } from './qti-12.ts'

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
  const documents = [...zip]
    // What a Mac adds to a zip bears the names of the real ones.
    .filter(([path]) => /\.(xml|dat)$/i.test(path) && !/^__MACOSX\//.test(path))
    .map(([path, unpack]) => ({ path, parsed: tryParse(unpack()) }))
  const read = inTestOrder(documents).flatMap(({ path, parsed }) => {
    // Of what is no XML nobody knows whether it was a question.
    if (!parsed) return { isQti: false, questions: unreadable(path) }
    const questions = readDocument(parsed, path)
    return questions ? { isQti: true, questions } : []
  })
  const hasZips = [...zip.keys()].some((path) => path.toLowerCase().endsWith('.zip'))
  if (!read.some(({ isQti }) => isQti)) {
    throw new QuestionFileError(hasZips ? 'only_zips' : 'unknown_format')
  }
  return {
    questions: read.flatMap(({ questions }) => questions),
    notices: hasZips ? ['zips_inside'] : [],
  }
}

const unreadable = (path: string): FoundQuestion[] =>
  /imsmanifest|meta|context|settings/.test(path)
    ? []
    : [flawedQuestion(shortPath(path), 'unreadable')]

/** Null for what is no XML; a file that defines entities or is too deep stops everything. */
function tryParse(bytes: Buffer): ParsedXml | null {
  try {
    return parseXml(decodeText(bytes).text)
  } catch (error) {
    if (!(error instanceof QuestionFileError)) throw error
    if (error.problem === 'broken_xml' || error.problem === 'unknown_encoding') return null
    throw error
  }
}

/** Null for what is no QTI. @param path in the zip */
function readDocument({ root, isBroken }: ParsedXml, path: string | null): FoundQuestion[] | null {
  const within = path === null ? '' : `${shortPath(path)}, `
  if (root.name === 'questestinterop') {
    return readQti12(root, (line) => `${within}line ${line}`)
  }
  if (root.name !== 'assessmentItem') return null
  const place = path === null ? `line ${root.line}` : shortPath(path)
  if (!isBroken) return [readQtiItem(root, place)]
  return [flawedQuestion(place, 'unreadable', rawText(root).trim().slice(0, 100))]
}

/** Items in the order in which the test names them; the others as they lie in the zip. */
function inTestOrder<T extends { path: string; parsed: ParsedXml | null }>(documents: T[]): T[] {
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
