/**
 * How a spreadsheet is kept from running a cell as a formula: an apostrophe before it, which import takes
 * off again. A text that has the apostrophe of its own gets a second one, so that every text comes back
 * as it was.
 */
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/

export function escapeFormula(cell: string): string {
  return FORMULA.test(cell) ? `'${cell}` : cell
}

export function unescapeFormula(cell: string): string {
  return cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell
}
