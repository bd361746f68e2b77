import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'

const css = readFileSync(path.join(import.meta.dirname, 'tokens.css'), 'utf8')

/** The color tokens of the rule after the last of these texts. Each text is searched after the previous one. */
function colorsAt(...heads: string[]): Record<string, string> {
  const start = heads.reduce((from, head) => {
    const found = css.indexOf(head, from)
    if (found === -1) throw new Error(`tokens.css has no '${head}'`)
    return found + head.length
  }, 0)
  const rule = css.slice(start, css.indexOf('}', start))
  const pairs = [...rule.matchAll(/--([\w-]+):\s*(#[0-9a-f]{6});/g)]
  return Object.fromEntries(pairs.map(([, token, color]) => [token, color]))
}

const MORE_CONTRAST = '(prefers-contrast: more)'
const light = colorsAt('[data-theme="light"]')
const dark = { ...light, ...colorsAt('@media screen {', '[data-theme="dark"]') }
const moreLight = colorsAt(MORE_CONTRAST, '[data-theme="light"]')
const moreDark = colorsAt(MORE_CONTRAST, '[data-theme="dark"]')

const THEMES = {
  light,
  dark,
  'light with more contrast': { ...light, ...moreLight },
  'dark with more contrast': { ...dark, ...moreDark },
}

/** WCAG 2.2, relative luminance. */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const channel = Number.parseInt(color.slice(start, start + 2), 16) / 255
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** WCAG 2.2, contrast ratio: 1 to 21. */
function contrast(one: string, other: string): number {
  const [lighter = 0, darker = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return (lighter + 0.05) / (darker + 0.05)
}

const GROUNDS = ['paper', 'surface', 'sunken']
const SOFT_GROUNDS = ['accent-soft', 'right-soft', 'wrong-soft', 'mid-soft']
const pairs = (tokens: string[], grounds: string[]) =>
  tokens.flatMap((token) => grounds.map((ground) => [token, ground] as const))

/** Text needs 4.5:1 (WCAG 1.4.3). */
const TEXT = [
  ...pairs(['ink', 'ink-2', 'accent', 'right', 'wrong', 'mid'], [...GROUNDS, ...SOFT_GROUNDS]),
  ...pairs(['streak'], ['paper', 'surface']),
  ...pairs(['on-accent'], ['accent']),
  ...pairs(['paper'], ['ink', 'mid']),
]
/** Borders of controls need 3:1 (WCAG 1.4.11). */
const BOUNDARIES = pairs(['line-strong'], GROUNDS)

describe.each(Object.entries(THEMES))('colors in %s', (_, colors) => {
  const tooClose = (of: typeof TEXT, least: number) =>
    of.flatMap(([token, ground]) => {
      const ratio = contrast(colors[token] ?? '', colors[ground] ?? '')
      return ratio >= least ? [] : [`${token} on ${ground}: ${ratio.toFixed(2)}`]
    })

  it('have a contrast of at least 4.5:1 between text and its background', () => {
    expect(tooClose(TEXT, 4.5)).toEqual([])
  })

  it('have a contrast of at least 3:1 between the border of a control and its background', () => {
    expect(tooClose(BOUNDARIES, 3)).toEqual([])
  })
})

it('reads the colors of each theme from tokens.css', () => {
  expect(light).toMatchObject({ paper: '#faf7f1', ink: '#18222c' })
  expect(dark).toMatchObject({ paper: '#0f151b', ink: '#ece7dc' })
  expect([moreLight.ink, moreDark.ink]).toEqual(['#0b1219', '#ffffff'])
  expect(contrast('#000000', '#ffffff')).toBe(21)
})
