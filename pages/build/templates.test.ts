/**
 * The committed templates, which change only with their sources in content/pages.
 * @module-tag full
 */
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { inflateRawSync } from 'node:zlib'
import { getDocument, VerbosityLevel } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeDocx } from './templates-docx.ts'
import {
  type Block,
  LOOKS,
  PAPERS,
  readBlock,
  readTemplates,
  sideOf,
  TEMPLATES_DIR,
  TEXT,
} from './templates-source.ts'

// These are the committed files. After a change of the sources in content/pages or of the script, run:
// node --import tsx pages/build/templates.ts
const templates = await readTemplates()

it('the template files are two templates and two specimens for two paper sizes, and nothing more', async () => {
  const names = ['cv-template', 'cover-letter-template', 'cv-specimen', 'cover-letter-specimen']
  const papers = Object.values(PAPERS).map(({ suffix }) => suffix)
  const files = names.flatMap((name) =>
    papers.flatMap((suffix) =>
      (name.endsWith('template') ? ['pdf', 'docx'] : ['pdf']).map(
        (end) => `${name}${suffix}.${end}`,
      ),
    ),
  )
  expect((await readdir(TEMPLATES_DIR)).sort()).toEqual(files.sort())
})

it('the US Letter templates name the state, the GPA and the employer first, the others do not', () => {
  const textOf = (name: string) =>
    templates.find((one) => one.name === name)?.blocks.map(({ text }) => text) ?? []
  const [there, here] = [textOf('cv-template-us-letter'), textOf('cv-template')]
  const told = ['[City, State]', 'GPA: [3.xx]/4.00; [rank, scholarship or award, if any]']
  expect(there).toEqual(expect.arrayContaining([...told, '[Employer], [Team], [Job title]']))
  expect(there.join()).not.toContain('Country')
  expect(here).toEqual(
    expect.arrayContaining(['[City, Country]', '[Job title], [Employer], [Team]']),
  )
})

describe.each(templates)('the PDF of $name', ({ name, title, paper, isBlank, blocks }) => {
  let pdf: Awaited<ReturnType<typeof getDocument>['promise']>
  let page: Awaited<ReturnType<typeof pdf.getPage>>
  beforeAll(async () => {
    const data = new Uint8Array(await readFile(path.join(TEMPLATES_DIR, `${name}.pdf`)))
    pdf = await getDocument({ data, verbosity: VerbosityLevel.ERRORS }).promise
    page = await pdf.getPage(1)
  })
  afterAll(() => pdf?.destroy())

  it('has exactly the words of the source, in reading order', async () => {
    const items = (await page.getTextContent()).items.filter((item) => 'str' in item)
    const text = items.map(({ str, hasEOL }) => (hasEOL ? `${str}\n` : str)).join('')
    expect(toWords(text)).toEqual(toWords(blocks.map(readLine).join('\n')))
  })

  it('is one page of its paper size with its text inside the margins', async () => {
    expect(pdf.numPages).toBe(1)
    const { width, height } = PAPERS[paper]
    expect(page.view.slice(2).map(Math.round)).toEqual([width, height].map(Math.round))
    const items = (await page.getTextContent()).items.filter((item) => 'str' in item && item.str)
    const places = items.map((item) => ('transform' in item ? item.transform : []))
    const lowest = Math.min(...places.map(([, , , , , bottom]) => bottom))
    expect(height - lowest).toBeLessThan(TEXT.top + TEXT.height)
    expect(Math.min(...places.map(([, , , , left]) => left))).toBeGreaterThan(sideOf(paper) - 1)
  })

  it(
    isBlank ? 'is to be filled in' : 'is filled in, and says first that all of it is invented',
    () => {
      const text = blocks.map(readBlock).join(' ')
      expect(/[[\]]/.test(text)).toBe(isBlank)
      expect(readBlock(blocks[0] as Block).includes('invented')).toBe(!isBlank)
    },
  )

  it('embeds a subset of every font, as outlines with a name', async () => {
    const fonts = new Set<string>()
    const { fnArray, argsArray } = await page.getOperatorList()
    fnArray.forEach((_, index) => {
      const [id] = argsArray[index] ?? []
      if (typeof id === 'string' && page.commonObjs.has(id)) fonts.add(id)
    })
    const found = [...fonts].map((id) => page.commonObjs.get(id))
    expect(found.length).toBeGreaterThan(1)
    for (const font of found) {
      expect(font).toMatchObject({ missingFile: false, name: expect.stringMatching(/^[A-Z]{6}\+/) })
      expect(font.isType3Font).toBeFalsy()
    }
  })

  it('is tagged, with the roles of the source in its order', async () => {
    expect(await pdf.getMarkInfo()).toMatchObject({ Marked: true })
    const tree = await page.getStructTree()
    expect(listRoles(tree).filter((role) => /^(H\d|P|LI)$/.test(role))).toEqual(
      blocks.flatMap(({ kind, dates }) => [
        LOOKS[kind].element.toUpperCase(),
        ...(dates ? ['P'] : []),
      ]),
    )
  })

  it('has its title and its language', async () => {
    const { info } = await pdf.getMetadata()
    expect(info).toMatchObject({ Title: title, Language: 'en-US' })
  })
})

describe.each(templates.filter(({ isBlank }) => isBlank))('the .docx of $name', (template) => {
  const { name, title, paper, blocks } = template
  let file: Buffer
  let parts: Map<string, string>
  beforeAll(async () => {
    file = await readFile(path.join(TEMPLATES_DIR, `${name}.docx`))
    parts = unzip(file)
  })

  it('has exactly the words of the source, one paragraph per block', () => {
    const paragraphs = readParagraphs(parts).map((xml) =>
      unescapeXml(xml.replaceAll('<w:tab/>', ' ').replace(/<[^>]*>/g, '')),
    )
    expect(paragraphs).toEqual(blocks.map(readBlock))
  })

  it('uses styles of its own style sheet, bullet lists, and tab stops for dates', () => {
    const styles = parts.get('word/styles.xml') ?? ''
    for (const [index, xml] of readParagraphs(parts).entries()) {
      const { kind, dates } = blocks[index] as Block
      const style = /<w:pStyle w:val="(\w+)"/.exec(xml)?.[1]
      const definition = new RegExp(`<w:style [^>]*w:styleId="${style}">.*?</w:style>`).exec(styles)
      const { element, size } = LOOKS[kind]
      expect(definition?.[0]).toContain(`<w:sz w:val="${size * 2}"/>`)
      expect(xml.includes('<w:numPr>')).toBe(element === 'li')
      if (element === 'h2') expect(style).toBe('Heading1')
      if (element === 'h3') expect(style).toBe('Heading2')
      if (dates) expect(definition?.[0]).toContain('<w:tab w:val="right"')
    }
  })

  it('is one page of its paper in Times New Roman, with title and language', () => {
    const size = { a4: 'w:w="11906" w:h="16838"', letter: 'w:w="12240" w:h="15840"' }[paper]
    expect(parts.get('word/document.xml')).toContain(`<w:pgSz ${size}`)
    expect(parts.get('word/styles.xml')).toContain('w:ascii="Times New Roman"')
    expect(parts.get('word/styles.xml')).toContain('<w:lang w:val="en-US"/>')
    expect(parts.get('docProps/core.xml')).toContain(`<dc:title>${title}</dc:title>`)
  })

  it("equals the script's output byte for byte", async () => {
    expect(file.equals(await makeDocx(template))).toBe(true)
  })
})

function readLine(block: Block): string {
  return block.kind === 'bullet' ? `• ${readBlock(block)}` : readBlock(block)
}

function toWords(text: string): string[] {
  return text.split(/\s+/).filter(Boolean)
}

interface StructNode {
  role?: string
  children?: unknown[]
}

function listRoles(node: StructNode | null): string[] {
  if (!node) return []
  const inner = (node.children ?? []).flatMap((child) => listRoles(child as StructNode))
  return node.role ? [node.role, ...inner] : inner
}

function readParagraphs(parts: Map<string, string>): string[] {
  return (parts.get('word/document.xml') ?? '').match(/<w:p>.*?<\/w:p>/gs) ?? []
}

function unescapeXml(text: string): string {
  const characters = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&apos;': "'" }
  return text.replace(/&\w+;/g, (entity) => characters[entity as keyof typeof characters] ?? entity)
}

/** The parts of a zip by name, read from its central directory. */
function unzip(file: Buffer): Map<string, string> {
  const parts = new Map<string, string>()
  const end = file.lastIndexOf('PK\x05\x06', undefined, 'latin1')
  let entry = file.readUInt32LE(end + 16)
  for (let count = file.readUInt16LE(end + 10); count > 0; count -= 1) {
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((offset) =>
      file.readUInt16LE(entry + offset),
    ) as [number, number, number]
    const name = file.toString('utf8', entry + 46, entry + 46 + nameLength)
    const local = file.readUInt32LE(entry + 42)
    const start = local + 30 + file.readUInt16LE(local + 26) + file.readUInt16LE(local + 28)
    const data = file.subarray(start, start + file.readUInt32LE(entry + 20))
    const isDeflated = file.readUInt16LE(entry + 10) === 8
    parts.set(name, (isDeflated ? inflateRawSync(data) : data).toString('utf8'))
    entry += 46 + nameLength + extraLength + commentLength
  }
  return parts
}
