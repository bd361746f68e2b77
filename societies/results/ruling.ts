import type { OptionLetter } from '../../platform/options.ts'

/** How a society rules on a question after the run (product 7.18.7). */
export type RulingOn =
  /** another option is right too */
  | { accept: OptionLetter }
  /** another option is right instead of the key */
  | { replace: OptionLetter }
  /** it counts for nobody */
  | { void: true }
  /** everybody has it right */
  | { fullMarks: true }

/** A question as far as a ruling concerns it. */
export interface Ruled {
  /** as it was written */
  key: OptionLetter
  /** what counts as right now */
  keys: OptionLetter[]
  isVoid: boolean
  isFullMarks: boolean
}

export type AgainstRuling =
  | 'already_void'
  | 'already_full_marks'
  | 'already_right'
  | 'already_replaced'

/** Why a ruling can't be made as the question stands; null where it can. */
export function againstRuling(item: Ruled, ruling: RulingOn): AgainstRuling | null {
  if (item.isVoid) return 'already_void'
  if (item.isFullMarks) return 'already_full_marks'
  if ('accept' in ruling) return item.keys.includes(ruling.accept) ? 'already_right' : null
  if ('replace' in ruling) {
    if (!item.keys.includes(item.key)) return 'already_replaced'
    return ruling.replace === item.key ? 'already_right' : null
  }
  return null
}

/** The question under one ruling more, as the view item_keys has it once the ruling is stored. */
export function ruled<Item extends Ruled>(item: Item, ruling: RulingOn): Item {
  if ('void' in ruling) return { ...item, isVoid: true }
  if ('fullMarks' in ruling) return { ...item, isFullMarks: true }
  if ('accept' in ruling) return { ...item, keys: [...item.keys, ruling.accept] }
  const accepted = item.keys.filter((option) => option !== item.key && option !== ruling.replace)
  return { ...item, keys: [ruling.replace, ...accepted] }
}

export type RulingKindName = 'accept' | 'replace' | 'void' | 'full_marks'

/** How a ruling is stored: its kind, and the option of the kinds that have one. */
export function storedRuling(ruling: RulingOn): {
  kind: RulingKindName
  option: OptionLetter | null
} {
  if ('accept' in ruling) return { kind: 'accept', option: ruling.accept }
  if ('replace' in ruling) return { kind: 'replace', option: ruling.replace }
  return { kind: 'void' in ruling ? 'void' : 'full_marks', option: null }
}

/** A ruling as the API takes it. */
export type SentRuling =
  | { kind: 'accept' | 'replace'; option: OptionLetter }
  | { kind: 'void' | 'full_marks'; option: null }

/** The ruling that was sent. */
export function rulingOf({ kind, option }: SentRuling): RulingOn {
  if (kind === 'accept') return { accept: option }
  if (kind === 'replace') return { replace: option }
  return kind === 'void' ? { void: true } : { fullMarks: true }
}
