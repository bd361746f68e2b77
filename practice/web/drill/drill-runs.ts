import * as z from 'zod/mini'
import { deviceStore, type KeyValueStore } from '../../../platform/web/storage.ts'
import { type Drill, drillAnswerSchema, saveDrill } from '../../contract/drills.ts'
import {
  type AskedSum,
  GENERATOR_VERSION,
  MOST_RETURNING,
  type SumPlace,
  sumsAnswered,
  sumsOf,
  withReturning,
} from '../../drill/generator.ts'
import type { Preset } from '../../drill/presets.ts'
import { isRight } from '../../drill/report.ts'
import { createPersonStore } from '../person-store.ts'

const { id, version, seed, penalty } = saveDrill.body.shape
const runSchema = z.object({
  id,
  version,
  seed,
  penalty,
  startedAtMs: z.number(),
  returning: z.array(z.object({ seed, place: z.int() })),
  answers: z.array(drillAnswerSchema),
})
/** A drill under way, as it survives a reload: its sums are made again from the seed. */
export type DrillRun = z.infer<typeof runSchema>

export const createDrillRuns = (store: KeyValueStore) =>
  createPersonStore(store, 'drill', runSchema)

export const drillRuns = createDrillRuns(deviceStore)

/** Milliseconds that are left; 0 when the time is over. A drill has no pause (product 3.11.5). */
export function remainingMs({ startedAtMs }: DrillRun, preset: Preset, nowMs: number): number {
  const limitMs = preset.limitSeconds * 1_000
  // A device's clock that was set back gives nobody more than the whole.
  return Math.min(limitMs, Math.max(0, startedAtMs + limitMs - nowMs))
}

/** The run with one answer more, which took from the one before, or from the start, to now. */
export function withAnswer(
  run: DrillRun,
  preset: Preset,
  answer: { text: string; from: SumPlace | undefined },
  nowMs: number,
): DrillRun {
  const usedMs = preset.limitSeconds * 1_000 - remainingMs(run, preset, nowMs)
  const beforeMs = run.answers.reduce((sum, { tookMs }) => sum + tookMs, 0)
  const tookMs = Math.max(0, Math.round(usedMs - beforeMs))
  const { text, from } = answer
  return { ...run, answers: [...run.answers, { answer: text, tookMs, ...(from && { from }) }] }
}

/** What the server is sent of a run: its time is that of the last answer where the sums ran out. */
export function finishedDrill(run: DrillRun, preset: Preset, nowMs: number, timeZone: string) {
  const { startedAtMs, returning: _, ...kept } = run
  return {
    ...kept,
    preset: preset.id,
    startedAt: new Date(startedAtMs).toISOString(),
    tookMs: Math.round(preset.limitSeconds * 1_000 - remainingMs(run, preset, nowMs)),
    timeZone,
  }
}

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
