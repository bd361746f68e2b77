import content from '../../content/drills.json' with { type: 'json' }
import {
  addition,
  division,
  fractionsAndDecimals,
  multiplication,
  percentages,
  sprintAddition,
  sprintDivision,
  sprintMultiplication,
} from './arithmetic.ts'
import { products, quotients, roots, shares } from './estimation.ts'
import { accretion, bonds, changes, doubling, margins, multiples } from './finance.ts'
import { interleaved, powers, ratios, steps, sums } from './sequences.ts'
import type { Answering, SumMaker } from './sum.ts'

interface Kind {
  title: string
  verb: 'holds' | 'hold'
  make: SumMaker
  answering: Answering
}

const kind = (title: string, make: SumMaker, answering: Answering): Kind => ({
  title,
  verb: /^(Multiplication|Division|Accretion and dilution|The rule)/.test(title) ? 'holds' : 'hold',
  make,
  answering,
})

/** The kinds of questions, in the order of the drill report (product 3.11.3). */
export const KINDS = {
  addition: kind('Addition and subtraction', addition, 'typed'),
  multiplication: kind('Multiplication', multiplication, 'typed'),
  division: kind('Division', division, 'typed'),
  fractions: kind('Fractions and decimals', fractionsAndDecimals, 'typed'),
  percentages: kind('Percentages', percentages, 'typed'),
  changes: kind('Percentage changes', changes, 'choice'),
  growth: kind('The rule of 72', doubling, 'choice'),
  multiples: kind('Multiples', multiples, 'choice'),
  margins: kind('Margins', margins, 'choice'),
  accretion: kind('Accretion and dilution', accretion, 'choice'),
  bonds: kind('Bond prices', bonds, 'choice'),
  products: kind('Rough products', products, 'choice'),
  quotients: kind('Rough quotients', quotients, 'choice'),
  shares: kind('Rough percentages', shares, 'choice'),
  roots: kind('Square roots', roots, 'choice'),
  steps: kind('Growing steps', steps, 'typed'),
  ratios: kind('Ratios', ratios, 'typed'),
  sums: kind('Sums of the last two', sums, 'typed'),
  interleaved: kind('Two sequences in one', interleaved, 'typed'),
  powers: kind('Squares and cubes', powers, 'typed'),
} as const satisfies Record<string, Kind>

export type KindName = keyof typeof KINDS
export const KIND_NAMES = Object.keys(KINDS) as KindName[]

export const SPRINT_MAKERS: Partial<Record<KindName, SumMaker>> = {
  addition: sprintAddition,
  multiplication: sprintMultiplication,
  division: sprintDivision,
}

export interface Preset {
  id: string
  /** the short name, such as 'Mental math' */
  name: string
  /** '80 in 8 minutes' */
  extent: string
  /** '80 in 8', on the button that restarts it */
  short: string
  about: string
  limitSeconds: number
  answering: Answering
  takesNoEnter: boolean
  /** questions of each kind; an endless drill has more than anyone can answer in the time */
  kinds: Partial<Record<KindName, number>>
  isEndless: boolean
  penalty: number
  passMark: number | null
  source: { whose: string; year: number; told: string } | null
}

export const PENALTIES = [0, 1, 2] as const

const USUAL = {
  takesNoEnter: false,
  isEndless: false,
  penalty: 0,
  passMark: null,
  source: null,
}

export const DRILLS = content.map((own) => ({ ...USUAL, ...own })) as readonly Preset[]

/** Two-minute drills of one kind. The drill report links to them (product 3.11.8). */
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
