import { strToU8, zipSync } from 'fflate'
import { escapeHtml } from '../letter.ts'

/* Writes .xlsx files (ECMA-376, part 1) with numbers, and texts that stay text when edited. No formulas. */

export type Cell = string | number | boolean | null

export interface Sheet {
  /** at most 31 characters, without []:*?/\ */
  name: string
  columns: { label: string /** in characters */; width: number }[]
  rows: Cell[][]
}

/** Maximum characters in a spreadsheet's cell. */
const CELL_LENGTH = 32_767
/** Indexes into styles.xml: plain, heading, and text that is never a formula. */
const STYLE = { plain: 0, heading: 1, text: 2 }

/** Returns the workbook's bytes. @param madeAt keeps the bytes of equal workbooks equal */
export function writeWorkbook(sheets: readonly Sheet[], madeAt: Date): Uint8Array {
  const parts: Record<string, string> = {
    '[Content_Types].xml': contentTypes(sheets.length),
    '_rels/.rels': relations([['officeDocument', 'xl/workbook.xml']]),
    'xl/workbook.xml': workbook(sheets),
    'xl/_rels/workbook.xml.rels': relations([
      ...sheets.map((_, at) => ['worksheet', `worksheets/sheet${at + 1}.xml`] as const),
      ['styles', 'styles.xml'],
    ]),
    'xl/styles.xml': STYLES,
  }
  for (const [at, sheet] of sheets.entries()) {
    parts[`xl/worksheets/sheet${at + 1}.xml`] = writeSheet(sheet)
  }
  return zipSync(
    Object.fromEntries(Object.entries(parts).map(([name, xml]) => [name, strToU8(xml)])),
    { mtime: madeAt, level: 6 },
  )
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

function workbook(sheets: readonly Sheet[]): string {
  const lines = sheets.map(
    ({ name }, at) => `<sheet name="${escapeXml(name)}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`,
  )
  return `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets>${lines.join('')}</sheets></workbook>`
}

function writeSheet({ columns, rows }: Sheet): string {
  const widths = columns.map(
    ({ width }, at) => `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`,
  )
  const lines = [
    columns.map(({ label }, at) => textCell(label, placeOf(at, 1), STYLE.heading)).join(''),
    ...rows.map((row, line) =>
      row.map((cell, at) => writeCell(cell, placeOf(at, line + 2))).join(''),
    ),
  ]
  const data = lines.map((cells, line) => `<row r="${line + 1}">${cells}</row>`)
  return `${HEAD}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${widths.join('')}</cols><sheetData>${data.join('')}</sheetData></worksheet>`
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

/** Returns a cell's name, such as 'A1'. @param column from 0 */
function placeOf(column: number, row: number): string {
  const high = Math.floor(column / 26)
  return `${high > 0 ? String.fromCharCode(64 + high) : ''}${String.fromCharCode(65 + (column % 26))}${row}`
}

/** Drops what XML can't contain: control characters and unpaired surrogates. */
const escapeXml = (text: string) =>
  escapeHtml(text.replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, ''))
