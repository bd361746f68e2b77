import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { parse as parseYaml } from 'yaml'
import { PAGE_SCHEMAS, type Page } from '../page-shapes.ts'

// The templates as blocks in reading order, and how each kind of block looks. The PDFs and the .docx
// files are made from the same blocks and the same figures, in typefaces of the same widths, so that
// what fits one page in the one fits one page in the other.

const ROOT = path.join(import.meta.dirname, '..', '..')
export const TEMPLATES_DIR = path.join(ROOT, 'app', 'web', 'public', 'templates')

/** Stands in the files instead of the clock, so that a rebuild gives the same bytes. */
export const MADE = new Date('2026-01-01T00:00:00Z')

/** The hints are advice beside the templates and stay out of them. */
type Source = Page<'templates'>

export type Kind = keyof typeof LOOKS

export interface Block {
  kind: Kind
  text: string
  /** stands in bold before the text */
  label?: string
  /** stands at the right edge of the line */
  dates?: string
}

export interface Template {
  /** of the two files, without the extension */
  name: 'cv-template' | 'cover-letter-template'
  title: string
  blocks: Block[]
}

/**
 * One kind of block; lengths in points. Space stands only before a block: a browser merges margins,
 * Word adds them. Heights are multiples of 0.75, a pixel, to which Chromium rounds each line.
 */
export interface Look {
  element: 'h1' | 'h2' | 'h3' | 'p' | 'li'
  size: number
  line: number
  before: number
  isBold?: boolean
  isItalic?: boolean
  isCentered?: boolean
  isRuled?: boolean
}

/** A4. What is printed also stays within the height of a Letter page, see LETTER_HEIGHT. */
export const PAGE = { width: 595.3, height: 841.9, top: 51, side: 57, bottom: 51 }
export const LETTER_HEIGHT = 792
export const BULLET_INDENT = 13
export const RULE_WIDTH = 0.75
export const LANGUAGE = 'en-US'

const CV = { size: 10.5, line: 13.5 }
const LETTER = { size: 11, line: 15 }
export const LOOKS = {
  name: { element: 'h1', size: 20, line: 24, before: 0, isBold: true, isCentered: true },
  contact: { element: 'p', size: 10, line: 13.5, before: 3, isCentered: true },
  heading: { element: 'h2', size: 12, line: 16.5, before: 12, isBold: true, isRuled: true },
  entry: { element: 'h3', ...CV, before: 6, isBold: true },
  place: { element: 'p', ...CV, before: 0, isItalic: true },
  bullet: { element: 'li', ...CV, before: 1.5 },
  labelled: { element: 'p', ...CV, before: 3 },
  letterDate: { element: 'p', ...LETTER, before: 27 },
  recipientFirst: { element: 'p', ...LETTER, before: 15 },
  recipient: { element: 'p', ...LETTER, before: 0 },
  subject: { element: 'p', ...LETTER, before: 21, isBold: true },
  paragraph: { element: 'p', ...LETTER, before: 10.5 },
  closing: { element: 'p', ...LETTER, before: 15 },
  signature: { element: 'p', ...LETTER, before: 33 },
} as const satisfies Record<string, Look>

export async function readTemplates(): Promise<Template[]> {
  const file = path.join(ROOT, 'content', 'pages', 'templates.yaml')
  const { cv, coverLetter } = PAGE_SCHEMAS.templates.parse(parseYaml(await readFile(file, 'utf8')))
  return [
    { name: 'cv-template', title: 'CV Template', blocks: listCvBlocks(cv) },
    {
      name: 'cover-letter-template',
      title: 'Cover Letter Template',
      blocks: listLetterBlocks(coverLetter),
    },
  ]
}

/** The text of a block as it is read aloud. */
export function readBlock({ label, text, dates }: Block): string {
  return [label, text, dates].filter(Boolean).join(' ')
}

function listCvBlocks({ name, contact, sections }: Source['cv']): Block[] {
  const blocks: Block[] = [
    { kind: 'name', text: name },
    { kind: 'contact', text: contact },
  ]
  for (const { heading, entries } of sections) {
    blocks.push({ kind: 'heading', text: heading })
    for (const { title, place, dates, bullets } of entries) {
      if (place === null && dates === null) {
        // No place and no dates: one line, 'Languages: …'.
        blocks.push({ kind: 'labelled', label: `${title}:`, text: bullets.join('; ') })
        continue
      }
      blocks.push({ kind: 'entry', text: title, dates: dates ?? undefined })
      if (place !== null) blocks.push({ kind: 'place', text: place })
      for (const bullet of bullets) blocks.push({ kind: 'bullet', text: bullet })
    }
  }
  return blocks
}

function listLetterBlocks(letter: Source['coverLetter']): Block[] {
  return [
    { kind: 'name', text: letter.name },
    { kind: 'contact', text: letter.contact },
    { kind: 'letterDate', text: letter.date },
    ...letter.recipient.map(
      (line, index): Block => ({ kind: index === 0 ? 'recipientFirst' : 'recipient', text: line }),
    ),
    { kind: 'subject', text: letter.subject },
    { kind: 'paragraph', text: letter.greeting },
    ...letter.paragraphs.map((paragraph): Block => ({ kind: 'paragraph', text: paragraph })),
    { kind: 'closing', text: letter.closing },
    { kind: 'signature', text: letter.signature },
  ]
}
