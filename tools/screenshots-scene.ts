import type { BrowserContext, Page } from '@playwright/test'
import type { Account, Product } from './screenshots-product.ts'

// What a picture of a screen is made of.

/** Who looks: one with a history, one whose daily answer was right, one whose was wrong, a new guest, nobody. */
export type Who = 'student' | 'right' | 'wrong' | 'guest' | 'visitor'

export type People = Record<Exclude<Who, 'visitor'>, Account>

export interface Stage {
  product: Product
  people: People
  /** the browser of who looks */
  context: BrowserContext
}

export interface Scene {
  name: string
  /** null: goes on where the scene before it ended */
  route: string | ((stage: Stage) => string) | null
  who: Who
  /** before the route is opened */
  before?: (page: Page, stage: Stage) => Promise<unknown>
  /** on the screen, before it is photographed */
  act?: (page: Page, stage: Stage) => Promise<unknown>
  /** what lies over the page; the picture is of the window then */
  over?: 'dialog' | 'notice'
  /** the only width at which there is such a thing */
  width?: number
}

/** Presses the first button of a name. */
export const press = (name: string | RegExp) => (page: Page) =>
  page.getByRole('button', { name, exact: true }).first().click()

export async function refuseCalls(page: Page): Promise<void> {
  await page.route('**/api/**', (route) =>
    route.fulfill({ status: 500, json: { code: 'unexpected_failure', message: 'refused' } }),
  )
}

export function goOnline(_: Page, { context }: Stage): Promise<void> {
  return context.setOffline(false)
}

/** Answers the questions from here on, and stands on the next one. */
export async function answerAll(page: Page, count: number): Promise<void> {
  for (let answered = 0; answered < count; answered += 1) {
    await page.keyboard.press('abcd'.charAt(answered % 4))
    await page.keyboard.press('Enter')
  }
}
