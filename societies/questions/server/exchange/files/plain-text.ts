import { Parser } from 'htmlparser2'
import type { Notice } from '../../../question-files.ts'
import { LONGEST } from '../../../written-question.ts'
import type { Element } from './xml.ts'

/** A text of a question, and what could not become text. */
export interface PlainText {
  text: string
  lost: ('media' | Notice)[]
}

/** Characters; of a question or an option. */
const LONGEST_HTML = 200_000

const namesIn = (names: string) => new Set(names.split(' '))
const BLOCKS = namesIn(
  'address article aside blockquote body center dd details div dl dt fieldset figure figcaption footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre prompt section table tbody tfoot thead tr ul',
)
/** What they hold is no text for people. */
const SILENT = namesIn('script style template noscript iframe head title select textarea')
const CODE = namesIn('script iframe')
const MEDIA = namesIn('img image audio video object embed svg canvas math picture source')

const PLAIN = '0123456789+-=()ni'
const SHIFTED = {
  sup: { signs: '⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱ', mark: '^' },
  sub: { signs: '₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₙᵢ', mark: '_' },
}
const isShift = (name: string): name is keyof typeof SHIFTED => Object.hasOwn(SHIFTED, name)

/** Gathers the text of HTML as it is read, and makes lines of its blocks. */
class Gatherer {
  #text = ''
  #silent = 0
  /** the texts before each open <sup> and <sub> */
  readonly #before: string[] = []
  readonly #lost = new Set<PlainText['lost'][number]>()

  readonly open = (name: string): void => {
    if (SILENT.has(name)) this.#silent += 1
    if (CODE.has(name)) this.#lost.add('script')
    if (MEDIA.has(name)) this.#lost.add('media')
    if (name === 'table') this.#lost.add('layout')
    if (name === 'td' || name === 'th') this.#text += ' '
    if (name === 'br' || BLOCKS.has(name)) this.#text += '\n'
    if (isShift(name)) {
      this.#before.push(this.#text)
      this.#text = ''
    }
  }

  readonly add = (piece: string): void => {
    if (this.#silent === 0) this.#text += piece.replace(/[ \t\r\n\f]+/g, ' ')
  }

  readonly close = (name: string): void => {
    if (SILENT.has(name)) this.#silent = Math.max(0, this.#silent - 1)
    if (BLOCKS.has(name)) this.#text += '\n'
    if (isShift(name)) this.#text = (this.#before.pop() ?? '') + this.#shift(name)
  }

  /** x² where there are such signs, else x^(a+b). */
  #shift(name: keyof typeof SHIFTED): string {
    const { signs, mark } = SHIFTED[name]
    const inner = this.#text.trim()
    const shifted = [...inner].map((one) => signs[PLAIN.indexOf(one)])
    if (!shifted.includes(undefined)) return shifted.join('')
    this.#lost.add('layout')
    return inner.length > 1 ? `${mark}(${inner})` : mark + inner
  }

  done(): PlainText {
    return { text: tidy(this.#text), lost: [...this.#lost] }
  }
}

/** The text of HTML; nothing of its markup stays, and no program in it. */
export function textOfHtml(html: string): PlainText {
  if (html.length > LONGEST_HTML) {
    // Pictures are written into HTML as text of this length. Otherwise no stem is: too long, read or not.
    const lost: PlainText['lost'] = /<img/i.test(html) ? ['media'] : []
    return { text: tidy(html.slice(0, LONGEST.stem * 2)), lost }
  }
  const gatherer = new Gatherer()
  const { open, add, close } = gatherer
  new Parser({ onopentagname: open, ontext: add, onclosetag: close }).end(html)
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
export const plainText = (text: string): PlainText => ({ text: tidy(text), lost: [] })

/** Some texts below each other. */
export const joinTexts = (texts: readonly PlainText[]): PlainText => ({
  text: texts.flatMap(({ text }) => text || []).join('\n'),
  lost: texts.flatMap(({ lost }) => lost),
})

/** Whether somebody wrote HTML into a text of which its format says nothing. */
export const looksLikeHtml = (text: string): boolean =>
  /<\/?(a|b|br|code|div|em|font|h[1-6]|i|img|li|ol|p|pre|script|span|strong|sub|sup|table|td|tr|u|ul)(\s[^<>]*)?\/?>/i.test(
    text,
  )

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
