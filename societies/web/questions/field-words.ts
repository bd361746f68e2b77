import type { QuestionField } from '../../questions/question-content.ts'

/** What a field is called, and how its value reads. */
export function wordsOfField(field: QuestionField): string {
  switch (field) {
    case 'question':
    case 'explanation':
    case 'topic':
    case 'exhibit':
      return field[0]?.toUpperCase() + field.slice(1)
    case 'answer':
      return 'Key'
    case 'compute':
      return 'Computed answer'
    default:
      return `Option ${field}`
  }
}
