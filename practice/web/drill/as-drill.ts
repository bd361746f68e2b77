import type { BodyOf } from '../../../platform/endpoint.ts'
import type { Drill, saveDrill } from '../../contract/drills.ts'
import { sumsAnswered } from '../../drill/generator.ts'
import { markDrill } from '../../drill/marking.ts'
import { getPreset } from '../../drill/presets.ts'

/** What the server will say of a finished drill, reckoned here as it reckons there. */
export function asDrill(body: BodyOf<typeof saveDrill>): Drill {
  const preset = getPreset(body.preset)
  const sums = preset && sumsAnswered(preset, body)
  const marks = preset && sums && markDrill(preset, sums, body.answers, body.penalty)
  return {
    id: body.id,
    preset: body.preset,
    startedAt: body.startedAt,
    tookMs: body.tookMs,
    correct: marks?.correct ?? 0,
    wrong: marks?.wrong ?? 0,
    skipped: marks?.skipped ?? 0,
    score: marks?.score ?? 0,
    version: body.version,
    seed: body.seed,
    answers: body.answers,
  }
}
