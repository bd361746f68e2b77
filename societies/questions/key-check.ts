import type { OptionLetter } from '../../platform/options.ts'
import { numberWord } from '../number-words.ts'

/** What somebody chose without seeing the key. */
export interface BlindChoice {
  /** the account, or the sitting of one that is gone: each counts once */
  who: string
  choice: OptionLetter
  /** by an owner who says that the key stands all the same (product 7.9.48) */
  isOverruled?: boolean
}

export interface KeyVerdict {
  /**
   * confirmed: two agree, and nobody does not. disputed: somebody chose otherwise. upheld: an owner has overruled
   * everybody who did
   */
  state: 'confirmed' | 'disputed' | 'upheld' | 'unchecked'
  agree: number
  /** who answered, about the question as it stands now */
  of: number
  /** whoever wrote the key last is the only one who answered, and agrees */
  isByWriterAlone: boolean
}

/** How many have to agree: a key that one person confirms may be that person's own. */
export const AGREEING = 2

/**
 * What the blind check says of a key (product 7.9.42).
 * @param choices of finished sittings, about the version that stands now
 * @param writer who wrote or changed the key last, as in `who`; null where nobody knows
 */
export function verdictOf(
  key: OptionLetter,
  choices: readonly BlindChoice[],
  writer: string | null = null,
): KeyVerdict {
  const newest = [...new Map(choices.map((one) => [one.who, one])).values()]
  const agreeing = newest.filter(({ choice }) => choice === key).map(({ who }) => who)
  const dissenting = newest.filter(({ choice }) => choice !== key)
  const [of, agree] = [newest.length, agreeing.length]
  const undisputed = agree >= AGREEING ? 'confirmed' : 'unchecked'
  // One is enough: whoever reads the same question otherwise may be right, or has found it unclear.
  const disputed = dissenting.every(({ isOverruled }) => isOverruled) ? 'upheld' : 'disputed'
  return {
    state: dissenting.length === 0 ? undisputed : disputed,
    agree,
    of,
    isByWriterAlone: of === 1 && agreeing[0] === writer,
  }
}

/** '3 of 3'; '–' where nobody looked: the questions list has it in a column. */
export const agreement = ({ agree, of }: KeyVerdict): string =>
  of === 0 ? '–' : `${agree} of ${of}`

/** What a key's check came to, in words: 'Disputed: tom.berger chose A, the key is C'. */
export function wordsOf(
  { state, of, isByWriterAlone }: KeyVerdict,
  key: OptionLetter,
  choices: readonly { name: string; choice: OptionLetter | null }[],
): string {
  if (state === 'disputed') {
    const others = choices.flatMap(({ name, choice }) =>
      choice === null || choice === key ? [] : [`${name} chose ${choice}`],
    )
    return `Disputed: ${[...others, `the key is ${key}`].join(', ')}`
  }
  if (state === 'confirmed') return 'Confirmed'
  if (state === 'upheld') return 'Upheld by an owner'
  if (of === 0) return 'Not checked'
  return isByWriterAlone ? 'Checked by its writer alone' : 'One more is needed'
}

/** What begins another sitting: left out in an earlier one, changed since, or added. */
export const leftToCheck = (count: number): string =>
  count === 1 ? 'Check the one that is left' : `Check the ${count} that are left`

/** What is asked once where a sitting is finished with questions that have no answer. */
export const unansweredWords = (open: number): string =>
  `${open === 1 ? 'One is' : `${open} are`} not answered. Finish all the same?`

/** The finding over all questions, as one sentence. */
export function keyCheckHeadline(verdicts: readonly KeyVerdict[]): string {
  const all = verdicts.length
  const disputed = verdicts.filter(({ state }) => state === 'disputed').length
  const upheld = verdicts.filter(({ state }) => state === 'upheld').length
  const confirmed = verdicts.filter(({ state }) => state === 'confirmed').length + upheld
  if (all === 0) return 'There is no question to check yet'
  if (disputed > 0) {
    return disputed === 1 ? 'One key is disputed' : `${numberWord(disputed)} keys are disputed`
  }
  if (confirmed === all) {
    const byOwner = upheld === 0 ? '' : `, ${numberWord(upheld).toLowerCase()} by an owner`
    return all === 1
      ? `The key is confirmed${byOwner && ' by an owner'}`
      : `All ${all} keys are confirmed${byOwner}`
  }
  if (verdicts.every(({ of }) => of === 0)) return 'Nobody has checked the keys yet'
  const left = all - confirmed
  return confirmed === 0
    ? 'Every key needs a second person'
    : `${confirmed} of ${all} keys are confirmed, ${left === 1 ? 'one is' : `${left} are`} not`
}
