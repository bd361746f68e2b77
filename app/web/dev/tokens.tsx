import { useLayoutEffect, useRef, useState } from 'react'
import { Section } from './section.tsx'

/** The sizes that the screens use, the largest first; `look` is how they write it. */
const TYPE = [
  { name: 'PageHead', look: 'font-serif font-medium text-[clamp(38px,4.8vw,60px)] leading-[1.12]' },
  { name: 'h1', look: 'font-serif font-medium text-[clamp(34px,4.4vw,60px)] leading-[1.12]' },
  { name: 'h2', look: 'font-serif font-medium text-[28px]' },
  { name: 'title of a dialog', look: 'font-serif font-medium text-[24px]' },
  { name: 'h3', look: 'font-serif font-medium text-[21px]' },
  { name: 'lead', look: 'running text-[17px] text-ink-2' },
  { name: 'body', look: 'text-[16px]' },
  { name: 'second line', look: 'text-[15px] text-ink-2' },
  { name: '.hint', look: 'hint' },
  { name: '.eyebrow', look: 'eyebrow' },
]

/** Every size of text, set in the words that it is for. */
export function TypeScale() {
  return (
    <Section title="Type">
      {TYPE.map(({ name, look }) => (
        <div
          key={name}
          className="grid items-baseline gap-x-6 gap-y-1 border-line border-b py-4 sm:grid-cols-[160px_1fr]"
        >
          <span className="hint">{name}</span>
          <span className={`min-w-0 ${look}`}>The price of a five-year bond, 104.2%</span>
        </div>
      ))}
    </Section>
  )
}

/** The tokens of both themes beside each other, whichever theme the page is in. */
export function Colours() {
  return (
    <Section title="Colours">
      <div className="mt-6 grid gap-5 md:grid-cols-2">
        <Palette theme="light" />
        <Palette theme="dark" />
      </div>
    </Section>
  )
}

function Palette({ theme }: { theme: 'light' | 'dark' }) {
  const panel = useRef<HTMLDivElement>(null)
  const [tokens, setTokens] = useState<{ name: string; value: string }[]>([])
  useLayoutEffect(() => {
    if (!panel.current) return
    const style = getComputedStyle(panel.current)
    setTokens(colourNames().map((name) => ({ name, value: style.getPropertyValue(name).trim() })))
  }, [])
  return (
    <div
      ref={panel}
      data-theme={theme}
      className="rounded-md border border-line bg-paper p-5 text-ink"
    >
      <h3 className="capitalize">{theme}</h3>
      <ul className="mt-4 grid grid-cols-2 gap-x-4 gap-y-3">
        {tokens.map(({ name, value }) => (
          <li key={name} className="flex min-w-0 items-center gap-3">
            <span
              className="size-9 flex-none rounded-md border border-line"
              style={{ background: `var(${name})` }}
            />
            <span className="min-w-0 text-[13px] leading-snug">
              <span className="block truncate font-medium">{name.slice(2)}</span>
              <span className="text-ink-2">{value}</span>
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Read from the style sheet: a token that is added there is shown here. */
function colourNames(): string[] {
  const names: string[] = []
  const read = (rules: CSSRuleList) => {
    for (const rule of rules) {
      if (rule instanceof CSSStyleRule && rule.selectorText === '[data-theme="dark"]') {
        names.push(...[...rule.style].filter((name) => name.startsWith('--')))
      } else if (rule instanceof CSSGroupingRule) read(rule.cssRules)
    }
  }
  for (const sheet of document.styleSheets) read(sheet.cssRules)
  return names
}

/** The distances that layouts are made of, in CSS pixels. */
const SPACES = [4, 8, 12, 16, 20, 24, 32, 36, 48, 56, 64]

/** Distances, and the one radius. */
export function Spacing() {
  return (
    <Section title="Spacing">
      <ul className="mt-6 flex flex-wrap items-end gap-x-6 gap-y-5">
        {SPACES.map((space) => (
          <li key={space} className="text-center">
            <span
              className="mx-auto block bg-ink"
              style={{ width: `${space}px`, height: `${space}px` }}
            />
            <span className="hint mt-1.5 block">{space}</span>
          </li>
        ))}
        <li className="text-center">
          <span className="mx-auto block size-16 rounded-md border border-line-strong" />
          <span className="hint mt-1.5 block">radius 6</span>
        </li>
      </ul>
    </Section>
  )
}
