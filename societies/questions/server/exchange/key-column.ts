import { KEY_FORMS, type KeyForm } from '../../question-files.ts'

interface KeyCell {
  key: string
  options: readonly string[]
}

/** The options that a cell names, by their place; null where it names one that there isn't. APART is none of them. */
type Reading = (cell: KeyCell) => number[] | null
export const APART = -1

const partsOf = (key: string) => key.split(/[,;&]/).map((part) => part.trim())

const byParts =
  (form: RegExp, indexOf: (named: string) => number): Reading =>
  ({ key, options }) => {
    const named = partsOf(key).flatMap((part) => form.exec(part)?.[1] ?? [])
    const indexes = named.map(indexOf)
    const areThere = indexes.every((at) => (options[at] ?? '') !== '')
    return named.length === partsOf(key).length && areThere ? indexes : null
  }
const NUMBER = /^(?:(?:option|answer|choice) ?)?(\d{1,2})[.)]?$/i
const LETTER = /^(?:(?:option|answer|choice) ?)?\(?([a-j])[).:]?$/i

const READINGS: Record<KeyForm, Reading> = {
  letter: byParts(LETTER, (one) => one.toUpperCase().charCodeAt(0) - 65),
  text: ({ key, options }) => {
    const same = options.flatMap((text, at) => (isSame(text, key) ? at : []))
    return same.length === 1 ? same : null
  },
  one: byParts(NUMBER, (digits) => Number(digits) - 1),
  zero: byParts(NUMBER, Number),
  apart: ({ key, options }) => (options.some((text) => isSame(text, key)) ? null : [APART]),
}
const WRONG = /^(wrong|incorrect|distractor)/
const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

/**
 * Reads a column of keys, which has one meaning for the whole file: that in which every cell names an option. Where
 * two meanings fit and differ, or none fits all, a cell is read only if it can be read in one way.
 * @param cells none of which is empty
 * @param names of the options' columns, without case
 * @returns form: null where there are several
 */
export function readKeys(
  cells: readonly KeyCell[],
  names: readonly string[],
  asked: KeyForm | undefined,
): { form: KeyForm | null; keyOf: (cell: KeyCell) => number[] | 'unknown_key' | 'unclear_key' } {
  const isFromZero = names.some((name) => /(^|\D)0$/.test(name))
  const hasZero = isFromZero || cells.some(({ key }) => partsOf(key).includes('0'))
  const canBeApart = names.length === 3 || names.every((name) => WRONG.test(name))
  const fits = (form: KeyForm) => cells.every((cell) => READINGS[form](cell) !== null)
  const areNumbers = cells.every(({ options }) =>
    options.every((text) => /^\D?[\d.,]+\D?$/.test(text)),
  )
  const isPossible: Record<KeyForm, boolean> = {
    ...{ letter: true, text: true, one: !isFromZero, zero: hasZero },
    apart: canBeApart && !fits('letter') && (areNumbers || !fits('one')),
  }
  const possible = (Object.keys(KEY_FORMS) as KeyForm[]).filter((form) => isPossible[form])
  const fitting = possible.filter(fits)
  const mixed = possible.filter((form) => form !== 'apart')
  const forms = asked ? [asked] : fitting.length > 0 ? fitting : mixed
  const readingsOf = (cell: KeyCell) =>
    new Map(
      forms.flatMap((form) => {
        const keys = READINGS[form](cell)
        return keys ? [[keys.join(), keys] as const] : []
      }),
    )
  const isClear = cells.every((cell) => readingsOf(cell).size === 1)
  return {
    form: asked ?? (isClear ? (fitting[0] ?? null) : null),
    keyOf: (cell) => {
      const [first, ...others] = readingsOf(cell).values()
      return others.length > 0 ? 'unclear_key' : (first ?? 'unknown_key')
    },
  }
}
