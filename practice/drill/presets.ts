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

/** What most drills have in common. */
const USUAL = {
  takesNoEnter: false,
  isEndless: false,
  penalty: 0,
  passMark: null,
  source: null,
}

const EIGHTY = {
  ...USUAL,
  name: 'Mental math',
  limitSeconds: 480,
  kinds: { addition: 20, multiplication: 18, division: 14, fractions: 15, percentages: 13 },
  penalty: 1,
}

export const DRILLS: readonly Preset[] = [
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
  },
  {
    ...USUAL,
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
    source: {
      whose: 'Zetamac',
      year: 2026,
      told: 'the same ranges of numbers as its standard game',
    },
  },
  {
    ...USUAL,
    id: 'finance',
    name: 'Finance sums',
    extent: '20 in 3 minutes',
    short: '20 in 3',
    about:
      'Percentage changes, the rule of 72, multiples, margins, accretion and bond prices, as they come up in an interview.',
    limitSeconds: 180,
    answering: 'choice',
    kinds: { changes: 4, growth: 3, multiples: 4, margins: 3, accretion: 3, bonds: 3 },
  },
  {
    ...USUAL,
    id: 'estimation',
    name: 'Estimation',
    extent: '24 in 4 minutes',
    short: '24 in 4',
    about:
      'Rough products, quotients, percentages and roots. One of four is close. An exact calculation takes too long.',
    limitSeconds: 240,
    answering: 'choice',
    kinds: { products: 8, quotients: 7, shares: 5, roots: 4 },
    penalty: 1,
  },
  {
    ...USUAL,
    id: 'sequences',
    name: 'Number sequences',
    extent: '26 in 25 minutes',
    short: '26 in 25',
    about:
      'What comes next: growing steps, ratios, sums of the last two, two sequences in one, squares and cubes.',
    limitSeconds: 1_500,
    answering: 'typed',
    kinds: { steps: 6, ratios: 5, sums: 5, interleaved: 5, powers: 5 },
    source: { whose: 'Optiver', year: 2026, told: 'candidates report 26 in 25 minutes' },
  },
]

/** Two minutes of what held one up: the end of a drill leads there (product 3.11.8). */
export const DRILLS_OF_ONE_KIND: readonly Preset[] = KIND_NAMES.map((name) => ({
  ...USUAL,
  id: `two-minutes-${name}`,
  name: KINDS[name].title,
  extent: 'two minutes',
  short: 'two minutes',
  about: `${KINDS[name].title} and nothing else.`,
  limitSeconds: 120,
  answering: KINDS[name].answering,
  kinds: { [name]: 60 },
  isEndless: true,
  penalty: 1,
}))

const PRESETS = new Map([...DRILLS, ...DRILLS_OF_ONE_KIND].map((preset) => [preset.id, preset]))

export function getPreset(id: string): Preset | null {
  return PRESETS.get(id) ?? null
}

export const drillOfKind = (name: KindName): Preset =>
  DRILLS_OF_ONE_KIND[KIND_NAMES.indexOf(name)] as Preset

export function countSums({ kinds }: Preset): number {
  return Object.values(kinds).reduce((sum, count) => sum + count, 0)
}
