import type { COUNTED_KINDS } from '../../assessments/violations.ts'

type Kind = (typeof COUNTED_KINDS)[number]

interface Exemption {
  id: 'paste' | 'copy' | 'shortcut' | 'menu' | 'leaving'
  kinds: readonly Kind[]
  label: string
  /** A single word for tables. */
  short: string
  why: string
}

/** The events that can be exempted for a candidate, in common words (product 7.3.5). */
export const EXEMPTIONS: readonly Exemption[] = [
  {
    id: 'paste',
    kinds: ['paste'],
    label: 'Paste',
    short: 'paste',
    why: 'a dictation program pastes the spoken text',
  },
  {
    id: 'shortcut',
    kinds: ['shortcut', 'print_screen'],
    label: 'Shortcuts',
    short: 'shortcuts',
    why: 'a screen reader is used with the keyboard',
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
    why: 'a reading program copies the text it reads aloud',
  },
  {
    id: 'menu',
    kinds: ['context_menu'],
    label: 'The right-click menu',
    short: 'menu',
    why: 'a switch or a head mouse opens it by dwelling',
  },
]

export function exemptionsOf(kinds: readonly string[]): Exemption[] {
  return EXEMPTIONS.filter((one) => one.kinds.some((kind) => kinds.includes(kind)))
}

/** Converts words such as 'paste, shortcuts' to kinds; null if a word matches none. */
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

/** Explains strikes to organizers (product 6.8.1). */
export const STRIKES_FOR_SOCIETIES =
  'Every test counts strikes: leaving the page, copying, cutting, pasting, printing the screen, and the context menu. A candidate is warned at the first and the second; the third submits the test. Strikes that weren’t the candidate’s fault can be taken back.'

export const STRIKES_FOR_CANDIDATES =
  'During the test, stay on its page. Leaving it, copying, pasting and the context menu count as strikes, and the third one submits the test.'
