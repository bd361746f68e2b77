import type { Choice, Responses } from '../../societies/kit/statistics/responses.ts'

/**
 * Answers as books print them: `answered('BAC', 'BAC BA- CAB')` are three candidates, the second of whom left
 * the last item blank.
 */
export function answered(key: string, candidates: string): Responses {
  const choices = candidates.split(' ').filter((answers) => answers !== '')
  return {
    keys: readChoices(key).map((choice) => (choice === null ? [] : [choice])),
    choices: choices.map(readChoices),
  }
}

function readChoices(letters: string): (Choice | null)[] {
  return [...letters].map((letter) => (letter === '-' ? null : ('ABCD'.indexOf(letter) as Choice)))
}
