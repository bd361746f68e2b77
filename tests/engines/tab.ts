/** A browser's window, with the operations that both engines support. */
export interface Tab {
  /** Opens an address of the product (a path) and waits until it is loaded. */
  go(to: string): Promise<void>
  /**
   * Runs a function in the page.
   * @param act is sent as text, so it can use only its arguments
   * @returns its result or what its promise resolves to, as JSON
   */
  run<Arguments extends unknown[], Result>(
    act: (...args: Arguments) => Result | Promise<Result>,
    ...args: Arguments
  ): Promise<Result>
  /** Presses at a point of the window, in CSS pixels from its top left. */
  pressAt(x: number, y: number, how?: 'left' | 'right' | 'finger'): Promise<void>
  /** Presses keys together, by their names in KeyboardEvent.key. The last one is released first. */
  keys(...keys: string[]): Promise<void>
  type(text: string): Promise<void>
  /** Reloads, and answers the browser's question whether to leave, if it appears. */
  reload(answer: 'stay' | 'leave'): Promise<void>
  /** Presses the button on the browser's own error page. */
  tryAgain(): Promise<void>
  /** Switches to another tab, and returns after `ms` milliseconds. */
  elsewhere(ms: number): Promise<void>
  /** The page's size in CSS pixels. The engine may have a minimum width. */
  resize(width: number, height: number): Promise<void>
  /** Saves a screenshot of the window as PNG. */
  picture(file: string): Promise<void>
  /** Page errors since the last call. */
  mistakes(): Promise<string[]>
  close(): Promise<void>
}

export interface Engine {
  name: 'Firefox' | 'WebKit'
  /** its window's minimum width in CSS pixels */
  leastWidth: number
  /** whether its driver can stay when asked whether to leave: WebKit's always leaves */
  canStay: boolean
  /** Opens a window with empty storage. */
  open(url: string): Promise<Tab>
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
