import type { Drill } from '../../contract/drills.ts'
import {
  type AskedSum,
  GENERATOR_VERSION,
  MOST_RETURNING,
  type SumPlace,
  sumsAnswered,
  sumsOf,
  withReturning,
} from '../../drill/generator.ts'
import { isRight } from '../../drill/marking.ts'
import type { Preset } from '../../drill/presets.ts'
import type { DrillRun } from './drill-runs.ts'

/** Where the sums that were wrong in the last drill stand, to come back in the next (product 3.11.10). */
export function returningFrom(last: Drill | undefined, preset: Preset): SumPlace[] {
  if (!last || last.version !== GENERATOR_VERSION || preset.takesNoEnter) return []
  const sums = sumsAnswered(preset, last) ?? []
  return last.answers
    .flatMap(({ answer }, place) => {
      const sum = sums[place]
      return sum && !isRight(sum, answer) ? [sum.from ?? { seed: last.seed, place }] : []
    })
    .slice(0, MOST_RETURNING)
}

export function sumsOfRun(
  run: Pick<DrillRun, 'version' | 'seed' | 'returning'>,
  preset: Preset,
): AskedSum[] {
  const returning = run.returning.flatMap((from): AskedSum[] => {
    const sum = sumsOf(preset, run.version, from.seed)?.[from.place]
    return sum ? [{ ...sum, from }] : []
  })
  return withReturning(sumsOf(preset, run.version, run.seed) ?? [], returning)
}
