import { setImmediate as nextTurn } from 'node:timers/promises'
import { strFromU8, unzipSync } from 'fflate'
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { describe, expect, it } from 'vitest'
import { createPdf, type Leaf } from './pdf.ts'
import { createWorkbook } from './workbook.ts'
import { writeApart } from './write-apart.ts'
import type { Writer } from './writer.ts'

const MADE = new Date('2026-11-26T18:20:00Z')

const leaf = (name: string, rows = 1): Leaf => ({
  title: name,
  foot: 'PCF',
  blocks: [
    { kind: 'title', small: 'Autumn 2026', text: name },
    { kind: 'figures', figures: [{ value: '16 of 24', label: 'right' }] },
    { kind: 'heading', text: 'Incidents' },
    {
      kind: 'table',
      columns: [{ label: 'Verdict', parts: 1 }],
      rows: Array.from({ length: rows }, (_, n) => [`line ${n + 1}`]),
    },
    { kind: 'facts', facts: [{ label: 'Reference', text: '3f2a9c1e' }] },
  ],
})

async function write<Part>(writer: Writer<Part>, parts: readonly Part[]): Promise<Uint8Array> {
  for (const part of parts) await writer.add(part)
  return writer.end()
}
const pdfOf = async (...leaves: Leaf[]) =>
  write(await createPdf({ title: 'Results', madeAt: MADE }), leaves)

async function textsOf(pdf: Uint8Array): Promise<string[]> {
  const read = await getDocument({ data: Uint8Array.from(pdf), verbosity: 0 }).promise
  const pages = Array.from({ length: read.numPages }, async (_, at) => {
    const { items } = await (await read.getPage(at + 1)).getTextContent()
    return items.map((item) => ('str' in item ? item.str : '')).join(' ')
  })
  return Promise.all(pages)
}

describe('a PDF', () => {
  it('puts each document on its own pages and prints European names', async () => {
    const names = ['Łukasz Wiśniewski', 'Ελένη Παππά', 'Анна Кузнецова']
    const pages = await textsOf(await pdfOf(...names.map((name) => leaf(name))))
    expect(pages).toHaveLength(3)
    for (const [at, name] of names.entries()) expect(pages[at]).toContain(name)
    expect(pages[0]).toContain('16 of 24')
    expect(pages[0]).toContain('3f2a9c1e')
  })

  it('continues on the next page and numbers the pages of each document', async () => {
    const pages = await textsOf(await pdfOf(leaf('Ana', 60), leaf('Ben')))
    expect(pages.length).toBeGreaterThan(2)
    expect(pages[1]).toContain(`2 of ${pages.length - 1}`)
    expect(pages.join(' ')).toContain('line 60')
    expect(pages.at(-1)).toContain('Ben')
  })

  it('is written in a worker thread', async () => {
    const leaves = [leaf('Ana'), leaf('Ben')]
    const written = await writeApart({ as: 'pdf', title: 'Results', madeAt: MADE, leaves }, '')
    expect((await textsOf(written))[1]).toContain('Ben')
  })
})

describe('a workbook', async () => {
  const columns = ['user', 'correct', 'cheated'].map((label) => ({ label, width: 20 }))
  const heads = [
    { name: 'Results', columns },
    { name: 'Answers', columns: columns.slice(0, 1) },
  ]
  const rows = [['=1+1', 16, false], ['<b>&"\u0007', 0.5, null], null, null]
  const written = unzipSync(await write(createWorkbook(heads, MADE), rows))
  const part = (name: string) => strFromU8(written[name] as Uint8Array)

  it('stores text as text, numbers as numbers, and no formula', () => {
    const sheet = part('xl/worksheets/sheet1.xml')
    expect(sheet).toContain(
      '<c r="A2" s="2" t="inlineStr"><is><t xml:space="preserve">=1+1</t></is></c><c r="B2"><v>16</v></c><c r="C2" t="b"><v>0</v></c>',
    )
    expect(sheet).toContain('&lt;b&gt;&amp;&quot;</t>')
    expect(sheet).not.toContain('<f')
    // With this style, a cell stays text when a user edits it.
    expect(part('xl/styles.xml')).toContain('quotePrefix="1"')
  })

  it('is made row by row while a thread writes it, and other calls run in between', async () => {
    let [turns, isOver] = [0, false]
    const others = (async () => {
      for (; !isOver; turns += 1) await nextTurn()
    })()
    const turnsAt = new Set<number>()
    function* rowsMade() {
      for (let n = 0; n < 20_000; n += 1) {
        turnsAt.add(turns)
        yield [`p${n}`]
      }
    }
    const sheets = [{ name: 'Answers', columns: columns.slice(0, 1), rows: rowsMade() }]
    const file = unzipSync(await writeApart({ as: 'workbook', sheets, madeAt: MADE }, ''))
    isOver = true
    await others
    expect(turnsAt.size).toBeGreaterThan(10)
    const sheet = strFromU8(file['xl/worksheets/sheet1.xml'] as Uint8Array)
    expect(sheet.match(/<row /g)).toHaveLength(20_001)
    expect(sheet).toMatch(/<c r="A20001"[^>]*>.{0,60}p19999<\/t><\/is><\/c><\/row><\/sheetData>/)
  })

  it('names its sheets', () => {
    expect(part('xl/workbook.xml')).toContain('<sheet name="Answers" sheetId="2" r:id="rId2"/>')
    expect(Object.keys(written)).toContain('xl/worksheets/sheet2.xml')
  })
})
