import { Parser } from 'htmlparser2'
import type { Notice } from '../../question-files.ts'
import { CONTENT_LIMITS } from '../../written-question.ts'
import type { Element } from './xml.ts'

/** The plain text of a question, and a list of parts that were lost. */
export interface PlainText {
  text: string
  lost: ('media' | Notice)[]
}

/** Maximum characters of HTML in a question or an option. */
const LONGEST_HTML = 200_000

const namesIn = (names: string) => new Set(names.split(' '))
const BLOCKS = namesIn(
  'address article aside blockquote body center dd details div dl dt fieldset figure figcaption footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre prompt section table tbody tfoot thead tr ul',
)
/** The content of these elements is not readable text. */
const SILENT = namesIn('script style template noscript iframe head title select textarea')
const CODE = namesIn('script iframe')
const STRUCK = namesIn('s strike del')
const MEDIA = namesIn('img image audio video object embed svg canvas math picture source')

const PLAIN = '0123456789+-=()ni'
const SHIFTED: Record<string, { signs: string; mark: string }> = {
  sup: { signs: '⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱ', mark: '^' },
  sub: { signs: '₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₙᵢ', mark: '_' },
}

/**
 * Converts superscripts and subscripts: x² if Unicode has the characters, otherwise x^(a+b), which loses the
 * formatting.
 * @param name 'sup' or 'sub'
 */
export function shiftText(name: string, inner: string): { text: string; isLost: boolean } {
  const { signs = '', mark = '' } = SHIFTED[name] ?? {}
  const shifted = [...inner].map((one) => signs[PLAIN.indexOf(one)])
  if (!shifted.includes(undefined)) return { text: shifted.join(''), isLost: false }
  return { text: inner.length > 1 ? `${mark}(${inner})` : mark + inner, isLost: true }
}

const TAG = `/?(?:${[...BLOCKS, ...SILENT, ...MEDIA, ...STRUCK].join('|')}|a|b|br|code|em|font|i|iframe|small|span|strong|su[bp]|t[dh]|u)(?:\\s+[\\w:-]+\\s*=\\s*(?:"[^"]*"|'[^']*'|[^\\s"'<>]+))*\\s*/?>`
/** A '<' that doesn't start an HTML tag means less than: 'a<b and c>d' */
const NO_TAG = new RegExp(`<(?!${TAG}|!--)`, 'gi')

/** Finds HTML in a text without a declared format. */
const HTML = new RegExp(`<${TAG}`, 'i')

/** Collects text while HTML is parsed, and turns blocks into lines. */
function createGatherer() {
  let text = ''
  let silent = 0
  /** the text before each open <sup> and <sub> */
  const before: string[] = []
  const lost = new Set<PlainText['lost'][number]>()
  /** the next item number of each open list; null for unordered lists */
  const lists: ({ type: string; next: number } | null)[] = []
  return {
    open(name: string, attributes: Readonly<Record<string, string>>): void {
      if (name === 'ol')
        lists.push({ type: attributes.type ?? '1', next: Number(attributes.start ?? 1) })
      if (name === 'ul') lists.push(null)
      if (SILENT.has(name)) silent += 1
      if (CODE.has(name)) lost.add('script')
      if (MEDIA.has(name)) lost.add('media')
      if (name === 'table' || STRUCK.has(name)) lost.add('layout')
      if (name === 'td' || name === 'th') text += ' '
      if (name === 'br' || BLOCKS.has(name)) text += '\n'
      const list = lists.at(-1)
      if (name === 'li' && list) text += `${numberIn(list.type, list.next++)}. `
      if (!Object.hasOwn(SHIFTED, name)) return
      before.push(text)
      text = ''
    },
    add(piece: string): void {
      if (silent === 0) text += piece.replace(/[ \t\r\n\f]+/g, ' ')
    },
    close(name: string): void {
      if (SILENT.has(name)) silent = Math.max(0, silent - 1)
      if (BLOCKS.has(name)) text += '\n'
      if (name === 'ol' || name === 'ul') lists.pop()
      if (!Object.hasOwn(SHIFTED, name)) return
      const shift = shiftText(name, text.trim())
      text = (before.pop() ?? '') + shift.text
      if (shift.isLost) lost.add('layout')
    },
    done: (): PlainText => ({ text: tidy(text), lost: [...lost] }),
  }
}

/** Converts HTML to text. It drops all markup and scripts. */
export function textOfHtml(html: string): PlainText {
  if (html.length > LONGEST_HTML) {
    // Images can be embedded in HTML as text of this length. Other stems of this length are too long anyway.
    const text = tidy(html.slice(0, CONTENT_LIMITS.question * 2))
    return { text, lost: /<img/i.test(html) ? ['media'] : [] }
  }
  const { open, add, close, done } = createGatherer()
  new Parser({ onopentag: open, ontext: add, onclosetag: close }).end(html)
  return done()
}

/**
 * Converts HTML that is part of an XML tree.
 * @param without elements to leave out with their content
 */
export function textOfElements(
  elements: readonly (Element | string)[],
  without: (element: Element) => boolean = () => false,
): PlainText {
  const { open, add, close, done } = createGatherer()
  const walk = (child: Element | string) => {
    if (typeof child === 'string') add(child)
    else if (!without(child)) {
      open(child.name, child.attributes)
      child.children.forEach(walk)
      close(child.name)
    }
  }
  elements.forEach(walk)
  return done()
}

/** Formats a list number like HTML: 3, c, C, iii or III. */
function numberIn(type: string, number: number): string {
  const roman = (rest: number): string => {
    const [value, sign] = ROMAN.find(([least]) => least <= rest) ?? [0, '']
    return value > 0 ? sign + roman(rest - value) : ''
  }
  if (/^i$/i.test(type)) return type === 'i' ? roman(number) : roman(number).toUpperCase()
  if (!/^a$/i.test(type)) return String(number)
  return String.fromCharCode(type.charCodeAt(0) + ((number - 1) % 26))
}
const ROMAN = [
  [10, 'x'],
  [9, 'ix'],
  [5, 'v'],
  [4, 'iv'],
  [1, 'i'],
] as const

/**
 * Converts text without a declared format. It counts as HTML if it looks like it, or has only entities and they are
 * allowed.
 */
export function textOfAny(text: string, hasEntities: boolean): PlainText {
  if (HTML.test(text)) return textOfHtml(text.replace(NO_TAG, '&lt;'))
  return hasEntities && /&(?:[a-z]+|#\d+);/i.test(text)
    ? textOfHtml(text.replaceAll('<', '&lt;').replaceAll('\n', '<br>'))
    : plainText(text)
}

export const plainText = (text: string): PlainText => ({ text: tidy(text), lost: [] })

export const joinTexts = (texts: readonly PlainText[]): PlainText => ({
  text: texts.flatMap(({ text }) => text || []).join('\n'),
  lost: texts.flatMap(({ lost }) => lost),
})

/** Normalizes text for screens: single spaces and at most two line breaks. */
export const tidy = (text: string): string =>
  text
    .replace(/\r\n?|\u2028|\u2029/g, '\n')
    .replace(/[ \t\f\v\u00a0]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
