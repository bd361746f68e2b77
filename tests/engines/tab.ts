/** A window of a browser, as much of it as both engines can be asked for. */
export interface Tab {
  /** Opens an address of the product (a path) and waits until it is loaded. */
  go(to: string): Promise<void>
  /**
   * Runs a function in the page.
   * @param act is sent as text: it sees its arguments, and nothing around it
   * @returns what it returns or promises, as JSON carries it
   */
  run<Arguments extends unknown[], Result>(
    act: (...args: Arguments) => Result | Promise<Result>,
    ...args: Arguments
  ): Promise<Result>
  /** Presses at a place of the window, in CSS pixels from its top left, as a hand does. */
  pressAt(x: number, y: number, how?: 'left' | 'right' | 'finger'): Promise<void>
  /** Presses keys of the keyboard together, by their names in KeyboardEvent.key; the last one is let go first. */
  keys(...keys: string[]): Promise<void>
  type(text: string): Promise<void>
  /** Reloads, and answers the browser's question whether to leave, when it asks it. */
  reload(answer: 'stay' | 'leave'): Promise<void>
  /** Presses the browser's own button, on its page that says that nobody answers. */
  tryAgain(): Promise<void>
  /** Goes to another tab of the browser, and comes back after so many milliseconds. */
  elsewhere(ms: number): Promise<void>
  /** Moves a finger over the window from one place to another, in CSS pixels. */
  swipe(from: [number, number], to: [number, number]): Promise<void>
  /** Prints the page into a PDF. */
  print(file: string): Promise<void>
  /** The size of the page, in CSS pixels; the engine may have a least width. */
  resize(width: number, height: number): Promise<void>
  /** Takes a picture of what stands in the window, as PNG. */
  picture(file: string): Promise<void>
  /** Mistakes that the pages told since the last look. */
  mistakes(): Promise<string[]>
  close(): Promise<void>
}

/** What a person has asked of their system. */
export type Wish = 'dark' | 'less motion' | 'own colors'

/** A browser. */
export interface Engine {
  name: 'Firefox' | 'WebKit'
  /** the least width of its window in CSS pixels */
  leastWidth: number
  /** whether its driver shows the question whether to leave, so that one can stay: WebKit's says yes by itself */
  canStay: boolean
  /** whether its driver prints */
  canPrint: boolean
  /** whether a finger is one: WebKit's driver makes a mouse of it */
  hasFingers: boolean
  /** A window with nothing stored in it. */
  open(url: string): Promise<Tab>
  /** what it was started with; the pages must say so too */
  wishes: Wish[]
  close(): Promise<void>
}

export const KEYS: Record<string, string> = {
  Enter: '\uE007',
  Tab: '\uE004',
  Escape: '\uE00C',
  Shift: '\uE008',
  Control: '\uE009',
  Alt: '\uE00A',
  ArrowUp: '\uE013',
  ArrowDown: '\uE015',
}
