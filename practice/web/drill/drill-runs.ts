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
/** A drill in progress. It survives a reload, because its questions are remade from the seed. */
export type DrillRun = z.infer<typeof runSchema>

export const createDrillRuns = (store: KeyValueStore) =>
  createPersonStore(store, 'drill', runSchema)

export const drillRuns = createDrillRuns(deviceStore)

/** Returns the milliseconds left, at least 0. A drill has no pause (product 3.11.5). */
export function remainingMs({ startedAtMs }: DrillRun, preset: Preset, nowMs: number): number {
  const limitMs = preset.limitSeconds * 1_000
  // Setting the device's clock back gives no extra time.
  return Math.min(limitMs, Math.max(0, startedAtMs + limitMs - nowMs))
}

/** Adds an answer. Its time runs from the previous answer or the start until now. */
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

/** Returns the body to save. If the questions ran out, the last answer sets the time. */
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

/** Returns the places of the last drill's wrong questions, which come back in the next one (product 3.11.10). */
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
