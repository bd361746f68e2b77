import path from 'node:path'
import { PROJECT_DIR } from '../project-folder.ts'
import type { Writer } from './writer.ts'

/* Writes all printed A4 documents in our own fonts, in a separate thread (write-apart.ts). */

/** Each cell, and each line of a paragraph, is plain text. */
export type Block =
  | { kind: 'title'; text: string /** small text above the title */; small?: string }
  | { kind: 'heading'; text: string }
  | { kind: 'paragraph'; text: string; isQuiet?: boolean }
  | { kind: 'figures'; figures: { value: string; label: string }[] }
  | { kind: 'facts'; facts: { label: string; text: string }[] }
  | { kind: 'table'; columns: Column[]; rows: string[][] }

interface Column {
  label: string
  /** its share of the page's width, relative to all columns */
  parts: number
  isRight?: boolean
}

/** One document. Several in one file each start on a new page. */
export interface Leaf {
  title: string
  /** printed at the foot of each page */
  foot: string
  blocks: Block[]
}

const PAPER = { width: 595.28, height: 841.89, side: 56, top: 56, bottom: 64 }
const WIDTH = PAPER.width - 2 * PAPER.side
const INK = '#18222c'
const QUIET = '#55606b'
const LINE = '#ddd5c6'
const FONTS = {
  text: 'inter-regular.ttf',
  strong: 'inter-semibold.ttf',
  serif: 'newsreader-medium.ttf',
} as const

const FOLDER = path.join(PROJECT_DIR, 'platform', 'server', 'documents', 'fonts')

/** Starts a PDF of one or more documents. @param madeAt keeps the bytes of equal documents equal */
export async function createPdf({
  title,
  madeAt,
}: {
  title: string
  madeAt: Date
}): Promise<Writer<Leaf>> {
  // Imported here because a workbook doesn't need it, and loading it takes most of a thread's start.
  const { default: PdfKit } = await import('pdfkit')
  const pdf = new PdfKit({
    size: 'A4',
    margins: { left: PAPER.side, right: PAPER.side, top: PAPER.top, bottom: PAPER.bottom },
    autoFirstPage: false,
    bufferPages: true,
    lang: 'en',
    displayTitle: true,
    tagged: true,
    pdfVersion: '1.7',
    info: { Title: title, Creator: 'Superday', CreationDate: madeAt },
  })
  for (const [name, file] of Object.entries(FONTS)) pdf.registerFont(name, path.join(FOLDER, file))
  const done = new Promise<Uint8Array>((resolve, reject) => {
    const chunks: Buffer[] = []
    pdf.on('data', (chunk: Buffer) => chunks.push(chunk))
    pdf.on('end', () => resolve(Buffer.concat(chunks)))
    pdf.on('error', reject)
  })
  return {
    add(leaf) {
      writeLeaf(pdf, leaf)
      // Otherwise a thousand documents would fill the thread's memory.
      pdf.flushPages()
    },
    end() {
      pdf.end()
      return done
    },
  }
}

type Pdf = PDFKit.PDFDocument

function writeLeaf(pdf: Pdf, { blocks, foot }: Leaf): void {
  pdf.addPage()
  const { start: first } = pdf.bufferedPageRange()
  for (const block of blocks) WRITE[block.kind](pdf, block as never)
  const last = first + pdf.bufferedPageRange().count - 1
  for (let page = first; page <= last; page += 1) {
    pdf.switchToPage(page)
    writeFoot(pdf, foot, last === first ? null : `${page - first + 1} of ${last - first + 1}`)
  }
}

/** Screen readers skip the footer. */
function writeFoot(pdf: Pdf, foot: string, pages: string | null): void {
  const { bottom } = pdf.page.margins
  // Below the margin, the writer would start another page.
  pdf.page.margins.bottom = 0
  const y = PAPER.height - PAPER.bottom + 22
  pdf.markContent('Artifact', { type: 'Pagination' })
  pdf.font('text').fontSize(8).fillColor(QUIET)
  pdf.text(foot, PAPER.side, y, { width: WIDTH - 60, lineBreak: false, ellipsis: true })
  if (pages) pdf.text(pages, PAPER.side, y, { width: WIDTH, align: 'right', lineBreak: false })
  pdf.endMarkedContent()
  pdf.page.margins.bottom = bottom
}

const WRITE: {
  [Kind in Block['kind']]: (pdf: Pdf, block: Extract<Block, { kind: Kind }>) => void
} = {
  title(pdf, { text, small }) {
    if (small) {
      tagged(pdf, 'P', () =>
        pdf.font('text').fontSize(9.5).fillColor(QUIET).text(small, PAPER.side, pdf.y),
      )
      pdf.y += 8
    }
    tagged(pdf, 'H1', () =>
      pdf.font(headFont(text)).fontSize(25).fillColor(INK).text(text, PAPER.side, pdf.y),
    )
    pdf.moveDown(0.45)
  },
  heading(pdf, { text }) {
    room(pdf, 70)
    pdf.moveDown(1.1)
    tagged(pdf, 'H2', () =>
      pdf.font(headFont(text)).fontSize(15).fillColor(INK).text(text, PAPER.side, pdf.y),
    )
    pdf.y += 4
    rule(pdf, INK)
    pdf.y += 8
  },
  paragraph(pdf, { text, isQuiet }) {
    tagged(pdf, 'P', () =>
      pdf
        .font('text')
        .fontSize(10)
        .fillColor(isQuiet ? QUIET : INK)
        .text(text, PAPER.side, pdf.y, { width: WIDTH, lineGap: 2.5 }),
    )
    pdf.moveDown(0.6)
  },
  figures(pdf, { figures }) {
    room(pdf, 60)
    pdf.y += 6
    rule(pdf, INK)
    const [top, width] = [pdf.y + 10, WIDTH / Math.max(1, figures.length)]
    for (const [index, { value, label }] of figures.entries()) {
      const x = PAPER.side + index * width
      tagged(pdf, 'P', () => {
        pdf.font(headFont(value)).fontSize(24).fillColor(INK)
        pdf.text(value, x, top, { width: width - 10, lineBreak: false })
        pdf.font('text').fontSize(9).fillColor(QUIET)
        pdf.text(label, x, top + 30, { width: width - 10 })
      })
    }
    pdf.x = PAPER.side
    pdf.y = Math.max(pdf.y, top + 44) + 6
    rule(pdf, LINE)
    pdf.y += 12
  },
  facts(pdf, { facts }) {
    for (const { label, text } of facts) {
      pdf.font('text').fontSize(10)
      const inner = WIDTH - 120
      room(pdf, pdf.heightOfString(text, { width: inner, lineGap: 2 }) + 8)
      const top = pdf.y
      tagged(pdf, 'P', () => {
        pdf.fillColor(QUIET).text(label, PAPER.side, top, { width: 110 })
        const below = pdf.y
        pdf.fillColor(INK).text(text, PAPER.side + 120, top, { width: inner, lineGap: 2 })
        pdf.y = Math.max(pdf.y, below)
      })
      pdf.y += 4
    }
    pdf.x = PAPER.side
    pdf.moveDown(0.3)
  },
  table(pdf, { columns, rows }) {
    const parts = columns.reduce((sum, column) => sum + column.parts, 0)
    const widths = columns.map((column) => (column.parts / parts) * WIDTH)
    const inner = (at: number) => (widths[at] as number) - (at === columns.length - 1 ? 0 : 10)
    const line = (cells: readonly string[], isHead: boolean) => {
      pdf.font('text').fontSize(9)
      const heights = cells.map((cell, at) =>
        pdf.heightOfString(cell || ' ', { width: inner(at), lineGap: 1.5 }),
      )
      const height = Math.max(...heights) + 10
      room(pdf, height)
      const top = pdf.y + 5
      let x = PAPER.side
      tagged(pdf, 'P', () => {
        for (const [at, cell] of cells.entries()) {
          const width = inner(at)
          const align = columns[at]?.isRight ? ('right' as const) : ('left' as const)
          pdf.fillColor(isHead ? QUIET : INK).text(cell, x, top, { width, align, lineGap: 1.5 })
          x += widths[at] as number
        }
      })
      pdf.x = PAPER.side
      pdf.y = top + height - 5
      rule(pdf, LINE)
    }
    line(
      columns.map(({ label }) => label),
      true,
    )
    for (const row of rows) line(row, false)
    pdf.moveDown(0.8)
  },
}

/** Newsreader has only Latin letters, so a Greek or Cyrillic name uses the other font. */
const headFont = (text: string) =>
  /^[\u0020-\u024f\u1e00-\u1eff\u2010-\u203a€−]*$/u.test(text) ? 'serif' : 'strong'

/** Tags a block for screen readers. */
function tagged(pdf: Pdf, kind: 'H1' | 'H2' | 'P', write: () => void): void {
  const element = pdf.struct(kind, {}, () => void write())
  pdf.addStructure(element)
  element.end()
}

/** Starts another page if less than `height` points are left. */
function room(pdf: Pdf, height: number): void {
  if (pdf.y + height > PAPER.height - PAPER.bottom) pdf.addPage()
}

function rule(pdf: Pdf, color: string): void {
  pdf.markContent('Artifact', { type: 'Layout' })
  pdf
    .moveTo(PAPER.side, pdf.y)
    .lineTo(PAPER.side + WIDTH, pdf.y)
    .lineWidth(0.6)
    .strokeColor(color)
    .stroke()
  pdf.endMarkedContent()
}
