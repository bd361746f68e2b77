import { OPTION_LETTERS } from '../../../platform/options.ts'
import { readAnswerTable } from '../../incidents/server/answer-table.ts'
import { pointsOf } from '../../incidents/server/sat.ts'
import type { Client } from '../../kit/server/action.ts'
import { mean, standardDeviation } from '../../kit/statistics/moments.ts'

/** Statistics of fewer candidates are neither kept nor public: they could point to a person. */
export const LEAST_GROUP = 15

/**
 * Computes and stores what stays when names and answers are deleted (product 7.21.3): points, and how many chose each
 * option. Stores nothing about fewer than fifteen candidates.
 */
export async function keepStatistics(client: Client, code: string, now: Date): Promise<void> {
  const table = await readAnswerTable(client, code)
  const { items, rows } = table
  if (rows.length < LEAST_GROUP) return
  const questions = items
    .map(({ questionId, topic, keys, isFullMarks }, index) => {
      const choices = rows.map((row) => row.choices[index]).filter((one) => one !== undefined)
      const right = choices.filter((one) => isFullMarks || (one && keys.includes(one))).length
      // by option A to D, and none
      const chosen = [...OPTION_LETTERS, null].map(
        (option) => choices.filter((one) => one === option).length,
      )
      return { questionId, topic, asked: choices.length, right, chosen }
    })
    .filter(({ asked }) => asked >= LEAST_GROUP)
  const totals = [...pointsOf(table).values()]
  const kept = {
    candidates: rows.length,
    questions,
    mean: mean(totals),
    sd: standardDeviation(totals),
  }
  await client.query(
    `insert into kept_statistics (assessment, content, kept_at) values ($1, $2, $3)
     on conflict (assessment) do update set content = excluded.content, kept_at = excluded.kept_at`,
    [code, JSON.stringify(kept), now],
  )
}
