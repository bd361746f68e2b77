import { LIMITS, QuestionFileError, type ZipFiles } from './bytes.ts'
import { shiftText } from './plain-text.ts'
import { allOf, childOf, childrenOf, type Element, parseXml, rawText } from './xml.ts'

// Reads the sheets of an .xlsx file, for questions and for lists of people.

export interface Cell {
  text: string
  /** 'formula': the value is computed; 'shaped': it is displayed differently than stored; struck out; hidden */
  oddity: 'formula' | 'shaped' | 'struck' | 'hidden' | null
}

export const EMPTY_CELL: Cell = { text: '', oddity: null }

export const isFilled = ({ text, oddity }: Cell): boolean => text.trim() !== '' || oddity !== null

/** Columns further right are ignored. */
const MOST_COLUMNS = 100

/** Reads the sheets with content of an .xlsx file in order. Errors: QuestionFileError if it is damaged. */
export function readSheets(files: ZipFiles) {
  const workbook = xmlOf(files, 'xl/workbook.xml')
  const relations = xmlOf(files, 'xl/_rels/workbook.xml.rels')
  if (!workbook || !relations) throw new QuestionFileError('damaged_zip')
  const targets = new Map(
    childrenOf(relations, 'Relationship').map(({ attributes: { Id, Target } }) => [Id, Target]),
  )
  const texts = childrenOf(xmlOf(files, 'xl/sharedStrings.xml'), 'si').map(runsIn)
  const styles = readStyles(xmlOf(files, 'xl/styles.xml'))
  return childrenOf(childOf(workbook, 'sheets'), 'sheet').flatMap(({ attributes }) => {
    const target = targets.get(attributes.id ?? '')
    const sheet = target && xmlOf(files, target.startsWith('/') ? target.slice(1) : `xl/${target}`)
    const isHidden = /hidden/i.test(attributes.state ?? '')
    const rows = sheet ? readRows(sheet, isHidden, (cell) => readCell(cell, texts, styles)) : []
    return rows.length > 0 ? { name: attributes.name ?? '', isHidden, rows } : []
  })
}

function xmlOf(files: ZipFiles, path: string): Element | null {
  const unpack = files.get(path)
  if (!unpack) return null
  const { root, isBroken } = parseXml(unpack().toString('utf8'))
  if (isBroken) throw new QuestionFileError('damaged_zip')
  return root
}

const isOn = (element: Element | null) =>
  element !== null && !/^(0|false)$/.test(element.attributes.val ?? '')

/** Reads a text in runs with separate formatting, without Japanese phonetic hints. */
function runsIn(element: Element): Cell {
  const runs = childrenOf(element).filter(({ name }) => name === 't' || name === 'r')
  const isStruck = runs.some((run) => isOn(childOf(childOf(run, 'rPr'), 'strike')))
  const text = runs.map((run) => {
    const inner = run.name === 't' ? rawText(run) : rawText(childOf(run, 't'))
    const shift = childOf(childOf(run, 'rPr'), 'vertAlign')?.attributes.val ?? ''
    return inner && /^su[pb]/.test(shift) ? shiftText(shift.slice(0, 3), inner).text : inner
  })
  return { text: text.join(''), oddity: isStruck ? 'struck' : null }
}

function readStyles(styles: Element | null) {
  const fonts = childrenOf(childOf(styles, 'fonts'), 'font')
  return childrenOf(childOf(styles, 'cellXfs'), 'xf').map(
    ({ attributes: { numFmtId, fontId } }) => ({
      format: numFmtId ?? '0',
      isStruck: isOn(childOf(fonts[Number(fontId ?? -1)], 'strike')),
    }),
  )
}

const isTrue = (written: string | undefined) => written === '1' || written === 'true'

/** Reads rows with content, numbered from 1 like in the spreadsheet. */
function readRows(sheet: Element, isHidden: boolean, read: (cell: Element) => Cell) {
  const hidden = childrenOf(childOf(sheet, 'cols'), 'col')
    .map(({ attributes }) => attributes)
    .filter((col) => isTrue(col.hidden))
  let number = 0
  let count = 0
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
      const own = read(cell)
      const isUnseen =
        isHidden ||
        isTrue(row.attributes.hidden) ||
        hidden.some(({ min, max }) => Number(min) <= column + 1 && column < Number(max))
      cells[column] = isUnseen && isFilled(own) ? { ...own, oddity: 'hidden' } : own
    }
    count += cells.length
    if (count > LIMITS.cells) throw new QuestionFileError('sheet_too_long')
    return cells.some(isFilled) ? { number, cells } : []
  })
}

type Styles = ReturnType<typeof readStyles>

function readCell(cell: Element, texts: readonly Cell[], styles: Styles): Cell {
  const value = rawText(childOf(cell, 'v'))
  const { format, isStruck } = styles[Number(cell.attributes.s ?? 0)] ?? PLAIN_STYLE
  const oddity = childOf(cell, 'f') ? 'formula' : isStruck && value !== '' ? 'struck' : null
  switch (cell.attributes.t) {
    case 's':
    case 'inlineStr': {
      const { text, oddity: ofRuns } =
        cell.attributes.t === 's'
          ? (texts[Number(value)] ?? EMPTY_CELL)
          : runsIn(childOf(cell, 'is') ?? cell)
      return { text, oddity: oddity ?? ofRuns }
    }
    case 'str':
    case 'e':
      return { text: value, oddity }
    case 'b':
      return { text: value === '1' ? 'TRUE' : 'FALSE', oddity }
  }
  if (value === '') return { text: '', oddity }
  // These formats show the stored value: General, text, and '0' for whole numbers, which would show 2.5 as 3.
  const isPlain = ['0', '49'].includes(format) || (format === '1' && /^-?\d+$/.test(value))
  // 0.30000000000000004 is displayed as 0.3.
  const number = Number(value)
  const text = Number.isFinite(number) ? String(Number(number.toPrecision(15))) : value
  return { text, oddity: oddity ?? (isPlain ? null : 'shaped') }
}

const PLAIN_STYLE = { format: '0', isStruck: false }
