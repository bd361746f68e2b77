import { TEXT_LENGTH } from '../../candidate-limits.ts'
import { readSheetApart } from '../exchange/read-apart.ts'
import { OrganiserRefusal } from '../refusal.ts'

/**
 * The first filled sheet of an .xlsx as text with tabs between its cells, as copying it from the spreadsheet
 * would give it: then it is read, shown and mended like anything that was pasted (product 7.10.4).
 * Errors: OrganiserRefusal for a file that is not read.
 */
export async function readSheet(bytes: Uint8Array): Promise<{ text: string; oddCells: number }> {
  const rows = await readSheetApart(bytes)
  const text = rows.map(({ cells }) => cells.map(({ text }) => quoted(text)).join('\t')).join('\n')
  if (text.length > TEXT_LENGTH) throw new OrganiserRefusal('sheet_too_long', {})
  return {
    text,
    oddCells: rows.flatMap(({ cells }) => cells).filter(({ oddity }) => oddity).length,
  }
}

const quoted = (text: string) => (/[\t\r\n"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
