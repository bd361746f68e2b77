import * as z from 'zod/mini'

// What a rehearsal checks on a device, and what the results mean for the test (product 7.11.3).

export const REHEARSAL_SECONDS = 300
export const REHEARSAL_KEPT_MS = 3 * 3_600_000
/** A larger clock error confuses the candidate, but not the test. */
const CLOCK_LIMIT_MS = 120_000
/** With slower calls the candidate has to wait after each click. */
const ROUND_TRIP_LIMIT_MS = 1_500
/** CSS pixels. A screen with a shorter side below this is a phone. */
const PHONE_PIXELS = 600
/** The oldest supported versions. */
const KNOWN_BROWSERS: Readonly<Record<string, number>> = {
  Chrome: 111,
  Edge: 111,
  Firefox: 128,
  Safari: 16,
}

/** Problems that can keep a device from taking the test. */
export const TROUBLES = ['browser', 'clock', 'connection', 'slow', 'storage'] as const
/** Findings that are worth knowing but don't prevent the test. */
export const REMARKS = ['phone', 'no_fullscreen'] as const
type Trouble = (typeof TROUBLES)[number]
export type Finding = Trouble | (typeof REMARKS)[number]

/** What a page measures on its device. */
export const deviceFactsSchema = z.strictObject({
  /** How far the device's clock is ahead of the server's. */
  clockOffsetMs: z.int().check(z.minimum(-1e13), z.maximum(1e13)),
  roundTripMs: z.int().check(z.minimum(0), z.maximum(600_000)),
  /** Whether answers given while offline were saved afterwards. */
  hasSurvivedLoss: z.boolean(),
  hasFullscreen: z.boolean(),
  /** Whether answers stay on the device when the page is closed. */
  hasStorage: z.boolean(),
  /** CSS pixels. */
  screenWidth: z.int().check(z.minimum(0), z.maximum(100_000)),
  screenHeight: z.int().check(z.minimum(0), z.maximum(100_000)),
})
export type DeviceFacts = z.infer<typeof deviceFactsSchema>

export interface Browser {
  name: string
  /** 0 if unknown. */
  version: number
}

/** Reads the browser from a User-Agent. If it names several, its most specific one wins. */
export function browserOf(userAgent: string): Browser {
  for (const [name, pattern] of [
    ['Edge', /Edg(?:e|A|iOS)?\/(\d+)/],
    ['Firefox', /(?:Firefox|FxiOS)\/(\d+)/],
    ['Chrome', /(?:Chrome|CriOS)\/(\d+)/],
    // Adjacent parts must not match the same digits: a header with 15,000 digits would take a second.
    ['Safari', /Version\/(\d{1,4})(?:\.[\d.]*)? .*Safari\//],
  ] as const) {
    const version = pattern.exec(userAgent)?.[1]
    // Ignores version numbers too long to be real.
    if (version) return { name, version: version.length > 4 ? 0 : Number(version) }
  }
  return { name: 'Unknown browser', version: 0 }
}

/** Formats 'Firefox 140'. */
export const browserText = ({ name, version }: Browser) => (version ? `${name} ${version}` : name)

/** Whether this browser version is supported. */
export function isKnownToWork({ name, version }: Browser): boolean {
  return version >= (KNOWN_BROWSERS[name] ?? Number.POSITIVE_INFINITY)
}

export function findingsOf(facts: DeviceFacts, browser: Browser): Finding[] {
  const found: Readonly<Record<Finding, boolean>> = {
    browser: !isKnownToWork(browser),
    clock: Math.abs(facts.clockOffsetMs) > CLOCK_LIMIT_MS,
    connection: !facts.hasSurvivedLoss,
    slow: facts.roundTripMs > ROUND_TRIP_LIMIT_MS,
    storage: !facts.hasStorage,
    phone: Math.min(facts.screenWidth, facts.screenHeight) < PHONE_PIXELS,
    no_fullscreen: !facts.hasFullscreen,
  }
  return [...TROUBLES, ...REMARKS].filter((one) => found[one])
}

export function isReady(findings: readonly string[]): boolean {
  return !findings.some((one) => (TROUBLES as readonly string[]).includes(one))
}

export const FINDING_WORDS: Readonly<Record<Finding, string>> = {
  browser: 'an old or unknown browser',
  clock: 'a clock more than 2 minutes off',
  connection: 'did not recover from a short network loss',
  slow: 'a slow connection',
  storage: 'a browser that stores nothing',
  phone: 'on a phone',
  no_fullscreen: 'no fullscreen',
}

/** Sample questions that show how the test works. Their answers are public and are not graded. */
export const REHEARSAL_ITEMS: readonly {
  question: string
  options: readonly [string, string, string, string]
}[] = [
  {
    question:
      'This is a rehearsal, so nothing counts. Choose any option, then change your answer once. What do you see next to the clock?',
    options: ['Saving, then Saved', 'My score', 'The right answer', 'Nothing at all'],
  },
  {
    question: 'You buy a share at 40 and sell it at 46. It paid no dividend. What was your return?',
    options: ['6%', '13%', '15%', '46%'],
  },
  {
    question:
      'During this rehearsal, the connection is cut on purpose for a few seconds. What should you do if that happens in the real test?',
    options: [
      'Reload the page',
      'Keep answering: your answers are kept on the device',
      'Close the browser',
      'Open the test on another device right away',
    ],
  },
  {
    question: 'Revenue is 200 and costs are 150. What is the profit margin?',
    options: ['25%', '33%', '50%', '75%'],
  },
  {
    question: 'Which of these is recorded as a violation in the real test?',
    options: ['Changing an answer', 'Leaving the page', 'Entering fullscreen', 'A lost connection'],
  },
]
