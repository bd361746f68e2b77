import { SaxesParser } from 'saxes'
import { LIMITS, QuestionFileError } from '../question.ts'

/** An element of an XML file. Names are without prefix. */
export interface Element {
  name: string
  attributes: Record<string, string>
  children: (Element | string)[]
  /** from 1 */
  line: number
}

/** What people write in XML although only HTML knows it. */
const HTML_ENTITIES: Record<string, string> = {
  nbsp: '\u00a0',
  ndash: '–',
  mdash: '—',
  hellip: '…',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  euro: '€',
  pound: '£',
  times: '×',
}

/**
 * An XML file as a tree. Nothing is fetched and no entity of its own is expanded: a document type is
 * passed over, one that defines entities is refused. A file that breaks off keeps what was whole.
 * Errors: QuestionFileError: entities, too_deep, too_many_elements, broken_xml where not even a root stands.
 * @returns isBroken: it is not well-formed from some place on
 */
export function parseXml(text: string): { root: Element; isBroken: boolean } {
  const parser = new SaxesParser()
  Object.assign(parser.ENTITIES, HTML_ENTITIES)
  let root: Element | null = null
  let elements = 0
  const open: Element[] = []
  parser.on('doctype', (doctype) => {
    if (/<!ENTITY|%/i.test(doctype)) throw new QuestionFileError('entities')
  })
  parser.on('opentag', ({ name, attributes }) => {
    elements += 1
    if (elements > LIMITS.xmlElements) throw new QuestionFileError('too_many_elements')
    if (open.length >= LIMITS.xmlDepth) throw new QuestionFileError('too_deep')
    const element: Element = {
      name: localName(name),
      attributes: Object.fromEntries(
        Object.entries(attributes).map(([key, value]) => [localName(key), value]),
      ),
      children: [],
      line: parser.line,
    }
    if (open.length > 0) open.at(-1)?.children.push(element)
    else root = element
    open.push(element)
  })
  parser.on('closetag', () => {
    open.pop()
  })
  const addText = (piece: string) => {
    open.at(-1)?.children.push(piece)
  }
  parser.on('text', addText)
  parser.on('cdata', addText)
  let isBroken = false
  parser.on('error', (error) => {
    throw error
  })
  try {
    // Decoded by now; some writers leave out a blank in the declaration.
    parser.write(text.replace(/^\s*<\?xml[^>\n]*\?>/, '')).close()
  } catch (error) {
    if (error instanceof QuestionFileError) throw error
    isBroken = true
    // What was still open is not whole.
    dropUnfinished(open)
  }
  if (!root) throw new QuestionFileError('broken_xml')
  return { root, isBroken }
}

/** Takes the question out in which the file broke off. */
function dropUnfinished(open: readonly Element[]): void {
  const at = open.findIndex(isQuestion)
  const [around, question] = [open[at - 1], open[at]]
  if (around && question) around.children.splice(around.children.indexOf(question), 1)
}

const isQuestion = ({ name }: Element) => name === 'question' || name === 'item'

const localName = (name: string) => name.slice(name.indexOf(':') + 1)

/** The elements of a name right below. */
export function childrenOf(element: Element | null | undefined, name: string): Element[] {
  return (element?.children ?? []).filter(
    (child): child is Element => typeof child !== 'string' && child.name === name,
  )
}

/** The first element of a name right below, or null. */
export function childOf(element: Element | null | undefined, name: string): Element | null {
  return childrenOf(element, name)[0] ?? null
}

/** The elements of these names at any depth, in the order of the file. */
export function allOf(element: Element, ...names: string[]): Element[] {
  return element.children.flatMap((child) => {
    if (typeof child === 'string') return []
    const below = allOf(child, ...names)
    return names.includes(child.name) ? [child, ...below] : below
  })
}

/** All text below, as it stands. */
export function rawText(element: Element | null | undefined): string {
  return (element?.children ?? [])
    .map((child) => (typeof child === 'string' ? child : rawText(child)))
    .join('')
}
