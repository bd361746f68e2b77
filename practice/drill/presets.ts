import { KIND_NAMES, KINDS, type KindName } from './kinds.ts'
import type { Answering } from './sum.ts'

/** What a drill is made of: product 3.11.2. */
export interface Preset {
  id: string
  /** 'Mental math', where there is little room */
  name: string
  /** '80 in 8 minutes' */
  extent: string
  /** '80 in 8', on what starts it again */
  short: string
  about: string
  limitSeconds: number
  answering: Answering
  /** whether a typed answer counts as soon as it is right, and a wrong one is mended and not marked */
  takesNoEnter: boolean
  /** how many sums of each kind; together more than anybody reaches in the time where the number has no end */
  kinds: Partial<Record<KindName, number>>
  /** whether the sums have an end that can be reached */
  isEndless: boolean
  /** points that a wrong answer costs unless the person chooses another of PENALTIES */
  penalty: number
  passMark: number | null
  /** after whose test it is made, and of when what is known of it is */
  source: { whose: string; year: number; told: string } | null
}

export const PENALTIES = [0, 1, 2] as const

const EIGHTY = {
  name: 'Mental math',
  limitSeconds: 480,
  takesNoEnter: false,
  kinds: { addition: 20, multiplication: 18, division: 14, fractions: 15, percentages: 13 },
  isEndless: false,
  penalty: 1,
} as const

const MAIN: readonly Preset[] = [
  {
    ...EIGHTY,
    id: '80-in-8',
    extent: '80 in 8 minutes',
    short: '80 in 8',
    about:
      'Eighty sums, four answers to each: gaps in any place, decimals to three places, fractions, percentages. Nothing can be skipped.',
    answering: 'choice',
    passMark: 56,
    source: {
      whose: 'Optiver',
      year: 2026,
      told: 'candidates report minus one or minus two points for a wrong answer',
    },
  },
  {
    ...EIGHTY,
    id: '80-in-8-typed',
    extent: '80 in 8 minutes, typed',
    short: '80 in 8, typed',
    about:
      'The same eighty without options to lean on. Harder by about a third, and the better practice.',
    answering: 'typed',
    passMark: null,
    source: null,
  },
  {
    id: 'sprint',
    name: 'Sprint',
    extent: 'two minutes',
    short: 'two minutes',
    about:
      'As many as you can in two minutes. An answer counts as soon as it is right, without Enter. Fix a wrong digit and go on.',
    limitSeconds: 120,
    answering: 'typed',
    takesNoEnter: true,
    kinds: { addition: 100, multiplication: 50, division: 50 },
    isEndless: true,
    penalty: 0,
    passMark: null,
    source: {
      whose: 'Zetamac',
      year: 2026,
      told: 'the same ranges of numbers as its standard game',
    },
  },
  {
    id: 'finance',
    name: 'Finance sums',
    extent: '20 in 3 minutes',
    short: '20 in 3',
    about:
      'Percentage changes, the rule of 72, multiples, margins, accretion and bond prices, as they come up in an interview.',
    limitSeconds: 180,
    answering: 'choice',
    takesNoEnter: false,
    kinds: { changes: 4, growth: 3, multiples: 4, margins: 3, accretion: 3, bonds: 3 },
    isEndless: false,
    penalty: 0,
    passMark: null,
    source: null,
  },
  {
    id: 'estimation',
    name: 'Estimation',
    extent: '24 in 4 minutes',
    short: '24 in 4',
    about:
      'Rough products, quotients, percentages and roots. One of four is close. An exact calculation takes too long.',
    limitSeconds: 240,
    answering: 'choice',
    takesNoEnter: false,
    kinds: { products: 8, quotients: 7, shares: 5, roots: 4 },
    isEndless: false,
    penalty: 1,
    passMark: null,
    source: null,
  },
  {
    id: 'sequences',
    name: 'Number sequences',
    extent: '26 in 25 minutes',
    short: '26 in 25',
    about:
      'What comes next: growing steps, ratios, sums of the last two, two sequences in one, squares and cubes.',
    limitSeconds: 1_500,
    answering: 'typed',
    takesNoEnter: false,
    kinds: { steps: 6, ratios: 5, sums: 5, interleaved: 5, powers: 5 },
    isEndless: false,
    penalty: 0,
    passMark: null,
    source: { whose: 'Optiver', year: 2026, told: 'candidates report 26 in 25 minutes' },
  },
]

/** Two minutes of what held one up: the end of a drill leads there (product 3.11.8). */
const OF_ONE_KIND: readonly Preset[] = KIND_NAMES.map((name) => {
  const { title, answering } = KINDS[name]
  return {
    id: `two-minutes-${name}`,
    name: title,
    extent: 'two minutes',
    short: 'two minutes',
    about: `${title} and nothing else.`,
    limitSeconds: 120,
    answering,
    takesNoEnter: false,
    kinds: { [name]: 60 },
    isEndless: true,
    penalty: 1,
    passMark: null,
    source: null,
  }
})

export const DRILLS = MAIN
export const DRILLS_OF_ONE_KIND = OF_ONE_KIND
const PRESETS = new Map([...MAIN, ...OF_ONE_KIND].map((preset) => [preset.id, preset]))

export function getPreset(id: string): Preset | null {
  return PRESETS.get(id) ?? null
}

export const drillOfKind = (name: KindName): Preset =>
  OF_ONE_KIND[KIND_NAMES.indexOf(name)] as Preset

export function countSums({ kinds }: Preset): number {
  return Object.values(kinds).reduce((sum, count) => sum + count, 0)
}
