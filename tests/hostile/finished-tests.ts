import { randomUUID } from 'node:crypto'
import type { Product } from './product.ts'
import type { Person } from './rig.ts'

const CELL = { category: 'Valuation & Corporate Finance', difficulty: 'Intern' }

/** Creates finished tests of ten to save, as the quiz sends them, each with its own id. */
export async function finishedTests({ call }: Product, token: string) {
  const query = new URLSearchParams({ ...CELL, testNumber: '1' })
  const { body } = await call('GET', `/api/questions?${query}`, { token })
  const answers = body.map(({ id }: { id: number }) => ({ questionId: id, selectedAnswer: 'A' }))
  return (completedAt = new Date(), timeZone = 'Europe/Lisbon') => ({
    id: randomUUID(),
    ...CELL,
    testNumber: 1,
    answers,
    completedAt: completedAt.toISOString(),
    timeZone,
  })
}

/** Stores `count` results for a person, all copies of one that was really saved. */
export async function padResults(product: Product, person: Person, count: number): Promise<void> {
  const next = await finishedTests(product, person.token)
  const { token, userId } = person
  const saved = await product.call('POST', '/api/results', { token, body: next() })
  if (saved.status !== 201) throw new Error(`a result was answered ${saved.status}`)
  await product.db.query(
    `insert into test_results (user_id, id, category, difficulty, test_number, score, total_questions,
       completed_at, questions_data, streak_answered)
     select user_id, gen_random_uuid(), category, difficulty, test_number, score, total_questions,
       completed_at - n * interval '1 minute', questions_data, streak_answered
     from test_results, generate_series(1, $2::int) n where user_id = $1`,
    [userId, count - 1],
  )
}
