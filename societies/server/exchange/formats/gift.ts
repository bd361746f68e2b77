import { OPTION_LETTERS } from '../../../../platform/option-letters.ts'
import { looksLikeHtml, type PlainText, plainText, textOfHtml } from '../files/plain-text.ts'
import {
  type Found,
  type FoundOption,
  type FoundQuestion,
  flawedQuestion,
  type Question,
} from '../question.ts'
import { categoryOf } from './category.ts'

/*
 * GIFT: '::title:: stem {=right #why ~wrong #why ####explanation}', questions apart by an empty line. What
 * has a meaning is written behind a backslash to have none.
 */

/** Escaped signs while a text is taken apart; no file holds these. */
const HIDDEN = '\\:#={}~n'
const BASE = 0xe000
const SHOWN = '\\:#={}~\n'
const FORMATS: Record<string, TextFormat> = { html: 'html', plain: 'plain', markdown: 'plain' }
const hide = (sign: string) => String.fromCharCode(BASE + HIDDEN.indexOf(sign))

/** Whether a text is likely to be GIFT: a title, a category, or braces that begin as answers do. */
export function looksLikeGift(text: string): boolean {
  return (
    /^\s*(::|\$CATEGORY:)/m.test(text) ||
    /(^|[^\\])\{\s*([=~#}]|(T|F|TRUE|FALSE)\s*[}#])/.test(text)
  )
}

interface Block {
  line: number
  text: string
  category: string
}

/** The questions of a GIFT file, each read by itself. */
export function readGift(text: string): Found {
  return { questions: splitBlocks(text).flatMap(readBlock), notices: [] }
}

/** Questions stand apart by empty lines; an empty line in an answer does not end one. */
function splitBlocks(text: string): Block[] {
  const blocks: Block[] = []
  let block: { line: number; lines: string[] } | null = null
  const end = () => {
    if (block) blocks.push({ line: block.line, text: block.lines.join('\n'), category })
    block = null
  }
  let category = ''
  let isOpen = false
  for (const [index, line] of text.split(/\r\n?|\n/).entries()) {
    const [, named] = /^\s*\$CATEGORY:(.*)$/.exec(line) ?? []
    if (named !== undefined) {
      // Of the questions that follow: the one before ends here, with an empty line or without.
      if (!isOpen) end()
      category = categoryOf(named)
    }
    if (named !== undefined || /^\s*\/\//.test(line)) continue
    if (line.trim() === '') {
      if (isOpen) block?.lines.push('')
      else end()
      continue
    }
    const braces = bracesOf(line)
    const opens = braces.indexOf('{')
    // A question that begins while the one before is open: that one's brace is missing.
    const startsAnew =
      /^\s*::/.test(line) || (opens !== -1 && !braces.slice(0, opens).includes('}'))
    if (isOpen && startsAnew) {
      end()
      isOpen = false
    }
    block ??= { line: index + 1, lines: [] }
    block.lines.push(line)
    if (braces.length > 0) isOpen = braces.at(-1) === '{'
  }
  end()
  return blocks
}

/** The braces of a line that have a meaning, in their order. */
const bracesOf = (line: string) => line.replace(/\\./g, '').replace(/[^{}]/g, '')

/** Characters that stand for escaped ones must not come from outside. */
const PRIVATE = new RegExp(
  `[${String.fromCharCode(BASE)}-${String.fromCharCode(BASE + HIDDEN.length)}]`,
)

function readBlock({ line, text, category }: Block): FoundQuestion[] {
  const place = `line ${line}`
  if (PRIVATE.test(text)) return [flawedQuestion(place, 'hidden_characters')]
  let rest = text.replace(/\\([\\:#={}~n])/g, (_, sign: string) => hide(sign)).trim()
  const [titled] = /^::[\s\S]*?::/.exec(rest) ?? []
  rest = rest.slice(titled?.length ?? 0)
  const from = rest.indexOf('{')
  const isUnclosed = from !== -1 && !rest.includes('}')
  // What stands behind a brace that is never closed is read all the same: on the page somebody looks at it.
  const to = isUnclosed ? rest.length : rest.lastIndexOf('}')
  if (from === -1 && to === -1) return [flawedQuestion(place, 'no_question', textIn(rest).text)]
  const inner = rest.slice(from + 1, to)
  if (from === -1 || to < from || /[{}]/.test(inner)) {
    // Several gaps are a cloze text in some dialects; otherwise a brace is missing.
    return [flawedQuestion(place, 'unreadable', textIn(rest.slice(0, 200)).text)]
  }
  const behind = rest.slice(to + 1).trim()
  const stem = textIn(behind === '' ? rest.slice(0, from) : `${rest.slice(0, from)}_____ ${behind}`)
  const answers = readAnswers(inner.trim(), stem)
  const flaw = isUnclosed ? 'unreadable' : answers.flaw
  return [{ place, ...answers, flaw, stem: stem.text, category }]
}

function readAnswers(answers: string, stem: PlainText & { said: TextFormat }) {
  const nothing = { options: [], explanation: '', notices: [] }
  const [all = '', ...general] = answers.split('####')
  const body = all.trim()
  if (body === '') return { ...nothing, flaw: 'essay' as const }
  if (body.startsWith('#')) return { ...nothing, flaw: 'numerical' as const }
  if (/^(T|F|TRUE|FALSE)(#|$)/i.test(body)) return { ...nothing, flaw: 'true_false' as const }
  if (!body.includes('~')) {
    if (!body.includes('=')) return { ...nothing, flaw: 'unreadable' as const }
    const flaw = body.includes('->') ? ('matching' as const) : ('short_answer' as const)
    return { ...nothing, flaw }
  }
  const explanation = textIn(general.join(' '), stem.said)
  const parts = body.match(/[=~][^=~]*/g) ?? []
  const read = parts.map((part) => readOption(part, stem.said))
  const texts: PlainText[] = [stem, explanation, ...read.flatMap(({ texts }) => texts)]
  const isWhole = /^[=~]/.test(body) && read.every(({ option }) => option !== null)
  const hasMedia = texts.some((one) => one.hasMedia)
  return {
    options: read.flatMap(({ option }) => option ?? []),
    explanation: explanation.text,
    flaw: isWhole ? (hasMedia ? ('media' as const) : null) : ('unreadable' as const),
    notices: texts.flatMap(({ notices }) => notices),
  }
}

function readOption(
  part: string,
  before: TextFormat,
): { option: FoundOption | null; texts: PlainText[] } {
  const [, sign, weight, rest = ''] = /^([=~])\s*(?:%(-?[\d.]+)%)?([\s\S]*)$/.exec(part) ?? []
  const credit = weight === undefined ? (sign === '=' ? 100 : 0) : Number(weight)
  if (!Number.isFinite(credit)) return { option: null, texts: [] }
  const [written = '', ...why] = rest.split('#')
  const text = textIn(written, before)
  const feedback = textIn(why.join('#'), before)
  return {
    option: { text: text.text, credit, feedback: feedback.text },
    texts: [text, feedback],
  }
}

type TextFormat = 'html' | 'plain' | null

/**
 * A text with its format in brackets before it, or as HTML where it looks so.
 * @param before what the stem said, which holds for what says nothing
 */
function textIn(written: string, before: TextFormat = null): PlainText & { said: TextFormat } {
  const [marker = '', format] = /^\s*\[(html|moodle|plain|markdown)\]/i.exec(written) ?? []
  const shown = written
    .slice(marker.length)
    .replace(/[\ue000-\ue008]/g, (one) => SHOWN[one.charCodeAt(0) - BASE] ?? '')
  const said = format === undefined ? before : (FORMATS[format.toLowerCase()] ?? null)
  const isHtml = said === 'html' || (said === null && looksLikeHtml(shown))
  return { ...(isHtml ? textOfHtml(shown) : plainText(shown)), said }
}

/** A question in GIFT. */
export function writeGift(
  { question, options, answer, explanation, why }: Question,
  number: number,
) {
  const answers = OPTION_LETTERS.map((letter) => {
    const because = why[letter]
    return `  ${letter === answer ? '=' : '~'}${plain(options[letter])}${because ? `#${plain(because)}` : ''}`
  })
  if (explanation) answers.push(`  ####${plain(explanation)}`)
  return `::${number}::[plain]${escapeGift(question)} {\n${answers.join('\n')}\n}\n`
}

/** Says of each text that it is plain: one that begins with '%50%' or '[html]' is no more than that. */
const plain = (text: string) => `[plain]${escapeGift(text)}`

const escapeGift = (text: string) =>
  text.replace(/[\\:#={}~]/g, (sign) => `\\${sign}`).replaceAll('\n', '\\n')
