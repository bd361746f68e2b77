import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { parse as parseYaml } from 'yaml'
import { PAGE_SCHEMAS, type Page } from '../page-shapes.ts'

// The templates as blocks in reading order, and each block's look. PDF and .docx files share blocks, sizes and font
// widths, so both fit on one page.

const ROOT = path.join(import.meta.dirname, '..', '..')
export const TEMPLATES_DIR = path.join(ROOT, 'app', 'web', 'public', 'templates')

/** A fixed date in the files, so that a rebuild gives the same bytes. */
export const MADE = new Date('2026-01-01T00:00:00Z')

/** The hints are shown next to the templates and aren't part of them. */
type Source = Page<'specimens'>
type Printed = Pick<Source, 'cv' | 'coverLetter'>

export type Kind = keyof typeof LOOKS

export interface Block {
  kind: Kind
  text: string
  /** bold text before the text */
  label?: string
  /** text at the right edge of the line */
  dates?: string
}

export interface Template {
  /** its file name without the extension */
  name: string
  title: string
  paper: Paper
  /** meant for editing, so a .docx is built too */
  isBlank: boolean
  blocks: Block[]
}

/** One kind of block, with lengths in points. Heights are multiples of a pixel (0.75), because Chromium rounds. */
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

/** The paper sizes in points, and the file name's suffix for each. */
export const PAPERS = {
  a4: { name: 'A4', suffix: '', width: 595.3, height: 841.9 },
  letter: { name: 'US Letter', suffix: '-us-letter', width: 612, height: 792 },
} as const
export type Paper = keyof typeof PAPERS

/** The same on both papers, so that lines break alike. */
export const TEXT = { width: 481.3, height: 690, top: 51 }
/** The left and right margin, which centers the text. */
export const sideOf = (paper: Paper): number => (PAPERS[paper].width - TEXT.width) / 2
export const BULLET_INDENT = 13
export const RULE_WIDTH = 0.75
export const LANGUAGE = 'en-US'

const CV = { size: 10.5, line: 13.5 }
const LETTER = { size: 11, line: 15 }
export const LOOKS = {
  mark: { element: 'p', size: 9, line: 12, before: 0, isItalic: true, isCentered: true },
  name: { element: 'h1', size: 20, line: 24, before: 0, isBold: true, isCentered: true },
  contact: { element: 'p', size: 10, line: 13.5, before: 3, isCentered: true },
  heading: { element: 'h2', size: 12, line: 16.5, before: 12, isBold: true, isRuled: true },
  entry: { element: 'h3', ...CV, before: 6, isBold: true },
  place: { element: 'p', ...CV, before: 0, isItalic: true },
  bullet: { element: 'li', ...CV, before: 1.5 },
  labeled: { element: 'p', ...CV, before: 3 },
  letterDate: { element: 'p', ...LETTER, before: 27 },
  recipientFirst: { element: 'p', ...LETTER, before: 15 },
  recipient: { element: 'p', ...LETTER, before: 0 },
  subject: { element: 'p', ...LETTER, before: 21, isBold: true },
  paragraph: { element: 'p', ...LETTER, before: 10.5 },
  closing: { element: 'p', ...LETTER, before: 15 },
  signature: { element: 'p', ...LETTER, before: 33 },
} as const satisfies Record<string, Look>

/** Differences in the United States: city and state, the GPA, the employer before the role. */
const IN_US: [written: RegExp, there: string][] = [
  [/\[City, Country\]/g, '[City, State]'],
  [/^Grade: \[GPA or average\] of \[maximum\]/, 'GPA: [3.xx]/4.00'],
  [/^(\[Job title\]|\[Role\]), (.+)$/, '$2, $1'],
]

/** Both templates and both specimens, each on both papers. */
export async function readTemplates(): Promise<Template[]> {
  const blank = PAGE_SCHEMAS.templates.parse(await readPage('templates'))
  const specimens = PAGE_SCHEMAS.specimens.parse(await readPage('specimens'))
  const mark: Block = { kind: 'mark', text: specimens.mark }
  return (Object.keys(PAPERS) as Paper[]).flatMap((paper) => [
    ...listTemplates(blank, paper, 'Template', []),
    ...listTemplates(specimens, paper, 'Specimen', [mark]),
  ])
}

async function readPage(name: string): Promise<unknown> {
  return parseYaml(await readFile(path.join(ROOT, 'content', 'pages', `${name}.yaml`), 'utf8'))
}

function listTemplates(
  { cv, coverLetter }: Printed,
  paper: Paper,
  kind: 'Template' | 'Specimen',
  before: Block[],
): Template[] {
  return [
    { of: 'CV', blocks: listCvBlocks(cv) },
    { of: 'Cover Letter', blocks: listLetterBlocks(coverLetter) },
  ].map(({ of, blocks }) => {
    const title = `${of} ${kind}`
    return {
      name: title.toLowerCase().replaceAll(' ', '-') + PAPERS[paper].suffix,
      title,
      paper,
      isBlank: kind === 'Template',
      blocks: [...before, ...(paper === 'letter' ? blocks.map(toUs) : blocks)],
    }
  })
}

const toUs = (block: Block): Block => ({
  ...block,
  text: IN_US.reduce((text, [written, there]) => text.replace(written, there), block.text),
})

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
        // Without place and dates it becomes one line, 'Languages: …'.
        blocks.push({ kind: 'labeled', label: `${title}:`, text: bullets.join('; ') })
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
