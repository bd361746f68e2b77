import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CONTENT_DIR } from '../../platform/server/project-folder.ts'
import {
  checkFingerprints,
  type Distractor,
  type FingerprintedItem,
  parseFingerprints,
  readFingerprintedItems,
  recordFingerprints,
} from './fingerprints.ts'

const ITEM: FingerprintedItem = {
  file: 'x.yaml',
  key: '1',
  options: ['key A put', 'A call', 'A short sale', 'A stop order'],
  explanation: 'The put caps the loss. A short sale has no limit.',
  distractors: [
    { text: 'A call', mistake: 'A call', why: 'You bought the wrong side.' },
    { text: 'A short sale', mistake: 'A short sale', why: 'You left the loss open.' },
    { text: 'A stop order', mistake: 'A stop order', why: 'You trusted an order.' },
  ],
}
const RECORDED = parseFingerprints(recordFingerprints([ITEM], new Map()).text)

/** The item with its stop order replaced by a collar, and perhaps other words. */
const changed = (explanation = ITEM.explanation, why = 'You trusted an order.') => ({
  ...ITEM,
  options: ['key A put', 'A call', 'A short sale', 'A collar'],
  explanation,
  distractors: [
    ...ITEM.distractors.slice(0, 2),
    { text: 'A collar', mistake: 'A collar', why } satisfies Distractor,
  ],
})
const messagesOf = (item: FingerprintedItem) =>
  checkFingerprints([item], RECORDED).map(({ message }) => message)

describe('the fingerprint check', () => {
  it('accepts an item as it was recorded', () => {
    expect(messagesOf(ITEM)).toEqual([])
  })

  it.each([
    ['neither is touched', changed(), [/but not its explanation/, /'A collar' is new but its why/]],
    [
      'only the why is touched',
      changed(undefined, 'You gave up the gain.'),
      [/but not its explanation/],
    ],
    [
      'only the explanation is touched',
      changed('The put is best. A collar caps both.'),
      [/its why/],
    ],
    [
      'only spaces and commas are touched',
      changed('The put caps the loss.  A short sale, has no limit', 'You trusted an order'),
      [/explanation/, /its why/],
    ],
  ])('refuses a changed option when %s', (_, item, expected) => {
    const messages = messagesOf(item)
    expect(messages).toHaveLength(expected.length)
    expected.forEach((message, index) => {
      expect(messages[index]).toMatch(message)
    })
  })

  it('asks for a record once explanation and why are touched', () => {
    const item = changed('The put is best. A collar caps both.', 'You gave up the gain.')
    expect(messagesOf(item)).toEqual([
      expect.stringMatching(/^1: is not recorded in its current form/),
    ])
    const { text, stale } = recordFingerprints([item], RECORDED)
    expect(stale).toEqual([])
    expect(checkFingerprints([item], parseFingerprints(text))).toEqual([])
  })

  it('does not let a stale item be recorded', () => {
    const { text, stale } = recordFingerprints([changed()], RECORDED)
    expect(stale).toHaveLength(2)
    expect(parseFingerprints(text)).toEqual(RECORDED)
  })

  it('asks for a record when only words change, so that they excuse no later option', () => {
    expect(messagesOf({ ...ITEM, explanation: 'The put is best. It caps the loss.' })).toEqual([
      expect.stringMatching(/not recorded/),
    ])
  })

  it('accepts options in another order', () => {
    const { options, distractors } = ITEM
    const turned = {
      ...ITEM,
      options: options.toReversed(),
      distractors: distractors.toReversed(),
    }
    expect(messagesOf(turned)).toEqual([])
  })

  it('finds items that are new and lines of items that are gone', () => {
    const found = checkFingerprints([{ ...ITEM, key: '2' }], RECORDED)
    expect(found.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^2: is not recorded/),
      expect.stringMatching(/^1 is not asked/),
    ])
  })
})

describe('the fingerprints of content', { timeout: 30_000 }, () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'content-'))
  })
  afterAll(() => rm(folder, { recursive: true }))

  it('show an option that was replaced while its explanation stayed, in each of five files', async () => {
    const planted: [file: string, key: string, from: string, to: string][] = [
      [
        'questions/financial-markets-instruments/discover-finance.yaml',
        '7080',
        'D: "Sell the stock short, with an order to buy it at $25"',
        'D: "Sell a call at $25, as the price will not get there"',
      ],
      [
        'questions/valuation-corporate-finance/intern.yaml',
        '5146',
        'C: "Its pre-tax cost of borrowing, since rent is as fixed as interest"',
        'C: "At the cost of preferred stock"',
      ],
      ['brainteasers.yaml', 'B1', 'A: "15 cents"', 'A: "20 cents"'],
      [
        'assessments/PCF.yaml',
        'PCF-16',
        'A: "The company has spread its deposits over too many different banks"',
        'A: "The company has moved its deposits to banks that pay less"',
      ],
      [
        'cases/more-money-lower-return.yaml',
        'more-money-lower-return-5',
        'text: "Sell: growth of EBITDA slows each year, so a buyer will pay less than 9.0x."',
        'text: "Sell: the loan is nearly repaid, so a buyer has to borrow all of it again."',
      ],
    ]
    for (const [file] of planted) {
      await mkdir(path.dirname(path.join(folder, file)), { recursive: true })
      await cp(path.join(CONTENT_DIR, file), path.join(folder, file))
    }
    const recorded = recordFingerprints(await readFingerprintedItems(folder), new Map()).text
    for (const [file, , from, to] of planted) {
      const text = await readFile(path.join(folder, file), 'utf8')
      expect(text).toContain(from)
      await writeFile(path.join(folder, file), text.replace(from, to))
    }
    const found = checkFingerprints(
      await readFingerprintedItems(folder),
      parseFingerprints(recorded),
    )
    const explanations = found.filter(({ message }) => message.includes('but not its explanation'))
    expect(
      explanations.map(({ file, message }) => `${file} ${message.split(':')[0]}`).sort(),
    ).toEqual(planted.map(([file, key]) => `${file} ${key}`).sort())
    expect(found.filter(({ message }) => message.includes('its why is not'))).toHaveLength(5)
    expect(found).toHaveLength(10)
  })
})
