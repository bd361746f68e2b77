import { strToU8, zipSync } from 'fflate'
import { OPTION_LETTERS, type OptionLetter } from '../../../platform/options.ts'
import type { AskedTable, LeftOutReason } from '../../../societies/questions/question-files.ts'
import { QuestionFileError } from '../../../societies/questions/server/exchange/bytes.ts'
import { readQuestions } from '../../../societies/questions/server/exchange/read-questions.ts'
import type { ReviewedQuestion } from '../../../societies/questions/server/exchange/review.ts'

export const zipOf = (files: Record<string, string | Uint8Array>) =>
  zipSync(
    Object.fromEntries(
      Object.entries(files).map(([path, content]) => [
        path,
        typeof content === 'string' ? strToU8(content) : content,
      ]),
    ),
    { level: 1 },
  )

export const bytesOf = (content: string | Uint8Array) =>
  typeof content === 'string' ? strToU8(content) : content

/** Reads a file in this thread. Returns the importable questions as stored, and the rest. */
export function read(content: string | Uint8Array, asked: AskedTable = {}) {
  const { questions, ...rest } = readQuestions(bytesOf(content), asked)
  return {
    ...rest,
    importable: questions.filter(({ reason }) => reason === null).map(asStored),
    leftOut: questions.filter(({ reason }) => reason !== null),
  }
}

function asStored({
  place,
  question,
  options,
  explanation,
  category,
  form,
  notices,
}: ReviewedQuestion) {
  return {
    ...{ place, question, explanation, notices },
    options: Object.fromEntries(
      OPTION_LETTERS.map((letter, at) => [letter, options[at]?.text ?? '']),
    ) as Record<OptionLetter, string>,
    answer: OPTION_LETTERS[options.findIndex(({ isKey }) => isKey)],
    ...(category === '' ? {} : { topic: category }),
    ...(form ? { form } : {}),
  }
}

/** Each importable question with its key's text, followed by its notices. */
export const keysIn = (content: string | Uint8Array, asked?: AskedTable) =>
  read(content, asked).importable.map(({ question, options, answer, notices }) =>
    [`${question} ${options[answer ?? 'A']}`, ...notices].join(' | '),
  )

/** The skipped questions, as 'line 3: no_key'. */
export const leftOutOf = (content: string | Uint8Array): string[] =>
  read(content).leftOut.map(({ place, reason }) => `${place}: ${reason}`)

/** The number of importable questions, and the others' reasons. */
export function countOf(content: string | Uint8Array) {
  const { importable, leftOut } = read(content)
  const reasons: Partial<Record<LeftOutReason, number>> = {}
  for (const { reason } of leftOut) if (reason) reasons[reason] = (reasons[reason] ?? 0) + 1
  return { importable: importable.length, ...reasons }
}

/** Why a file can't be read; null if it can. */
export function problemOf(content: string | Uint8Array): string | null {
  try {
    read(content)
    return null
  } catch (error) {
    if (error instanceof QuestionFileError) return error.problem
    throw error
  }
}

type CellOf = string | number | null | { formula: string; value: string } | { percent: number }

const escapeCell = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

/** An .xlsx in Excel's layout: shared strings, one sheet. Null is an empty cell. */
export function xlsxOf(rows: CellOf[][], files: Record<string, string> = {}): Uint8Array {
  const texts: string[] = []
  const cellOf = (cell: CellOf, reference: string) => {
    if (cell === null) return ''
    if (typeof cell === 'number') return `<c r="${reference}"><v>${cell}</v></c>`
    if (typeof cell === 'string') {
      texts.push(cell)
      return `<c r="${reference}" t="s"><v>${texts.length - 1}</v></c>`
    }
    if ('percent' in cell) return `<c r="${reference}" s="1"><v>${cell.percent}</v></c>`
    return `<c r="${reference}" t="str"><f>${escapeCell(cell.formula)}</f><v>${escapeCell(cell.value)}</v></c>`
  }
  const sheet = rows.map((cells, row) => {
    const written = cells.map((cell, column) =>
      cellOf(cell, `${String.fromCharCode(65 + column)}${row + 1}`),
    )
    return `<row r="${row + 1}">${written.join('')}</row>`
  })
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
  return zipOf({
    '[Content_Types].xml': '<Types/>',
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="r"><sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels':
      '<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/></Relationships>',
    'xl/styles.xml':
      '<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="9"/></cellXfs></styleSheet>',
    'xl/sharedStrings.xml': `<sst>${texts.map((text) => `<si><t>${escapeCell(text)}</t></si>`).join('')}</sst>`,
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="${main}"><sheetData>${sheet.join('')}</sheetData></worksheet>`,
    ...files,
  })
}
