import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from '../../tools/free-port.mjs'
import { until } from './looks.ts'
import { type Engine, KEYS, type Tab } from './tab.ts'

/** Paths of the programs that drive WebKitGTK. */
interface WebKitPrograms {
  driver: string
  browser: string
  /** a virtual screen; without one the driver waits forever */
  screen: string
}

/** Starts WebKitGTK's small browser on its own screen, driven by WebDriver (W3C). */
export async function startWebKit(programs: WebKitPrograms): Promise<Engine> {
  const home = await mkdtemp(path.join(tmpdir(), 'superday-gtk-'))
  const screen = spawn(
    programs.screen,
    ['-displayfd', '3', '-screen', '0', '1600x1200x24', '-nolisten', 'tcp'],
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] },
  )
  const [display] = await once(screen.stdio[3] as NodeJS.ReadableStream, 'data')
  const port = await freePort()
  const driver = spawn(programs.driver, [`--port=${port}`], {
    stdio: 'ignore',
    env: {
      ...process.env,
      XDG_CONFIG_HOME: home,
      DISPLAY: `:${String(display).trim()}`,
      // Its sandbox needs a session bus.
      WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
    },
  })
  // This also runs when the tests are aborted.
  process.once('exit', () => {
    driver.kill()
    screen.kill()
  })
  const base = `http://127.0.0.1:${port}`
  await until('the driver answers', async () => (await fetch(`${base}/status`)).ok)
  const { sessionId } = await ask<{ sessionId: string }>('POST', `${base}/session`, {
    capabilities: {
      alwaysMatch: {
        'webkitgtk:browserOptions': {
          binary: programs.browser,
          args: ['--automation'],
        },
      },
    },
  })
  const session = `${base}/session/${sessionId}`
  return {
    name: 'WebKit',
    leastWidth: 447,
    canStay: false,
    open: (url) => openTab(session, url),
    async close() {
      await ask('DELETE', session)
      await end(driver)
      await end(screen)
      await rm(home, { recursive: true, force: true })
    },
  }
}

async function end(child: ChildProcess): Promise<void> {
  const isOver = once(child, 'exit')
  child.kill()
  await isOver
}

async function ask<Value = unknown>(method: string, url: string, body?: object): Promise<Value> {
  const response = await fetch(url, { method, ...(body && { body: JSON.stringify(body) }) })
  const { value } = await response.json()
  if (!response.ok) throw new Error(`${value.error}: ${value.message}`)
  return value
}

/** The session's only window, with empty storage. */
async function openTab(session: string, url: string): Promise<Tab> {
  const post = <Value>(command: string, body: object = {}) =>
    ask<Value>('POST', `${session}/${command}`, body)
  const script = <Value>(text: string, args: unknown[] = []) =>
    post<Value>('execute/async', { script: text, args })
  const actions = (...sources: object[]) => post('actions', { actions: sources })

  const tab: Tab = {
    async go(to) {
      await post('url', { url: new URL(to, url).href })
      await script(LISTEN)
    },
    async run(act, ...args) {
      const answer = await script<{ value: never; error?: string }>(
        `const done = arguments[arguments.length - 1]
        const given = [...arguments].slice(0, -1)
        Promise.resolve().then(() => (${act}).apply(null, given)).then(
          (value) => done({ value }),
          (error) => done({ error: String(error) }),
        )`,
        args,
      )
      if (answer.error) throw new Error(answer.error)
      return answer.value
    },
    async pressAt(x, y, how = 'left') {
      const button = how === 'right' ? 2 : 0
      await actions({
        type: 'pointer',
        id: how,
        parameters: { pointerType: how === 'finger' ? 'touch' : 'mouse' },
        actions: [
          { type: 'pointerMove', x, y, duration: 0 },
          { type: 'pointerDown', button },
          { type: 'pointerUp', button },
        ],
      })
    },
    async keys(...keys) {
      const values = keys.map((key) => KEYS[key] ?? key)
      await actions({
        type: 'key',
        id: 'keys',
        actions: [
          ...values.map((value) => ({ type: 'keyDown', value })),
          ...values.reverse().map((value) => ({ type: 'keyUp', value })),
        ],
      })
    },
    async type(text) {
      await actions({
        type: 'key',
        id: 'keys',
        actions: [...text].flatMap((value) => [
          { type: 'keyDown', value },
          { type: 'keyUp', value },
        ]),
      })
    },
    async reload(answer) {
      if (answer === 'stay') throw new Error('its driver answers every such question with yes')
      await tab.run(() => {
        Object.assign(globalThis, { isOld: true })
        setTimeout(() => location.reload())
      })
      await until('the page has come again', () =>
        tab.run(() => !('isOld' in globalThis) && document.readyState === 'complete'),
      )
      await script(LISTEN)
    },
    async tryAgain() {
      await post('refresh')
      await script(LISTEN)
    },
    async elsewhere(ms) {
      const here = await ask<string>('GET', `${session}/window`)
      const { handle } = await post<{ handle: string }>('window/new', { type: 'tab' })
      await post('window', { handle })
      await wait(ms)
      await ask('DELETE', `${session}/window`)
      await post('window', { handle: here })
    },
    async resize(width, height) {
      // The frame and the button bar add to the size.
      const [inWidth, inHeight] = await tab.run(() => [innerWidth, innerHeight])
      const rect = await ask<{ width: number; height: number }>('GET', `${session}/window/rect`)
      await post('window/rect', {
        x: 0,
        y: 0,
        width: width + rect.width - (inWidth ?? 0),
        height: height + rect.height - (inHeight ?? 0),
      })
    },
    async picture(file) {
      const image = await ask<string>('GET', `${session}/screenshot`)
      await writeFile(file, Buffer.from(image, 'base64'))
    },
    mistakes: () =>
      tab.run(() => {
        const { mistakes = [] } = globalThis as { mistakes?: string[] }
        return mistakes.splice(0)
      }),
    async close() {
      await post('url', { url: new URL('/robots.txt', url).href })
      await tab.run(async () => {
        localStorage.clear()
        sessionStorage.clear()
        for (const name of await caches.keys()) await caches.delete(name)
        for (const one of await navigator.serviceWorker.getRegistrations()) await one.unregister()
      })
    },
  }
  return tab
}

/** Records page errors from now on, which WebDriver can't report. */
const LISTEN = `const done = arguments[arguments.length - 1]
  window.mistakes = []
  const keep = (what) => window.mistakes.push(String(what))
  addEventListener('error', (event) => keep(event.message))
  addEventListener('unhandledrejection', (event) => keep(event.reason))
  const tell = console.error
  console.error = (...words) => { keep(words.join(' ')); tell(...words) }
  done()`
