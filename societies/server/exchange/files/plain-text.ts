import { Parser } from 'htmlparser2'
import type { Notice } from '../../../questions/question-files.ts'
import { LONGEST } from '../../../questions/written-question.ts'
import type { Element } from './xml.ts'

/** A text of a question, and what was found on the way to it. */
export interface PlainText {
  text: string
  hasMedia: boolean
  notices: Notice[]
}

/** Characters; of a question or an option. */
const LONGEST_HTML = 200_000

const BLOCKS = new Set(
  'address article aside blockquote body center dd details div dl dt fieldset figure figcaption footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre prompt section table tbody tfoot thead tr ul'.split(
    ' ',
  ),
)
/** What they hold is no text for people. */
const SILENT = new Set(
  'script style template noscript iframe head title select textarea'.split(' '),
)
const MEDIA = new Set(
  'img image audio video object embed svg canvas math picture source'.split(' '),
)
const CODE = new Set(['script', 'iframe'])

const RAISED = '⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱ'
const LOWERED = '₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₙᵢ'
const PLAIN = '0123456789+-=()ni'

/** Gathers the text of HTML as it is read, and makes lines of its blocks. */
class Gatherer {
  private text = ''
  private silent = 0
  /** where a raised or lowered part began */
  private shifts: { isRaised: boolean; from: number }[] = []
  hasMedia = false
  readonly notices = new Set<Notice>()

  open(name: string): void {
    if (SILENT.has(name)) this.silent += 1
    if (CODE.has(name)) this.notices.add('script')
    if (MEDIA.has(name)) this.hasMedia = true
    if (name === 'table') this.notices.add('layout')
    if (name === 'br') this.text += '\n'
    if (name === 'td' || name === 'th') this.text += ' '
    if (name === 'sup' || name === 'sub')
      this.shifts.push({ isRaised: name === 'sup', from: this.text.length })
    if (BLOCKS.has(name)) this.text += '\n'
  }

  add(piece: string): void {
    if (this.silent === 0) this.text += piece.replace(/[ \t\r\n\f]+/g, ' ')
  }

  close(name: string): void {
    if (SILENT.has(name)) this.silent = Math.max(0, this.silent - 1)
    if (BLOCKS.has(name)) this.text += '\n'
    if (name === 'sup' || name === 'sub') this.shift()
  }

  private shift(): void {
    const part = this.shifts.pop()
    if (!part) return
    const inner = this.text.slice(part.from).trim()
    const signs = part.isRaised ? RAISED : LOWERED
    const shifted = [...inner].map((one) => signs[PLAIN.indexOf(one)] ?? null)
    let written = shifted.join('')
    if (shifted.includes(null)) {
      this.notices.add('layout')
      written = `${part.isRaised ? '^' : '_'}${inner.length > 1 ? `(${inner})` : inner}`
    }
    this.text = this.text.slice(0, part.from) + (inner === '' ? '' : written)
  }

  done(): PlainText {
    return { text: tidy(this.text), hasMedia: this.hasMedia, notices: [...this.notices] }
  }
}

/** The text of HTML; nothing of its markup stays, and no program in it. */
export function textOfHtml(html: string): PlainText {
  if (html.length > LONGEST_HTML) {
    // Pictures are written into HTML as text of this length. Otherwise no stem is: too long, read or not.
    return {
      text: tidy(html.slice(0, LONGEST.stem * 2)),
      hasMedia: /<img/i.test(html),
      notices: [],
    }
  }
  const gatherer = new Gatherer()
  const parser = new Parser({
    onopentagname: (name) => gatherer.open(name),
    ontext: (piece) => gatherer.add(piece),
    onclosetag: (name) => gatherer.close(name),
  })
  parser.end(html)
  return gatherer.done()
}

/**
 * The text of HTML that stands in XML as elements.
 * @param without elements that are left out with all that is in them
 */
export function textOfElements(
  elements: readonly (Element | string)[],
  without: (element: Element) => boolean = () => false,
): PlainText {
  const gatherer = new Gatherer()
  const walk = (children: readonly (Element | string)[]) => {
    for (const child of children) {
      if (typeof child === 'string') gatherer.add(child)
      else if (!without(child)) {
        gatherer.open(child.name)
        walk(child.children)
        gatherer.close(child.name)
      }
    }
  }
  walk(elements)
  return gatherer.done()
}

/** The same for what is text already. */
export function plainText(text: string): PlainText {
  return { text: tidy(text), hasMedia: false, notices: [] }
}

/** Whether somebody wrote HTML into a text of which its format says nothing. */
export function looksLikeHtml(text: string): boolean {
  return /<\/?(a|b|br|code|div|em|font|h[1-6]|i|img|li|ol|p|pre|script|span|strong|sub|sup|table|td|tr|u|ul)(\s[^<>]*)?\/?>/i.test(
    text,
  )
}

/**
 * A text as the screens show it: they draw several blanks as one, so that they mean nothing. Line breaks
 * stay, two at most.
 */
export function tidy(text: string): string {
  return text
    .replace(/\r\n?|\u2028|\u2029/g, '\n')
    .replace(/[ \t\f\v\u00a0]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}
