import type { Choice, Responses } from '../../societies/kit/statistics/responses.ts'

/**
 * Answers as books print them: `answered('BAC', 'BAC BA- CAB')` is three candidates, the second of whom left the last
 * item blank.
 */
export function answered(key: string, candidates: string): Responses {
  const choices = candidates.split(' ').filter((answers) => answers !== '')
  return {
    keys: readChoices(key).map((choice) => (choice === null ? [] : [choice])),
    choices: choices.map(readChoices),
  }
}

/** Twelve candidates and eight items. The eighth key is wrong. */
export const WORKED_KEY = 'BACDABCA'
export const WORKED_ANSWERS =
  'BACDABCA BACDABCB BACDABDB BACDCBCB BACAABCB BACDABAB BADDACCA BACBABDB BBCDDACA BACACDBA BDCBBAAA BCBACCDA'
export const workedExample = answered(WORKED_KEY, WORKED_ANSWERS)

function readChoices(letters: string): (Choice | null)[] {
  return [...letters].map((letter) => (letter === '-' ? null : ('ABCD'.indexOf(letter) as Choice)))
}

/**
 * Numbers from 0 up to but not 1, the same for a seed on every machine (mulberry32), so that random results can be
 * reproduced from the stored seed.
 * @param seed a whole number; its last 32 bits count
 */
export function seededRandom(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
