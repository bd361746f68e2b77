import { QuestionFileError, type ZipFiles } from './bytes.ts'
import { allOf, childOf, childrenOf, type Element, parseXml, rawText } from './xml.ts'

export interface Cell {
  text: string
  /** 'formula': what is shown is computed; 'shaped': shown in another form than it is stored */
  oddity: 'formula' | 'shaped' | null
}

export const EMPTY_CELL: Cell = { text: '', oddity: null }

export const isFilled = ({ text, oddity }: Cell): boolean => text.trim() !== '' || oddity !== null

/** Further right nobody writes a question. */
const MOST_COLUMNS = 100

/** The filled sheets of an .xlsx file, in its order. Errors: QuestionFileError when it is damaged. */
export function readSheets(files: ZipFiles) {
  const workbook = xmlOf(files, 'xl/workbook.xml')
  const relations = xmlOf(files, 'xl/_rels/workbook.xml.rels')
  if (!workbook || !relations) throw new QuestionFileError('damaged_zip')
  const targets = new Map(
    childrenOf(relations, 'Relationship').map(({ attributes: { Id, Target } }) => [Id, Target]),
  )
  const texts = childrenOf(xmlOf(files, 'xl/sharedStrings.xml'), 'si').map(textOf)
  /** the number format of each style */
  const formats = childrenOf(childOf(xmlOf(files, 'xl/styles.xml'), 'cellXfs'), 'xf').map(
    ({ attributes }) => attributes.numFmtId ?? '0',
  )
  return childrenOf(childOf(workbook, 'sheets'), 'sheet').flatMap(({ attributes }) => {
    const target = targets.get(attributes.id ?? '')
    const sheet = target && xmlOf(files, target.startsWith('/') ? target.slice(1) : `xl/${target}`)
    const rows = sheet ? readRows(sheet, (cell) => readCell(cell, texts, formats)) : []
    return rows.length > 0 ? { name: attributes.name ?? '', rows } : []
  })
}

function xmlOf(files: ZipFiles, path: string): Element | null {
  const unpack = files.get(path)
  if (!unpack) return null
  const { root, isBroken } = parseXml(unpack().toString('utf8'))
  if (isBroken) throw new QuestionFileError('damaged_zip')
  return root
}

/** Without the reading aids of Japanese texts. */
const textOf = (element: Element): string =>
  childrenOf(element)
    .filter(({ name }) => name !== 'rPh')
    .map((child) => (child.name === 't' ? rawText(child) : textOf(child)))
    .join('')

/** The rows that hold something, numbered as the spreadsheet does it, from 1. */
function readRows(sheet: Element, read: (cell: Element) => Cell) {
  let number = 0
  return allOf(sheet, 'row').flatMap((row) => {
    number = Number(row.attributes.r ?? number + 1)
    const cells: Cell[] = []
    for (const cell of childrenOf(row, 'c')) {
      // 'C7' is in column 2.
      const [letters] = /^[A-Z]{1,3}/.exec(cell.attributes.r ?? '') ?? []
      const column = letters
        ? [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
        : cells.length
      if (column >= MOST_COLUMNS) continue
      while (cells.length < column) cells.push(EMPTY_CELL)
      cells[column] = read(cell)
    }
    return cells.some(isFilled) ? { number, cells } : []
  })
}

function readCell(cell: Element, texts: readonly string[], formats: readonly string[]): Cell {
  const value = rawText(childOf(cell, 'v'))
  const oddity = childOf(cell, 'f') ? 'formula' : null
  switch (cell.attributes.t) {
    case 's':
      return { text: texts[Number(value)] ?? '', oddity }
    case 'inlineStr':
      return { text: childrenOf(cell, 'is').map(textOf).join(''), oddity }
    case 'str':
    case 'e':
      return { text: value, oddity }
    case 'b':
      return { text: value === '1' ? 'TRUE' : 'FALSE', oddity }
  }
  if (value === '') return { text: '', oddity }
  // Shown as it is: General, text, and whole numbers in '0', which shows 2.5 as 3.
  const format = formats[Number(cell.attributes.s ?? 0)] ?? '0'
  const isPlain = ['0', '49'].includes(format) || (format === '1' && /^-?\d+$/.test(value))
  // 0.30000000000000004 is 0.3 in sight.
  const number = Number(value)
  const text = Number.isFinite(number) ? String(Number(number.toPrecision(15))) : value
  return { text, oddity: oddity ?? (isPlain ? null : 'shaped') }
}
