import type { COUNTED_KINDS } from '../../assessments/violations.ts'

type Kind = (typeof COUNTED_KINDS)[number]

interface Exemption {
  id: 'paste' | 'copy' | 'shortcut' | 'menu' | 'leaving'
  kinds: readonly Kind[]
  label: string
  /** in a table, in one word */
  short: string
  why: string
}

/** What can be left uncounted for a candidate, as people speak of it (product 7.3.5). */
export const EXEMPTIONS: readonly Exemption[] = [
  {
    id: 'paste',
    kinds: ['paste'],
    label: 'Paste',
    short: 'paste',
    why: 'a dictation program pastes what was said',
  },
  {
    id: 'shortcut',
    kinds: ['shortcut', 'print_screen'],
    label: 'Shortcuts',
    short: 'shortcuts',
    why: 'a screen reader is driven by the keyboard',
  },
  {
    id: 'leaving',
    kinds: ['page_hidden', 'window_blur'],
    label: 'Leaving the page',
    short: 'leaving',
    why: 'magnifier or second screen; rarely needed, ask first',
  },
  {
    id: 'copy',
    kinds: ['copy', 'cut'],
    label: 'Copying',
    short: 'copy',
    why: 'a reading program takes the text it reads aloud',
  },
  {
    id: 'menu',
    kinds: ['context_menu'],
    label: 'The right-click menu',
    short: 'menu',
    why: 'a switch or a head mouse opens it by resting',
  },
]

/** The exemptions that a list of kinds makes up; a part of one counts as it. */
export function exemptionsOf(kinds: readonly string[]): Exemption[] {
  return EXEMPTIONS.filter((one) => one.kinds.some((kind) => kinds.includes(kind)))
}

/** Words of a list, such as 'paste, shortcuts', as kinds; null for a word that means none of them. */
export function readExemptions(text: string): Kind[] | null {
  const words = text
    .toLowerCase()
    .split(/[,;+/|]/)
    .map((word) => word.trim())
    .filter((word) => word !== '' && word !== 'none' && word !== '-')
  const found = words.map((word) =>
    EXEMPTIONS.find(
      ({ id, kinds, label, short }) =>
        [id, short, label.toLowerCase(), `${id}s`].includes(word) ||
        (kinds as readonly string[]).includes(word),
    ),
  )
  if (found.some((one) => !one)) return null
  return [...new Set(found.flatMap((one) => one?.kinds ?? []))]
}

/** What strikes are, for who sets a test up (product 6.8.1). */
export const STRIKES_FOR_SOCIETIES =
  'Every test counts strikes: leaving the page, copying, cutting, pasting, printing the screen, and the context menu. A candidate is warned at the first and the second; the third hands the test in. What was nobody’s fault can be taken back.'

/** The same for who is invited. */
export const STRIKES_FOR_CANDIDATES =
  'During the test, stay on its page: leaving it, copying, pasting and the context menu count as strikes, and the third one hands the test in.'
