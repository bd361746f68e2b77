import type { ResponseOf } from '../../../platform/endpoint.ts'
import type { listQuestions } from '../../contract/questions.ts'
import type { QuestionContent } from '../../questions/question-content.ts'

export type ListOfQuestions = ResponseOf<typeof listQuestions>
export type ListedQuestion = ListOfQuestions['items'][number]

/** What of a listed question is written in the editor. */
export const contentOf = (item: ListedQuestion): QuestionContent => {
  const { question, options, answer, explanation, topic, compute, exhibit } = item
  return { question, options, answer, explanation, topic, compute, exhibit }
}
