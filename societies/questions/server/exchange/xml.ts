import { SaxesParser } from 'saxes'
import { LIMITS, QuestionFileError } from './bytes.ts'

/** An element of an XML file, with names without prefix. */
export interface Element {
  name: string
  attributes: Record<string, string>
  children: (Element | string)[]
  /** from 1 */
  line: number
}

const HTML_ENTITIES: Record<string, string> = {
  ...{ nbsp: '\u00a0', ndash: '–', mdash: '—', hellip: '…', euro: '€', pound: '£', times: '×' },
  ...{ lsquo: '‘', rsquo: '’', ldquo: '“', rdquo: '”' },
}

/**
 * Parses an XML file into a tree. It fetches nothing, ignores document types, and rejects files that define entities.
 * A truncated file keeps its complete elements. Errors: QuestionFileError: entities, too_deep, too_many_elements,
 * broken_xml without a root.
 */
export function parseXml(text: string): { root: Element; isBroken: boolean } {
  const parser = new SaxesParser()
  Object.assign(parser.ENTITIES, HTML_ENTITIES)
  const top: Element = { name: '', attributes: {}, children: [], line: 1 }
  const open = [top]
  let elements = 0
  const add = (child: Element | string) => open.at(-1)?.children.push(child)
  parser.on('doctype', (doctype) => {
    if (/<!ENTITY|%/i.test(doctype)) throw new QuestionFileError('entities')
  })
  parser.on('opentag', ({ name, attributes }) => {
    elements += 1
    if (elements > LIMITS.xmlElements) throw new QuestionFileError('too_many_elements')
    if (open.length > LIMITS.xmlDepth) throw new QuestionFileError('too_deep')
    const named = Object.entries(attributes).map(([key, value]) => [localName(key), value])
    const own = { name: localName(name), attributes: Object.fromEntries(named) }
    const element: Element = { ...own, children: [], line: parser.line }
    add(element)
    open.push(element)
  })
  parser.on('closetag', () => void open.pop())
  parser.on('text', add)
  parser.on('cdata', add)
  parser.on('error', (error) => {
    throw error
  })
  let isBroken = false
  try {
    // The text is decoded by now. Some writers omit a space in the declaration.
    parser.write(text.replace(/^\s*<\?xml[^>\n]*\?>/, '')).close()
  } catch (error) {
    if (error instanceof QuestionFileError) throw error
    isBroken = true
    // The question where the file breaks off is incomplete.
    const at = open.findIndex(({ name }) => name === 'question' || name === 'item')
    open[at - 1]?.children.pop()
  }
  const [root] = top.children.filter((child) => typeof child !== 'string')
  if (!root) throw new QuestionFileError('broken_xml')
  return { root, isBroken }
}

const localName = (name: string) => name.slice(name.indexOf(':') + 1)

type Maybe = Element | null | undefined

export const childrenOf = (element: Maybe, name?: string): Element[] =>
  (element?.children ?? []).filter(
    (child): child is Element =>
      typeof child !== 'string' && (name === undefined || child.name === name),
  )

export const childOf = (element: Maybe, name: string) => childrenOf(element, name)[0] ?? null

export const allOf = (element: Maybe, ...names: string[]): Element[] =>
  childrenOf(element).flatMap((child) => [
    ...(names.includes(child.name) ? [child] : []),
    ...allOf(child, ...names),
  ])

export const rawText = (element: Maybe): string =>
  (element?.children ?? [])
    .map((child) => (typeof child === 'string' ? child : rawText(child)))
    .join('')
