import type { ResponseOf } from '../../platform/endpoint.ts'
import { Answer, type Api, ApiError } from '../../platform/server/api.ts'
import type { AppDependencies } from '../../platform/server/dependencies.ts'
import { createQuota, takeOne } from '../../platform/server/quota.ts'
import {
  type Drill,
  type DrillSummary,
  getDrill,
  LISTED_DRILLS,
  listDrills,
  saveDrill,
} from '../contract/drills.ts'
import { sumsAnswered } from '../drill/generator.ts'
import { getPreset, type Preset } from '../drill/presets.ts'
import { markDrill } from '../drill/report.ts'
import {
  clampCompletion,
  dayValues,
  findSaved,
  isoTime,
  readPracticeDays,
  streakAt,
  withPracticeDay,
} from './practice-day-store.ts'

const SUMMARY = `id, preset, ${isoTime('started_at')} as "startedAt", took_ms as "tookMs", correct, wrong,
  skipped, score`

export function serveDrills(api: Api, dependencies: AppDependencies): void {
  const { db, now } = dependencies
  const quota = createQuota(dependencies, {
    name: 'drills',
    limit: 500,
    sentence: 'You have reached the daily limit for drills.',
  })
  const find = (userId: string, id: string) =>
    findSaved<Omit<ResponseOf<typeof saveDrill>, 'streak'>>(db, userId, id, {
      table: 'drills',
      columns: 'correct, wrong, skipped, score',
    })

  api.serve(listDrills, async ({ user }) => {
    const { rows } = await db.$client.query<DrillSummary>({
      name: 'list-drills',
      text: `select ${SUMMARY} from drills where user_id = $1
        order by started_at desc, id desc limit ${LISTED_DRILLS}`,
      values: [user.id],
    })
    return rows
  })

  api.serve(getDrill, async ({ user, params }) => {
    const { rows } = await db.$client.query<Drill>({
      name: 'get-drill',
      text: `select ${SUMMARY}, version, seed, answers from drills where user_id = $1 and id = $2`,
      values: [user.id, params.id],
    })
    if (!rows[0]) throw new ApiError(404, 'not_found', 'There is no such drill.')
    return rows[0]
  })

  api.serve(saveDrill, async ({ user, body }) => {
    const { saved, memberSince } = await find(user.id, body.id)
    const at = now()
    const streak = async () => streakAt(await readPracticeDays(db, user.id), at, body.timeZone)
    if (saved) return { ...saved, streak: await streak() }

    const preset = getPreset(body.preset)
    if (!preset) throw unknownSums()
    // This check comes first, because making the questions is expensive.
    if (!isPossible(preset, body)) {
      throw new ApiError(400, 'bad_times', "The answer times don't match this drill.")
    }
    const sums = sumsAnswered(preset, body)
    if (!sums) throw unknownSums()
    const { correct, wrong, skipped, score } = markDrill(preset, sums, body.answers, body.penalty)
    const endedAt = new Date(Date.parse(body.startedAt) + body.tookMs)
    const completedAt = clampCompletion(endedAt, { now: at, memberSince })
    const { rowCount } = await db.$client.query({
      name: 'store-drill',
      text: STORE_DRILL,
      values: [
        ...dayValues(user.id, completedAt, body.timeZone),
        ...[body.id, preset.id, body.version, body.seed, body.tookMs],
        ...[correct, wrong, skipped, score, JSON.stringify(body.answers)],
        ...quota.values(user.id),
      ],
    })
    if (rowCount === 1) {
      return new Answer(201, { correct, wrong, skipped, score, streak: await streak() })
    }
    // Another request may have stored this id first. Its row is the response.
    const first = await find(user.id, body.id)
    if (first.saved) return { ...first.saved, streak: await streak() }
    throw await quota.refusal(user.id)
  })
}

const unknownSums = () =>
  new ApiError(
    400,
    'unknown_sums',
    'This drill comes from another version of the page, so its questions are not available.',
  )

/** Start and end are read from two clocks, the end slightly later. */
const CLOCK_SLACK_MS = 2_000
/** A faster average means a program or a stopped clock. */
const QUICKEST_MS = 150

function isPossible(
  { limitSeconds }: Preset,
  { tookMs, answers }: { tookMs: number; answers: readonly { tookMs: number }[] },
): boolean {
  const answeredMs = answers.reduce((sum, answer) => sum + answer.tookMs, 0)
  return (
    tookMs <= limitSeconds * 1_000 + CLOCK_SLACK_MS &&
    answeredMs <= tookMs + CLOCK_SLACK_MS &&
    answeredMs >= answers.length * QUICKEST_MS
  )
}

const STORE_DRILL = withPracticeDay(
  `insert into drills (user_id, started_at, id, preset, version, seed, took_ms, correct, wrong,
     skipped, score, answers)
   select $1, $3::timestamptz - $9::int * interval '1 millisecond', $5, $6, $7, $8, $9, $10, $11,
     $12, $13, $14::jsonb from allowed`,
  { allowed: takeOne(15) },
)
