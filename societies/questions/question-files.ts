// Rules for importing a file of questions (product 7.2.6 to 7.2.9), and all messages about it.

/** Maximum size of a question file in bytes (product 7.2.9). */
export const QUESTION_FILE_BYTES = 5_000_000

/** Formats that can be imported. The content of a file decides its format. */
export const FORMAT_NAMES = {
  list: 'a list in plain text',
  gift: 'GIFT',
  moodle: 'Moodle XML',
  qti: 'QTI',
  table: 'a table',
} as const
export type ReadFormat = keyof typeof FORMAT_NAMES

/** Formats in which questions are exported (product 7.2.11). */
export const WRITTEN_FORMATS = ['csv', 'gift'] as const
export type WrittenFormat = (typeof WRITTEN_FORMATS)[number]

/** Reasons why a question can't be imported, with advice, in the order of the page. */
export const LEFT_OUT = {
  too_few_options: 'Fewer than four options. Add the missing ones.',
  too_many_options: 'More than four options. Remove the weakest.',
  several_keys: 'More than one right answer. Choose the right one.',
  no_key: 'No key in the file. Choose the right answer, unless it’s a survey.',
  unknown_key: 'The key names no option. Choose the right answer.',
  unclear_key:
    'The key matches two options. Choose the key format above, or choose the right answer.',
  other_kind: 'Another kind of question. Write four options, or skip it.',
  no_question: 'No question. This is text without answers.',
  media: 'An image, a sound or a file. These are not imported. Describe in words what it shows.',
  empty_text: 'Text is missing. The question or an option is empty. Write it here.',
  same_options: 'Two options are the same. Change one of them.',
  too_long: 'Too long. A question can have 5,000 characters, an option 1,000.',
  hidden_characters: 'Invisible characters. They are shown as codes such as \\u202e. Remove them.',
  formula_cell: 'A formula in a cell. Its last result is here. Check that it is right.',
  shaped_cell:
    'A formatted number. The sheet shows it in another form, such as 10% for 0.1. Type what candidates should read.',
  struck_cell:
    'Struck-through text in a cell. It is included here. Keep only what candidates should read.',
  hidden_cell:
    'A hidden cell. Its row, column or sheet is hidden. Check that candidates should see this question.',
  unreadable:
    'Unreadable. Something is missing or in the wrong place. Compare it with a question that could be read.',
  same_question: 'Twice in the file. Only the first one is imported.',
  asked_already: 'Already in this test. It stays unchanged.',
  sample: 'One of Superday’s samples. Its key is public. Write your own question.',
} as const
export type LeftOutReason = keyof typeof LEFT_OUT

/** Labels of the buttons that open a question for fixing on the page; null if it can't be fixed there. */
const FIXES: { readonly [reason in LeftOutReason]?: string | null } = {
  too_few_options: 'Add one',
  too_many_options: 'Leave one out',
  several_keys: 'Choose one',
  no_key: 'Choose one',
  unknown_key: 'Choose one',
  unclear_key: 'Choose one',
  other_kind: 'Write options',
  media: 'Describe it in words',
  ...{ no_question: null, same_question: null, asked_already: null, sample: null },
}

/** The button that fixes a question, or null (product 7.9.32). */
export function fixOf(reason: LeftOutReason, options: readonly unknown[]): string | null {
  // If a question is broken in its file, the parts that were read can be fixed on the page.
  if (reason === 'unreadable' && options.length < 2) return null
  const fix = FIXES[reason]
  return fix === undefined ? 'Change it' : fix
}

/** Notices about an importable question: a short label and details (titleAndRest). */
export const NOTICES = {
  partial_credit:
    'partial credit lost. Other options gave points too. Only the right one counts here.',
  refers_to_options:
    'mentions other options. It mentions other options (“all of the above”). Check that it still fits.',
  other_explained:
    'explanation and key differ. The explanation quotes an option other than the key. Check the key.',
  formula_source: 'formula as typed. It has a formula in LaTeX, which is shown as typed.',
  layout:
    'layout lost. It had a table, struck-through text, superscripts or subscripts. Check that it still reads well.',
  markdown: 'Markdown as typed. Characters such as ** are shown as typed. Remove them.',
  numbering:
    'numbers removed. The number before the question or the letters before its options were removed.',
  script: 'script removed. It had a script, which was removed.',
} as const
export type Notice = keyof typeof NOTICES

export const FILE_NOTICES = {
  guessed_encoding:
    'The file doesn’t declare its encoding, so it was read as Windows text. If accents look wrong, save it as UTF-8 and import it again.',
  answer_apart:
    'The right answer had its own column. It became one of the four options, at a varying position.',
  broken_off: 'The file is damaged. Nothing after the damaged part was read.',
  zips_inside: 'It contains other zip files, which were not opened. Import them one by one.',
} as const
export type FileNotice = keyof typeof FILE_NOTICES

/** Meanings of table columns. A member can choose them if a name was guessed wrong. */
export const COLUMN_ROLES = {
  question: 'Question',
  option: 'Option',
  correct: 'Right answer',
  explanation: 'Explanation',
  topic: 'Topic',
  type: 'Kind of question',
  image: 'Image',
  form: 'Form',
  none: 'Leave out',
} as const
export type ColumnRole = keyof typeof COLUMN_ROLES

export const KEY_FORMS = {
  letter: 'Letters, from A',
  text: 'The text of the option',
  one: 'Numbers, from 1',
  zero: 'Numbers, from 0',
  apart: 'The right answer, separate from the options',
} as const
export type KeyForm = keyof typeof KEY_FORMS

/** How a member wants a table read, with its columns in the order of the response. */
export interface AskedTable {
  columns?: readonly ColumnRole[] | undefined
  keys?: KeyForm | undefined
}

export const FILE_PROBLEMS = {
  too_large: 'The file is larger than 5 MB. Export fewer questions at a time, without images.',
  unpacks_too_large:
    'Unpacked, the file is larger than 20 MB. Export fewer questions at a time, without images.',
  too_many_entries: 'The zip file has more than 2,000 files. Export fewer questions at a time.',
  packed_too_tightly:
    'The zip file unpacks to more than a hundred times its size, so it wasn’t opened.',
  encrypted: 'The file has a password. Save it without one.',
  damaged_zip: 'The zip file is damaged. Export it again.',
  odd_path: 'The zip file refers to a file outside itself, so it wasn’t opened.',
  only_zips: 'The zip file contains only other zip files. Unpack it and import them one by one.',
  old_office: 'This is an old Excel file, or one with a password. Save it as .xlsx without one.',
  word: 'This is a Word file. Copy the questions into a table (CSV or .xlsx), one question per row.',
  open_document: 'This is an OpenDocument file. Save it as .xlsx or CSV.',
  pdf: 'This is a PDF, which can’t be read reliably. Ask for the file it was made from.',
  only_a_list: 'This file only lists questions that are in other files. Import the whole zip file.',
  html: 'This is a web page. Export the questions as Moodle XML, GIFT or QTI.',
  yaml: 'This is a whole test as a YAML file, not only questions.',
  empty: 'The file is empty.',
  unknown_format:
    'No questions were found in this file. From Moodle, export Moodle XML. From Canvas or Blackboard, export QTI and import the whole zip file. Name a table’s columns in the first row: Question, Answer A, Answer B, Answer C, Answer D, Correct Option.',
  unknown_encoding: 'The file’s encoding is unknown. Save it as UTF-8.',
  entities: 'The file defines XML entities, which are never followed. Export it without a DOCTYPE.',
  broken_xml: 'The file is not well-formed XML. Export it again.',
  too_deep: 'The file is nested deeper than 64 levels.',
  too_many_elements: 'The file has more than 300,000 elements. Export fewer questions at a time.',
  too_many_questions: 'The file has more than 5,000 questions. Split it.',
  no_columns:
    'The table has no recognizable header row. Name the columns in the first row: Question, Answer A, Answer B, Answer C, Answer D, Correct Option.',
  broken_csv: 'The table is not a valid CSV file: a quotation mark is missing somewhere.',
  too_much_to_show: 'The file has more than 1,000 questions, or very long ones. Split it.',
  sheet_too_long: 'The sheet is longer than 2,000 lines or 500,000 characters. Split it.',
  too_slow: 'Reading the file took too long, so it was stopped. Split it.',
  too_much_memory: 'Reading the file took too much memory, so it was stopped. Split it.',
  busy: 'Others are importing files right now. Try again in a minute.',
  no_questions: 'The file contains no questions.',
  unreadable: 'The file can’t be read. Export it again, or in another format.',
} as const
export type FileProblem = keyof typeof FILE_PROBLEMS
