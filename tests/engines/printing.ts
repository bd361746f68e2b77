import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { getDocument, VerbosityLevel } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { expect, it } from 'vitest'
import { type Here, signIn } from './here.ts'
import { see } from './looks.ts'
import { CATEGORY, keysOf } from './student.ts'

/** What is printed: a test's results, and a mock superday's report. */
export function printing(here: Here): void {
  it('prints results and a mock superday session completely and without buttons', async () => {
    const { tab, product } = here
    const { token } = await signIn(here)
    const call = async (method: string, to: string, body?: object) => {
      const response = await fetch(product.directUrl + to, {
        method,
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      })
      expect([to, response.ok]).toEqual([to, true])
    }
    const keys = await keysOf(here, token)
    const now = new Date().toISOString()
    const attempt = randomUUID()
    await call('POST', '/api/results', {
      ...{ id: attempt, category: CATEGORY, difficulty: 'Intern', testNumber: 1 },
      ...{ completedAt: now, timeZone: 'Europe/Lisbon' },
      answers: keys.map(({ id, correctOption }, index) => ({
        questionId: id,
        selectedAnswer: index < 7 ? correctOption : correctOption === 'A' ? 'B' : 'A',
      })),
    })
    const evening = randomUUID()
    await call('PUT', `/api/practice/superdays/${evening}`, {
      startedAt: now,
      timeZone: 'Europe/Lisbon',
    })
    await call('POST', `/api/practice/superdays/${evening}/end`)

    await tab.go(`/results/${encodeURIComponent(CATEGORY)}/Intern/1?attempt=${attempt}`)
    await see(tab, { role: 'heading', name: 'Question Review' })
    await printed(here, 'results', {
      all: keys.flatMap(({ explanation }) => explanation ?? []),
      shown: ['70%', 'Explanation', ...keys.map(({ question }) => question)],
      hidden: ['Retake Test', 'Sign Out', 'Report a problem'],
    })
    const marks = await tab.run(() =>
      [...document.querySelectorAll('.verdict')].map(
        (mark) => getComputedStyle(mark).printColorAdjust,
      ),
    )
    // Browsers omit backgrounds, and a correct answer's tick is white on one.
    expect(marks).toEqual(Array(10).fill('exact'))

    await tab.go(`/superday/${evening}/report`)
    await see(tab, { role: 'heading', name: '0 of 6 at interview level' })
    await printed(here, 'superday', {
      all: ["You didn't submit it.", "You didn't do it."],
      shown: ['0 of 6 at interview level', 'What to do'],
      hidden: ['Sign Out', 'Dashboard'],
    })
  })
}

/**
 * Prints the window's content if the driver can, and applies the print styles.
 * @param words.all in a font whose letters Firefox's PDF names, so that the PDF is searched too
 * @param words.shown must be printed
 * @param words.hidden must not be printed
 */
async function printed(
  { tab, engine }: Here,
  name: string,
  words: { all: string[]; shown: string[]; hidden: string[] },
): Promise<void> {
  const folder = process.env.SHOTS
  if (engine.canPrint) {
    const dir = folder ?? (await mkdtemp(path.join(tmpdir(), 'superday-print-')))
    const file = path.join(dir, `${engine.name}-printed-${name}.pdf`)
    await tab.print(file)
    const text = letters(await textOf(file))
    expect(words.all.filter((one) => !text.includes(letters(one).slice(0, 30)))).toEqual([])
    if (!folder) await rm(dir, { recursive: true })
  }
  // As wide as A4 between its margins, with print styles.
  const wide = await tab.run(() => {
    document.body.style.width = '688px'
    const turn = (rules: CSSRuleList) => {
      for (const rule of rules) {
        if (rule instanceof CSSMediaRule) {
          const { media } = rule
          if (media.mediaText.includes('print')) media.mediaText = 'all'
          else if (media.mediaText.includes('screen')) media.mediaText = 'not all'
        }
        if ('cssRules' in rule) turn(rule.cssRules as CSSRuleList)
      }
    }
    for (const sheet of document.styleSheets) turn(sheet.cssRules)
    return [...document.querySelectorAll('main *')]
      .filter((element) => element.getBoundingClientRect().right > 690)
      .map((element) => element.className)
  })
  expect([name, wide]).toEqual([name, []])
  const shown = bare(await tab.run(() => document.body.innerText))
  expect([...words.all, ...words.shown].filter((one) => !shown.includes(bare(one)))).toEqual([])
  expect(words.hidden.filter((one) => shown.includes(bare(one)))).toEqual([])
  if (folder) await tab.picture(`${folder}/${engine.name}-printed-${name}.png`)
}

/** Letters only, because Firefox's PDF keeps only the shape of some signs. */
const letters = (text: string) => text.normalize('NFKC').replace(/[^A-Za-z]+/g, '')

/** Without spaces and case, because a line may break anywhere. */
const bare = (text: string) => text.replace(/\s+|­/g, '').toLowerCase()

async function textOf(file: string): Promise<string> {
  const data = new Uint8Array(await readFile(file))
  const pdf = await getDocument({ data, verbosity: VerbosityLevel.ERRORS }).promise
  let text = ''
  for (let number = 1; number <= pdf.numPages; number += 1) {
    const { items } = await (await pdf.getPage(number)).getTextContent()
    const page = items.map((item) => ('str' in item ? item.str : '')).join('')
    // No sheet is empty.
    expect(page.trim()).not.toBe('')
    text += page
  }
  await pdf.destroy()
  return text
}
