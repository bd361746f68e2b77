import type { SampleQuestion } from '../../pages/page-shapes.ts'
import { parseQuestions, readQuestionFiles } from './content/content.ts'

/** Reads questions with keys for the landing page (product 8.1.6). Throws if one is unknown or retired. */
export async function readSampleQuestions(ids: readonly number[]): Promise<SampleQuestion[]> {
  const served = await readServed()
  return ids.map((id) => {
    const question = served.get(id)
    if (!question) throw new Error(`content/pages/landing.yaml: question ${id} is not in practice`)
    return question
  })
}

/** Counts the questions that practice serves, one per family, for 'More than 800' (product 8.8.3). */
export async function countServedQuestions(): Promise<number> {
  return (await readServed()).size
}

async function readServed(): Promise<Map<number, SampleQuestion>> {
  const served = new Map<number, SampleQuestion>()
  for (const file of await readQuestionFiles()) {
    for (const question of parseQuestions(file)) {
      if (question.retired) continue
      served.set(question.id, {
        id: question.id,
        category: file.category,
        difficulty: file.difficulty,
        question: question.question,
        options: question.options,
        correctOption: question.answer,
        explanation: question.explanation,
        why: question.why as SampleQuestion['why'],
      })
    }
  }
  return served
}
