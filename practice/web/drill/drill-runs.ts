import * as z from 'zod/mini'
import { deviceStore, type KeyValueStore } from '../../../platform/web/storage.ts'
import { type DrillAnswer, saveDrill } from '../../contract/drills.ts'
import type { SumPlace } from '../../drill/generator.ts'
import type { Preset } from '../../drill/presets.ts'

const { id, version, seed, penalty } = saveDrill.body.shape
const runSchema = z.object({
  id,
  version,
  seed,
  penalty,
  startedAtMs: z.number(),
  /** the sums of earlier drills that come back in this one */
  returning: z.array(z.object({ seed, place: z.int() })),
  answers: z.array(
    z.object({
      answer: z.string(),
      tookMs: z.number(),
      from: z.optional(z.object({ seed, place: z.int() })),
    }),
  ),
})
/** A drill under way, as it survives a reload: its sums are made again from the seed. */
export interface DrillRun {
  id: string
  version: number
  seed: number
  penalty: number
  startedAtMs: number
  returning: SumPlace[]
  answers: DrillAnswer[]
}

const PREFIX = 'superday-drill:'

/** The drills under way on this device, each kept under its user and its preset. */
export function createDrillRuns(store: KeyValueStore) {
  const keyOf = (userId: string, preset: string) => `${PREFIX}${userId}:${preset}`
  return {
    /** The drill under way, its time over or not; null without one or where it can't be read. */
    load(userId: string, preset: string): DrillRun | null {
      try {
        const run = runSchema.safeParse(JSON.parse(store.get(keyOf(userId, preset)) ?? 'null'))
        return run.success ? run.data : null
      } catch {
        return null
      }
    },
    save(userId: string, preset: string, run: DrillRun): void {
      store.set(keyOf(userId, preset), JSON.stringify(run))
    },
    remove(userId: string, preset: string): void {
      store.remove(keyOf(userId, preset))
    },
    /** Drops everything of a user. */
    forget(userId: string): void {
      for (const key of store.keys(keyOf(userId, ''))) store.remove(key)
    },
  }
}

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
  const tookMs = preset.limitSeconds * 1_000 - remainingMs(run, preset, nowMs)
  const { id: drillId, version: made, seed: from, penalty: costs, startedAtMs, answers } = run
  return {
    id: drillId,
    preset: preset.id,
    version: made,
    seed: from,
    penalty: costs,
    startedAt: new Date(startedAtMs).toISOString(),
    tookMs: Math.round(tookMs),
    answers,
    timeZone,
  }
}
