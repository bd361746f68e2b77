import { randomUUID } from 'node:crypto'
import { accessSync, constants } from 'node:fs'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect } from 'vitest'
import {
  type Account,
  type Databases,
  type Product,
  signUp,
  startDatabases,
  startProduct,
} from '../e2e/product.ts'
import type { Engine, Tab } from './tab.ts'
import { openWire, type Wire } from './wire.ts'

/** What an engine's tests use. Each has a new window. */
export interface Here {
  engine: Engine
  product: Product
  wire: Wire
  tab: Tab
  /** page errors that are expected in this test */
  mayTell: RegExp | null
}

/**
 * Runs tests in a browser if it is installed.
 * @param howToInstall a hint if it isn't
 * @param start starts it; null if it isn't installed
 */
export function inEngine(
  name: string,
  howToInstall: string,
  start: (() => Promise<Engine>) | null,
  tests: ((here: Here) => void)[],
): void {
  // biome-ignore lint/suspicious/noConsole: a skipped test doesn't say why
  if (!start) console.log(`${name} is not installed, so nothing was seen in it. ${howToInstall}`)
  describe.skipIf(!start)(name, () => {
    const here = {} as Here
    let databases: Databases
    beforeAll(async () => {
      here.wire = await openWire()
      databases = await startDatabases()
      here.product = await startProduct(await databases.copy(), here.wire)
      if (!start) return
      here.engine = await start()
    })
    afterAll(async () => {
      await here.engine?.close()
      await here.product?.end()
      await databases?.stop()
      await here.wire?.end()
    })
    beforeEach(async () => {
      here.mayTell = null
      here.tab = await here.engine.open(here.product.url)
      await here.tab.resize(1280, 800)
    })
    afterEach(async ({ task }) => {
      const folder = process.env.SHOTS
      if (folder && task.result?.state === 'fail') {
        await here.tab.picture(`${folder}/failed-${name}-${task.name.slice(0, 40)}.png`)
      }
      here.wire.slow(0)
      await here.wire.restore()
      const mistakes = (await here.tab.mistakes()).filter((text) => !here.mayTell?.test(text))
      await here.tab.close()
      // As in the other browser tests, an error of the page or the server fails the test.
      expect(mistakes).toEqual([])
      expect(here.product.errors.splice(0)).toEqual([])
    })
    for (const of of tests) of(here)
  })
}

/** Creates an account through the API, and stores its session in the window. */
export async function signIn({ product, tab }: Here): Promise<Account & { token: string }> {
  const account = { email: `test-${randomUUID().slice(0, 8)}@example.com`, password: PASSWORD }
  const session = await signUp(product, account)
  await tab.go('/robots.txt')
  await tab.run((text) => localStorage.setItem('superday-auth', text), JSON.stringify(session))
  return { ...account, token: session.access_token }
}

export const PASSWORD = 'correct horse battery'

/** The first installed program of a list, by path or name, or null. */
export function findProgram(...names: (string | undefined)[]): string | null {
  const folders = (process.env.PATH ?? '').split(path.delimiter)
  const places = names.flatMap((name) => {
    if (!name) return []
    return name.includes('/') ? [name] : folders.map((folder) => path.join(folder, name))
  })
  return places.find(isProgram) ?? null
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
