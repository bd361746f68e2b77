import { InvalidArgumentError } from 'commander'
import { COUNTED_KINDS } from '../../assessments/violations.ts'
import { OPTION_LETTERS } from '../../platform/options.ts'
import { AdminError } from '../../platform/server/admin-error.ts'
import type { CountedKind } from '../server/incidents/strikes.ts'
import type { Ruling } from '../server/results/regrade.ts'
import { MISTYPED } from './refusals.ts'

/*
 * What somebody typed, as the society's side takes it: numbers, names of a list.
 */

/** A code as people type it. */
export const parseCode = (text: string): string => text.trim().toUpperCase()

/** Errors: AdminError. */
export function parseEventNumber(text: string, code: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new AdminError(MISTYPED.event(text, code))
  return Number(text)
}

/** Errors: AdminError for what is never counted. */
export function parseKinds(texts: readonly string[]): CountedKind[] {
  const isCounted = (text: string): text is CountedKind =>
    (COUNTED_KINDS as readonly string[]).includes(text)
  const unknown = texts.filter((text) => !isCounted(text))
  if (unknown.length > 0) throw new AdminError(MISTYPED.kinds(unknown))
  return texts.filter(isCounted)
}

/** The number of an item; commander words what is none. */
export function parseItem(text: string): number {
  const item = Number(text)
  if (Number.isInteger(item) && item > 0) return item
  throw new InvalidArgumentError(MISTYPED.item())
}

/** What `regrade` takes, of which one says the ruling. */
export interface TypedRuling {
  accept?: string
  replace?: string
  void?: boolean
  fullMarks?: boolean
  withdraw?: boolean
}

/** The one ruling of five options. Errors: AdminError. */
export function parseRuling(options: TypedRuling): Ruling {
  const { accept, replace, void: isVoid, fullMarks, withdraw } = options
  const typed = [accept !== undefined, replace !== undefined, isVoid, fullMarks, withdraw]
  if (typed.filter(Boolean).length !== 1) throw new AdminError(MISTYPED.ruling())
  if (isVoid) return { void: true }
  if (fullMarks) return { fullMarks: true }
  if (withdraw) return { withdraw: true }
  const text = accept ?? replace ?? ''
  const option = OPTION_LETTERS.find((letter) => letter === text.trim().toUpperCase())
  if (!option) throw new AdminError(MISTYPED.option(text))
  return accept === undefined ? { replace: option } : { accept: option }
}
