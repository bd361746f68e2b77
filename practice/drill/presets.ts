import content from '../../content/drills.json' with { type: 'json' }
import { KIND_NAMES, KINDS, type KindName } from './kinds.ts'
import type { Answering } from './sum.ts'

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
  takesNoEnter: boolean
  /** how many sums of each kind; together more than anybody reaches in the time where the number has no end */
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
