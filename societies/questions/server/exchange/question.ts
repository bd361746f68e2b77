import type { FileNotice, LeftOutReason } from '../../question-files.ts'
import type { Form } from '../../two-forms.ts'
import { type PlainText, plainText } from './files/plain-text.ts'

/** A question as its file has it, whatever its kind. What holds for all formats is found in review.ts. */
export interface FoundQuestion {
  /** 'line 12', 'row 9', 'items/q1.xml, line 3' */
  place: string
  stem: PlainText
  /** `credit`: percent of the points that choosing it gives; below 0 takes some away */
  options: { text: PlainText; credit: number; feedback?: PlainText }[]
  explanation?: PlainText
  /** its group in the file */
  category?: string
  /** of the test's two forms, the one that asks it; left out: both, or the file knows no forms */
  form?: Form | undefined
  /** what its reader found that keeps it out */
  flaw?: LeftOutReason | null
}

/** What a reader makes of a file. */
export interface Found {
  questions: FoundQuestion[]
  notices?: FileNotice[]
}

/** A question that its format's reader could not make anything of. */
export const flawedQuestion = (place: string, flaw: LeftOutReason, stem = ''): FoundQuestion => ({
  place,
  stem: plainText(stem),
  options: [],
  flaw,
})

/**
 * What a file calls a group of questions, without the folders around it: 'Bonds' of '$course$/top/Exam/Bonds'.
 * A slash that belongs to a name is written twice.
 */
export function categoryOf(path: string): string {
  const parts = path
    .replaceAll('//', '\0')
    .split('/')
    .map((part) => part.replaceAll('\0', '/').trim())
    .filter((part) => part !== '' && !/^(top|\$\w+\$)$/i.test(part))
  return parts.at(-1) ?? ''
}
