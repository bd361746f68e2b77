import type { OptionLetter } from '../../../platform/options.ts'
import { mean, standardDeviation } from '../../statistics/moments.ts'
import type { Client } from '../action.ts'
import { pointsOf } from '../analysis/sat.ts'
import { readAnswerTable } from '../results/answer-table.ts'

/** Below it no statistic is kept or public: it could be told whose it is. */
export const LEAST_GROUP = 15

/** What is kept of a question: how many were asked, and chose what. */
export interface KeptQuestion {
  questionId: string
  topic: string | null
  asked: number
  right: number
  /** by option A to D, and none */
  chosen: [number, number, number, number, number]
}

/** What stays of an assessment without anybody's name or answers (product 7.21.3). */
export interface KeptStatistics {
  candidates: number
  questions: KeptQuestion[]
  /** of right answers */
  mean: number
  sd: number
}

/** Computes and stores them before names and answers go; nothing of a group under fifteen. */
export async function keepStatistics(client: Client, code: string, now: Date): Promise<void> {
  const table = await readAnswerTable(client, code)
  const { items, rows } = table
  if (rows.length < LEAST_GROUP) return
  const questions = items
    .map((item, index): KeptQuestion => {
      const choices = rows.map((row) => row.choices[index]).filter((one) => one !== undefined)
      const countOf = (of: OptionLetter | null) => choices.filter((one) => one === of).length
      const chosen: KeptQuestion['chosen'] = [
        countOf('A'),
        countOf('B'),
        countOf('C'),
        countOf('D'),
        countOf(null),
      ]
      const right = item.isFullMarks
        ? choices.length
        : choices.filter((choice) => choice && item.keys.includes(choice)).length
      return {
        questionId: item.questionId,
        topic: item.topic,
        asked: choices.length,
        right,
        chosen,
      }
    })
    .filter(({ asked }) => asked >= LEAST_GROUP)
  const totals = [...pointsOf(table).values()]
  const kept: KeptStatistics = {
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
