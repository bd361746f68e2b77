import type { Client } from '../action.ts'
import { readAnswerTable } from '../results/answer-table.ts'

/** Below it no number of a group is kept: it could be told whose it is. */
const LEAST_GROUP = 15

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
  const { items, rows } = await readAnswerTable(client, code)
  if (rows.length < LEAST_GROUP) return
  const totals = rows.map(() => 0)
  const questions = items
    .map((item, index): KeptQuestion => {
      const chosen: KeptQuestion['chosen'] = [0, 0, 0, 0, 0]
      let right = 0
      let asked = 0
      rows.forEach(({ choices }, person) => {
        const choice = choices[index]
        if (choice === undefined) return
        asked += 1
        const column = choice === null ? 4 : 'ABCD'.indexOf(choice)
        chosen[column] = (chosen[column] ?? 0) + 1
        const isRight = item.isFullMarks || (choice !== null && item.keys.includes(choice))
        if (!isRight) return
        right += 1
        if (!item.isVoid) totals[person] = (totals[person] ?? 0) + 1
      })
      return { questionId: item.questionId, topic: item.topic, asked, right, chosen }
    })
    .filter(({ asked }) => asked >= LEAST_GROUP)
  const mean = totals.reduce((sum, one) => sum + one, 0) / totals.length
  const squares = totals.reduce((sum, one) => sum + (one - mean) ** 2, 0)
  const kept: KeptStatistics = {
    candidates: rows.length,
    questions,
    mean,
    sd: Math.sqrt(squares / (totals.length - 1)),
  }
  await client.query(
    `insert into kept_statistics (assessment, content, kept_at) values ($1, $2, $3)
     on conflict (assessment) do update set content = excluded.content, kept_at = excluded.kept_at`,
    [code, JSON.stringify(kept), now],
  )
}
