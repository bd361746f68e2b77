import { once } from 'node:events'
import { crc32, createDeflateRaw } from 'node:zlib'
import { Zip, type ZipInputFile } from 'fflate'
import { escapeHtml } from '../letter.ts'
import type { Writer } from './writer.ts'

/* Writes .xlsx files (ECMA-376, part 1) with numbers, and texts that stay text when edited. No formulas. */

export type Cell = string | number | boolean | null

export interface Sheet {
  /** at most 31 characters, without []:*?/\ */
  name: string
  columns: { label: string /** in characters */; width: number }[]
  rows: Iterable<Cell[]>
}
export type SheetHead = Omit<Sheet, 'rows'>

/** Maximum characters in a spreadsheet's cell. */
const CELL_LENGTH = 32_767
/** Indexes into styles.xml: plain, heading, and text that is never a formula. */
const STYLE = { plain: 0, heading: 1, text: 2 }

/** Levels above this one cost more time than they save bytes. */
const DEFLATE = { level: 3 }
/** Characters that are compressed in one go. */
const CHUNK_LENGTH = 256 * 1024

/**
 * Starts a workbook. It takes the rows of one sheet after another, and null after each sheet.
 * @param madeAt keeps the bytes of equal workbooks equal
 */
export function createWorkbook(
  heads: readonly SheetHead[],
  madeAt: Date,
): Writer<readonly Cell[] | null> {
  const chunks: Uint8Array[] = []
  const zip = new Zip((error, chunk) => {
    if (error) throw error
    chunks.push(chunk)
  })
  const open = (name: string) => openPart(zip, name, madeAt)
  const coming = heads.entries()
  function openNext() {
    const { done, value } = coming.next()
    if (!done) return openSheet(value[1], open(`xl/worksheets/sheet${value[0] + 1}.xml`))
  }
  let sheet = openNext()
  return {
    async add(row) {
      if (row) return sheet?.add(row)
      await sheet?.end()
      sheet = openNext()
    },
    async end() {
      const parts = {
        '[Content_Types].xml': contentTypes(heads.length),
        '_rels/.rels': relations([['officeDocument', 'xl/workbook.xml']]),
        'xl/workbook.xml': workbook(heads),
        'xl/_rels/workbook.xml.rels': relations([
          ...heads.map((_, at) => ['worksheet', `worksheets/sheet${at + 1}.xml`] as const),
          ['styles', 'styles.xml'],
        ]),
        'xl/styles.xml': STYLES,
      }
      for (const [name, xml] of Object.entries(parts)) {
        const part = open(name)
        await part.write(xml)
        await part.end()
      }
      zip.end()
      return Buffer.concat(chunks)
    },
  }
}

/** A file of the archive, compressed by zlib, which takes a fifth of the time of fflate. */
function openPart(zip: Zip, filename: string, mtime: Date) {
  const part: ZipInputFile = { filename, mtime, compression: 8, crc: 0, size: 0 }
  zip.add(part)
  const deflate = createDeflateRaw(DEFLATE)
  deflate.on('data', (chunk: Buffer<ArrayBuffer>) => part.ondata?.(null, chunk, false))
  return {
    async write(xml: string): Promise<void> {
      const bytes = Buffer.from(xml)
      part.crc = crc32(bytes, part.crc)
      part.size += bytes.length
      if (!deflate.write(bytes)) await once(deflate, 'drain')
    },
    async end(): Promise<void> {
      deflate.end()
      await once(deflate, 'end')
      part.ondata?.(null, new Uint8Array(), true)
    },
  }
}

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const KIND = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

const STYLES = `${HEAD}<styleSheet xmlns="${MAIN}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="3"><xf/><xf fontId="1" applyFont="1"/><xf numFmtId="49" applyNumberFormat="1" quotePrefix="1"/></cellXfs></styleSheet>`

function contentTypes(sheetCount: number): string {
  const sheets = Array.from(
    { length: sheetCount },
    (_, at) =>
      `<Override PartName="/xl/worksheets/sheet${at + 1}.xml" ContentType="${KIND}.worksheet+xml"/>`,
  ).join('')
  return `${HEAD}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${KIND}.sheet.main+xml"/>${sheets}<Override PartName="/xl/styles.xml" ContentType="${KIND}.styles+xml"/></Types>`
}

function relations(parts: readonly (readonly [kind: string, target: string])[]): string {
  const lines = parts.map(
    ([kind, target], at) =>
      `<Relationship Id="rId${at + 1}" Type="${RELATIONS}/${kind}" Target="${target}"/>`,
  )
  return `${HEAD}<Relationships xmlns="${PACKAGE}/relationships">${lines.join('')}</Relationships>`
}

function workbook(sheets: readonly SheetHead[]): string {
  const lines = sheets.map(
    ({ name }, at) => `<sheet name="${escapeXml(name)}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`,
  )
  return `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets>${lines.join('')}</sheets></workbook>`
}

/** Writes a sheet's rows below its headings. */
function openSheet({ columns }: SheetHead, part: ReturnType<typeof openPart>) {
  const widths = columns.map(
    ({ width }, at) => `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`,
  )
  const names = columns.map((_, at) => columnName(at))
  const rowOf = (line: number, cells: string) => `<row r="${line}">${cells}</row>`
  const headings = columns.map(({ label }, at) => textCell(label, `${names[at]}1`, STYLE.heading))
  let line = 1
  let xml = `${HEAD}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${widths.join('')}</cols><sheetData>${rowOf(1, headings.join(''))}`
  return {
    async add(row: readonly Cell[]): Promise<void> {
      line += 1
      let cells = ''
      for (let at = 0; at < row.length; at += 1) {
        cells += writeCell(row[at] as Cell, `${names[at]}${line}`)
      }
      xml += rowOf(line, cells)
      if (xml.length < CHUNK_LENGTH) return
      const chunk = xml
      xml = ''
      await part.write(chunk)
    },
    async end(): Promise<void> {
      await part.write(`${xml}</sheetData></worksheet>`)
      await part.end()
    },
  }
}

function writeCell(cell: Cell, place: string): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return `<c r="${place}"><v>${cell}</v></c>`
  if (typeof cell === 'boolean') return `<c r="${place}" t="b"><v>${cell ? 1 : 0}</v></c>`
  return textCell(cell, place, STYLE.text)
}

function textCell(text: string, place: string, style: number): string {
  const shown = escapeXml(text.slice(0, CELL_LENGTH))
  return `<c r="${place}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${shown}</t></is></c>`
}

/** Returns a column's name, such as 'A'. @param column from 0 */
function columnName(column: number): string {
  const high = Math.floor(column / 26)
  return `${high > 0 ? String.fromCharCode(64 + high) : ''}${String.fromCharCode(65 + (column % 26))}`
}

/** Drops what XML can't contain: control characters and unpaired surrogates. */
const escapeXml = (text: string) =>
  escapeHtml(text.replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, ''))
