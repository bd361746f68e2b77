import { countOf, listOf } from '../../../platform/words.ts'
import { mayWith, type Role } from '../../kit/roles.ts'
import type { CheckedKey } from '../../questions/server/key-checks.ts'
import type { Row } from '../../setup/checklist.ts'
import { type About, gapOf } from './window.ts'

/** More questions than these are counted, not listed. */
const LISTED = 20

/**
 * Row 2 of the checklist (product 7.8.7). It names no key, because an invigilator reads it too; comments on a key
 * are for members who read keys.
 */
export function keyCheckRow(
  keys: readonly CheckedKey[],
  about: About,
  roles: readonly Role[],
): Row {
  const open = keys.filter(({ checks }) => checks.length === 0)
  const disputes = keys.flatMap((one) =>
    one.checks.filter(({ choice }) => choice !== one.key).map((check) => ({ ...one, ...check })),
  )
  const [first] = disputes
  if (first) {
    const disputed = [...new Set(disputes.map(({ position }) => position))]
    const isOne = disputed.length === 1
    const comments = disputes.map(({ name, position, comment }) => {
      const text = `${name} disputes ${isOne ? 'it' : `question ${position}`}${comment && `: ${comment}`}`
      return /[.!?]$/.test(text) ? text : `${text}.`
    })
    const shown =
      mayWith(roles, 'read_keys') === 'all'
        ? comments
        : ['Someone who didn’t see the key chose another option.']
    return {
      state: 'attention',
      word: `${disputed.length} disputed`,
      finding: `The ${isOne ? 'key' : 'keys'} of ${questions(disputed)} ${isOne ? 'is' : 'are'} disputed.`,
      rest: [...shown, ...(open.length > 0 ? [openWords(open)] : [])].join(' '),
      link: {
        page: 'questions',
        label: `Open question ${first.position}`,
        question: first.questionId,
      },
    }
  }
  if (open.length > 0 || keys.length === 0) {
    const isNone = open.length === keys.length
    return {
      state: gapOf(about),
      word: isNone ? 'Not yet' : `${keys.length - open.length} of ${keys.length}`,
      finding: isNone ? 'No key has a second answer yet.' : openWords(open),
      rest: 'Someone who answers without seeing the key finds a wrong one before candidates do.',
      link: { page: 'questions', label: 'Answer the questions' },
    }
  }
  return {
    state: 'ready',
    word: 'Ready',
    finding: `All ${countOf(keys.length, 'key')} have a second answer.`,
    rest: 'It was given without seeing the key, and agrees with it.',
    link: { page: 'questions', label: 'Read the questions' },
  }
}

/** 'question 14', 'questions 3 and 14' */
const questions = (positions: readonly number[]) =>
  `${positions.length === 1 ? 'question' : 'questions'} ${listOf(positions.map(String))}`

/** 'Questions 8 and 12 have no second answer.' */
const openWords = (open: readonly CheckedKey[]): string =>
  `${
    open.length > LISTED
      ? `${open.length} questions`
      : questions(open.map(({ position }) => position)).replace(/^q/, 'Q')
  } ${open.length === 1 ? 'has' : 'have'} no second answer.`
