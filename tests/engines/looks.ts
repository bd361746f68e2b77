import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'vitest'
import type { Here } from './here.ts'
import type { Tab } from './tab.ts'

/** What a person looks for on the page: a role and a name (exact or a pattern), or words. */
export interface Sought {
  role: 'button' | 'link' | 'radio' | 'checkbox' | 'field' | 'heading' | 'dialog' | 'tab' | 'img'
  name?: string | RegExp
  /** the index among several, from 0; -1 for the last */
  nth?: number
}

export interface Found {
  name: string
  /** its center, in CSS pixels of the window */
  x: number
  y: number
  isOn: boolean
  isChecked: boolean
  isFocused: boolean
  value: string
  count: number
}

/** Milliseconds until something must appear on a busy machine. */
const PATIENCE_MS = 20_000

export async function until<Value>(
  what: string,
  ask: () => Promise<Value | null | undefined | false>,
  patienceMs = PATIENCE_MS,
): Promise<Value> {
  const end = Date.now() + patienceMs
  for (;;) {
    // An unloading page doesn't respond.
    const value = await ask().catch((error) => {
      if (Date.now() > end) throw error
      return null
    })
    if (value) return value
    if (Date.now() > end) throw new Error(`not within ${patienceMs / 1000} s: ${what}`)
    await wait(50)
  }
}

/** Looks for something that is visible now, and scrolls it into the window. */
export async function find(tab: Tab, sought: Sought): Promise<Found | null> {
  const { role, name, nth = 0 } = sought
  const pattern = name instanceof RegExp ? [name.source, name.flags] : null
  return tab.run(findInPage, role, pattern, name instanceof RegExp ? null : (name ?? null), nth)
}

/** Runs in the page. */
function findInPage(
  role: string,
  pattern: string[] | null,
  wanted: string | null,
  nth: number,
): Found | null {
  const kinds: Record<string, string> = {
    button: 'button, [role=button]',
    link: 'a[href]',
    radio: 'input[type=radio], [role=radio]',
    checkbox: 'input[type=checkbox], [role=checkbox]',
    field: 'input:not([type=radio], [type=checkbox]), textarea, select',
    heading: 'h1, h2, h3, [role=heading]',
    dialog: 'dialog[open], [role=dialog], [role=alertdialog]',
    tab: '[role=tab]',
    img: '[role=img]',
  }
  const plain = (text: string | null | undefined) => (text ?? '').replace(/\s+/g, ' ').trim()
  const nameOf = (element: Element): string => {
    const ids = element.getAttribute('aria-labelledby')?.split(' ') ?? []
    const labels = [...((element as HTMLInputElement).labels ?? [])]
    return plain(
      element.getAttribute('aria-label') ||
        ids.map((id) => document.getElementById(id)?.textContent).join(' ') ||
        labels.map((label) => label.textContent).join(' ') ||
        element.textContent,
    )
  }
  const seen = (element: Element) => {
    const label = (element as HTMLInputElement).labels?.[0]
    return [element, ...(label ? [label] : [])].some(
      (one) => one.checkVisibility({ visibilityProperty: true }) && one.getClientRects().length > 0,
    )
  }
  const all = [...document.querySelectorAll(kinds[role] ?? role)].filter((element) => {
    const name = nameOf(element)
    const fits = pattern
      ? new RegExp(pattern[0] ?? '', pattern[1]).test(name)
      : wanted === null || name === wanted
    return fits && seen(element)
  })
  const element = all.at(nth) as HTMLInputElement | undefined
  if (!element) return null
  // A custom radio button is pressed by its label.
  const own = element.getBoundingClientRect()
  const target = own.width > 8 && own.height > 8 ? element : (element.labels?.[0] ?? element)
  let box = target.getBoundingClientRect()
  if (box.top < 0 || box.bottom > innerHeight) {
    target.scrollIntoView({ block: 'center', behavior: 'instant' })
    box = target.getBoundingClientRect()
  }
  return {
    name: nameOf(element),
    x: Math.round(box.left + box.width / 2),
    y: Math.round(box.top + box.height / 2),
    isOn: !element.matches(':disabled, [aria-disabled=true]'),
    isChecked: element.checked ?? element.getAttribute('aria-checked') === 'true',
    isFocused: document.activeElement === element,
    value: element.value ?? '',
    count: all.length,
  }
}

/** Waits for something. */
export const see = (tab: Tab, sought: Sought): Promise<Found> =>
  until(`${sought.role} ${sought.name ?? ''}`, () => find(tab, sought))

/** Waits until it has disappeared. */
export const seeNo = (tab: Tab, sought: Sought): Promise<unknown> =>
  until(`no ${sought.role} ${sought.name ?? ''}`, async () => !(await find(tab, sought)))

/** Waits until it is enabled and doesn't move, and presses it. */
export async function press(
  tab: Tab,
  role: Sought['role'],
  name?: string | RegExp,
  nth = 0,
): Promise<void> {
  let before: Found | null = null
  const found = await until(`${role} ${name ?? ''} that can be pressed`, async () => {
    const one = await find(tab, { role, name, nth })
    const isStill = before?.x === one?.x && before?.y === one?.y
    before = one
    return one?.isOn && isStill ? one : null
  })
  await tab.pressAt(found.x, found.y)
}

export async function fill(tab: Tab, label: string | RegExp, text: string): Promise<void> {
  await press(tab, 'field', label)
  await until(
    `field ${label} in focus`,
    async () => (await find(tab, { role: 'field', name: label }))?.isFocused,
  )
  await tab.type(text)
}

/** Waits for words anywhere on the page, ignoring case. */
export async function read(tab: Tab, words: string): Promise<void> {
  await until(`the words "${words}"`, async () => {
    const text = await tab.run(() => document.body.innerText)
    return plain(text).includes(plain(words))
  })
}

const plain = (text: string) => text.replace(/\s+/g, ' ').toLowerCase()

export const at = (tab: Tab, pattern: RegExp): Promise<unknown> =>
  until(`address ${pattern}`, async () => pattern.test(await tab.run(() => location.pathname)))

/** A phone, upright and in landscape, and a desktop: widths and heights in CSS pixels. */
const SIZES = [
  [390, 844],
  [844, 390],
  [1440, 844],
] as const

/** Checks that nothing is wider than the window. Saves screenshots in the folder SHOTS, if that is set. */
export async function look({ tab, engine }: Here, name: string): Promise<void> {
  for (const [wanted, height] of SIZES) {
    const width = Math.max(wanted, engine.leastWidth)
    await tab.resize(width, height)
    // WebKit resizes its window with a delay and repaints after that.
    await until(`a window of ${width}`, () => tab.run((wide) => innerWidth === wide, width))
    await tab.run(async () => {
      for (let frame = 0; frame < 3; frame += 1) {
        await new Promise((resolve) => requestAnimationFrame(resolve))
      }
    })
    expect([name, width, await widerThanWindow(tab)]).toEqual([name, width, 0])
    const folder = process.env.SHOTS
    if (folder) await tab.picture(`${folder}/${engine.name}-${name}-${width}.png`)
  }
}

/** Pixels by which the page is wider than its window. */
const widerThanWindow = (tab: Tab): Promise<number> =>
  tab.run(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
