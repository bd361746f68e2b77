import { describe, expect, it } from 'vitest'
import { createTestEnvironment } from '../../../../tests/rig/test-environment.ts'
import { Proctor, shortcutOf, type Watched } from './proctor.ts'

class FakeDocument extends EventTarget {
  visibilityState: DocumentVisibilityState = 'visible'
  isFocused = true
  fullscreenElement: Element | null = null
  hasFocus(): boolean {
    return this.isFocused
  }
}

function setUp() {
  const environment = createTestEnvironment()
  const window = new EventTarget()
  const document = new FakeDocument()
  const told: string[] = []
  const proctor = new Proctor({
    environment,
    window,
    document: document as unknown as Watched['document'],
    report: (kind, _at, detail) => told.push(detail ? `${kind} ${JSON.stringify(detail)}` : kind),
  })
  proctor.start()
  const page = {
    blur: () => {
      document.isFocused = false
      window.dispatchEvent(new Event('blur'))
    },
    focus: () => {
      document.isFocused = true
      window.dispatchEvent(new Event('focus'))
    },
    hide: () => {
      document.visibilityState = 'hidden'
      document.dispatchEvent(new Event('visibilitychange'))
    },
    show: () => {
      document.visibilityState = 'visible'
      document.dispatchEvent(new Event('visibilitychange'))
    },
    key: (type: 'keydown' | 'keyup', keys: Partial<KeyboardEvent>) => {
      const event = Object.assign(new Event(type, { cancelable: true }), { code: '', ...keys })
      window.dispatchEvent(event)
      return event.defaultPrevented
    },
    fire: (on: 'window' | 'document', type: string, more: object = {}) => {
      const event = Object.assign(new Event(type, { cancelable: true }), more)
      // In browsers, returnValue of a beforeunload event is writable.
      Object.defineProperty(event, 'returnValue', { value: '', writable: true })
      ;(on === 'window' ? window : document).dispatchEvent(event)
      return event.defaultPrevented
    },
  }
  return { environment, document, proctor, page, told }
}

describe('an absence', () => {
  it('with a blur and a hidden page is reported once, with its length', async () => {
    const { environment, page, told } = setUp()
    page.blur()
    page.hide()
    await environment.advance(5_000)
    page.show()
    page.focus()
    await environment.advance(1_000)
    expect(told).toEqual(['page_hidden', 'page_visible {"awayMs":5000}'])
  })

  it('with a hidden page and then a blur is reported the same way', async () => {
    const { environment, page, told } = setUp()
    page.hide()
    page.blur()
    await environment.advance(2_000)
    page.focus()
    expect(told).toEqual(['page_hidden'])
    page.show()
    expect(told).toEqual(['page_hidden', 'page_visible {"awayMs":2000}'])
  })

  it('with only a blur is reported', async () => {
    const { environment, page, told } = setUp()
    page.blur()
    await environment.advance(3_000)
    page.focus()
    expect(told).toEqual(['window_blur', 'page_visible {"awayMs":3000}'])
  })

  it('is reported each time it happens', async () => {
    const { environment, page, told } = setUp()
    for (let round = 0; round < 2; round += 1) {
      page.blur()
      await environment.advance(1_000)
      page.focus()
    }
    expect(told.filter((kind) => kind === 'window_blur')).toHaveLength(2)
  })

  it('ends with a click even if the focus event is missing', async () => {
    const { environment, page, told } = setUp()
    page.blur()
    await environment.advance(1_000)
    page.fire('window', 'pointerdown')
    expect(told).toHaveLength(2)
  })

  it('does not end when the page is visible without focus', async () => {
    const { environment, page, told } = setUp()
    page.blur()
    page.hide()
    await environment.advance(1_000)
    page.show()
    expect(told).toEqual(['page_hidden'])
  })

  it('is reported when the page was opened behind another tab', async () => {
    const environment = createTestEnvironment()
    const document = new FakeDocument()
    document.visibilityState = 'hidden'
    const told: string[] = []
    new Proctor({
      environment,
      window: new EventTarget(),
      document: document as unknown as Watched['document'],
      report: (kind) => told.push(kind),
    }).start()
    await environment.advance(1)
    expect(told).toEqual(['page_hidden'])
  })
})

describe('no absence is reported for', () => {
  it('a flicker of the focus', async () => {
    const { environment, page, told } = setUp()
    page.blur()
    await environment.advance(100)
    page.focus()
    await environment.advance(5_000)
    expect(told).toEqual([])
  })

  it('a reload that unloads the page, then hides it', async () => {
    const { environment, page, told } = setUp()
    page.fire('window', 'beforeunload')
    page.fire('window', 'pagehide')
    page.hide()
    await environment.advance(5_000)
    expect(told).toEqual(['page_left'])
  })

  it('a reload that hides the page first', async () => {
    const { environment, page, told } = setUp()
    page.hide()
    page.fire('window', 'pagehide')
    await environment.advance(5_000)
    expect(told).toEqual(['page_left'])
  })

  it('a leave prompt that the candidate cancels', async () => {
    const { environment, page, told } = setUp()
    expect(page.fire('window', 'beforeunload')).toBe(true)
    page.blur()
    // No timer runs while the prompt is open.
    environment.sleep(20_000)
    page.focus()
    await environment.advance(5_000)
    expect(told).toEqual(['leave_prompt {"awayMs":20000}'])
    page.blur()
    await environment.advance(1_000)
    expect(told.slice(1)).toEqual(['window_blur'])
  })

  it('a switch to fullscreen that takes the focus for a second', async () => {
    const { environment, document, proctor, page, told } = setUp()
    proctor.expectFullscreen()
    page.blur()
    await environment.advance(900)
    document.fullscreenElement = {} as Element
    page.fire('document', 'fullscreenchange')
    page.focus()
    await environment.advance(5_000)
    document.fullscreenElement = null
    page.blur()
    page.fire('document', 'fullscreenchange')
    await environment.advance(800)
    page.focus()
    await environment.advance(5_000)
    expect(told).toEqual([
      'fullscreen_enter',
      'focus_lost {"awayMs":900}',
      'fullscreen_exit',
      'focus_lost {"awayMs":800}',
    ])
  })

  it('a system window opened by a counted key, because both are one action', async () => {
    const { environment, page, told } = setUp()
    page.key('keyup', { key: 'PrintScreen' })
    page.blur()
    await environment.advance(2_000)
    page.focus()
    await environment.advance(5_000)
    expect(told).toEqual(['print_screen', 'focus_lost {"awayMs":2000}'])
  })
})

describe('an excuse does not hide', () => {
  it('more than one of three short absences around fullscreen switches', async () => {
    const { environment, document, page, told } = setUp()
    for (const isFull of [true, false, true, false, true]) {
      page.blur()
      document.fullscreenElement = isFull ? ({} as Element) : null
      page.fire('document', 'fullscreenchange')
      await environment.advance(1_400)
      page.focus()
      await environment.advance(2_000)
    }
    // Each direction is excused once a minute, so entering and leaving fullscreen causes no strike.
    expect(told.filter((one) => one.startsWith('focus_lost'))).toHaveLength(2)
    expect(told.filter((one) => one === 'window_blur')).toHaveLength(3)
    await environment.advance(60_000)
    page.blur()
    document.fullscreenElement = null
    page.fire('document', 'fullscreenchange')
    await environment.advance(1_400)
    page.focus()
    expect(told.at(-1)).toBe('focus_lost {"awayMs":1400}')
  })

  it('a blur drawn out by repeated fullscreen switches', async () => {
    const { environment, page, told } = setUp()
    page.blur()
    for (let round = 0; round < 5; round += 1) {
      page.fire('document', 'fullscreenchange')
      await environment.advance(700)
    }
    expect(told).toContain('window_blur')
  })

  it('another tab behind the leave prompt', async () => {
    const { environment, page, told } = setUp()
    page.fire('window', 'beforeunload')
    // The prompt stops the page, so events during it arrive together after the answer.
    environment.sleep(25_000)
    page.blur()
    page.hide()
    page.show()
    page.focus()
    await environment.advance(1_000)
    expect(told).toEqual([
      'page_hidden',
      'page_visible {"awayMs":25000}',
      'leave_prompt {"awayMs":25000}',
    ])
  })

  it('another window that has the focus after the leave prompt, except for a moment', async () => {
    const { environment, page, told } = setUp()
    for (const heldMs of [1_000, 1_000, 3_000]) {
      page.fire('window', 'beforeunload')
      environment.sleep(4_000)
      page.blur()
      await environment.advance(heldMs)
      page.focus()
    }
    const kinds = told.map((one) => one.split(' ')[0])
    const struck = ['leave_prompt', 'window_blur', 'page_visible']
    expect(kinds).toEqual(['leave_prompt', 'focus_lost', ...struck, ...struck])
  })
})

describe("a page that goes into the browser's back/forward cache", () => {
  it('reports an absence by its own clock', async () => {
    const { environment, page, told } = setUp()
    // The page is shown for the first time, so nobody was away.
    page.fire('window', 'pageshow')
    page.fire('window', 'beforeunload')
    page.fire('window', 'pagehide')
    page.hide()
    environment.sleep(14_000)
    page.fire('window', 'pageshow')
    page.show()
    page.focus()
    await environment.advance(5_000)
    expect(told).toEqual(['page_left', 'page_hidden', 'page_visible {"awayMs":14000}'])
  })

  it('during an absence reports only that one', async () => {
    const { environment, page, told } = setUp()
    page.blur()
    await environment.advance(1_000)
    page.fire('window', 'pagehide')
    environment.sleep(14_000)
    page.fire('window', 'pageshow')
    page.focus()
    expect(told).toEqual(['window_blur', 'page_left', 'page_visible {"awayMs":15000}'])
  })
})

describe('the heartbeat', () => {
  it('reports every half minute whether the page is visible and has the focus', async () => {
    const { environment, document, proctor, told } = setUp()
    await environment.advance(30_000)
    document.isFocused = false
    document.visibilityState = 'hidden'
    await environment.advance(30_000)
    proctor.stop()
    await environment.advance(60_000)
    expect(told).toEqual([
      'heartbeat {"focused":true,"visible":true}',
      'heartbeat {"focused":false,"visible":false}',
    ])
  })
})

describe('a blocked action', () => {
  it('is dragging text, which is reported', () => {
    const { page, told } = setUp()
    expect(page.fire('document', 'dragstart')).toBe(true)
    expect(told).toEqual(['drag'])
  })

  it.each(['copy', 'cut', 'paste'])('is %s, which is reported', (kind) => {
    const { page, told } = setUp()
    expect(page.fire('document', kind)).toBe(true)
    expect(told).toEqual([kind])
  })

  it('is a right-click, which is reported; a long press is not reported', () => {
    const { page, told } = setUp()
    expect(page.fire('document', 'contextmenu', { pointerType: 'touch' })).toBe(true)
    expect(told).toEqual([])
    expect(page.fire('document', 'contextmenu', { pointerType: 'mouse' })).toBe(true)
    expect(told).toEqual(['context_menu'])
  })

  it('is a shortcut, reported once however long it is held', () => {
    const { page, told } = setUp()
    expect(page.key('keydown', { key: 'c', ctrlKey: true })).toBe(true)
    expect(page.key('keydown', { key: 'c', ctrlKey: true, repeat: true })).toBe(true)
    expect(told).toEqual(['shortcut {"key":"Ctrl+C"}'])
  })

  it('is not reported after the test', async () => {
    const { environment, proctor, page, told } = setUp()
    page.blur()
    proctor.stop()
    page.focus()
    page.fire('document', 'copy')
    expect(page.fire('window', 'beforeunload')).toBe(false)
    await environment.advance(5_000)
    expect(told).toEqual([])
  })
})

describe('blocked shortcuts', () => {
  const press = (keys: Partial<KeyboardEvent>, hasAltGraph = false) =>
    shortcutOf({
      key: '',
      code: '',
      ctrlKey: false,
      metaKey: false,
      altKey: false,
      getModifierState: (name: string) => name === 'AltGraph' && hasAltGraph,
      ...keys,
    })

  it.each([...'cvxflpsa'])('include Ctrl and Cmd with %s', (key) => {
    expect(press({ key, ctrlKey: true })).toBe(`Ctrl+${key.toUpperCase()}`)
    expect(press({ key, metaKey: true })).toBe(`Cmd+${key.toUpperCase()}`)
  })

  it.each<[string, Partial<KeyboardEvent>, boolean]>([
    ['a letter without Ctrl', { key: 'c' }, false],
    ['Ctrl without a letter', { key: 'Control', ctrlKey: true }, false],
    ['a letter that is not listed', { key: 'r', ctrlKey: true }, false],
    ['zooming', { key: '+', ctrlKey: true }, false],
    ['AltGr as Windows reports it', { key: 'ć', code: 'KeyC', ctrlKey: true, altKey: true }, true],
    ['AltGr that only the modifier state shows', { key: 'ª', code: 'KeyA', ctrlKey: true }, true],
    [
      'Ctrl+Alt that writes a character',
      { key: 'ś', code: 'KeyS', ctrlKey: true, altKey: true },
      false,
    ],
    ["VoiceOver's own keys", { key: 'a', code: 'KeyA', ctrlKey: true, altKey: true }, false],
  ])('do not include %s', (_, keys, hasAltGraph) => {
    expect(press(keys, hasAltGraph)).toBeNull()
  })

  it('are found by key position on a non-Latin keyboard', () => {
    expect(press({ key: 'с', code: 'KeyC', ctrlKey: true })).toBe('Ctrl+C')
  })

  it('are found by letter on a Latin keyboard, wherever the key is', () => {
    expect(press({ key: 'j', code: 'KeyC', ctrlKey: true })).toBeNull()
    expect(press({ key: 'c', code: 'KeyI', ctrlKey: true })).toBe('Ctrl+C')
  })
})
