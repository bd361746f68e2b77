import { listOf } from '../../platform/words.ts'

/** Why a draft is not published (product 7.8.4). */
export type PublicationError =
  | { kind: 'no_questions' }
  /** numbers of the questions that have an error */
  | { kind: 'wrong_questions'; positions: readonly number[] }
  /** two forms, of which each has another number of questions */
  | { kind: 'uneven_forms'; A: number; B: number }
  /** nobody could start any more */
  | { kind: 'window_past' }

/** The same in a sentence. */
export function describePublicationError(error: PublicationError): string {
  switch (error.kind) {
    case 'no_questions':
      return 'It has no questions.'
    case 'window_past':
      return 'Its last moment to start has passed, so nobody could start.'
    case 'uneven_forms':
      return `Form A has ${error.A} questions and form B ${error.B}; both need as many.`
    case 'wrong_questions':
      return error.positions.length === 1
        ? `Question ${error.positions[0]} has an error.`
        : `Questions ${listOf(error.positions)} have errors.`
  }
}
