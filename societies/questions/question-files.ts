/*
 * What becomes of a file of questions that somebody imports (product 7.2.6 to 7.2.9), and every sentence about it.
 */

/** Bytes of a file of questions (product 7.2.9). */
export const QUESTION_FILE_BYTES = 5_000_000

/** Formats that are read, by what is in the file. */
export const FORMAT_NAMES = {
  aiken: 'Aiken',
  gift: 'GIFT',
  moodle: 'Moodle XML',
  qti: 'QTI',
  table: 'a table',
} as const
export type ReadFormat = keyof typeof FORMAT_NAMES

/** Formats in which questions are exported (product 7.2.11). */
export const WRITTEN_FORMATS = ['csv', 'gift'] as const
export type WrittenFormat = (typeof WRITTEN_FORMATS)[number]

interface LeftOutWords {
  title: string
  text: string
  /** the button that opens the question to be fixed on the page; left out where nothing can be fixed there */
  fix?: string
}
const words = (title: string, text: string, fix?: string): LeftOutWords => ({ title, text, fix })

/** Why a question is not imported, and what can be done about it, in the order in which the page lists them. */
export const LEFT_OUT = {
  too_few_options: words('Fewer than four options', 'Add the missing ones.', 'Add one'),
  too_many_options: words('More than four options', 'Leave out the weakest.', 'Leave one out'),
  several_keys: words('More than one right answer', 'Choose the right one.', 'Choose one'),
  no_key: words(
    'No key in the file',
    'Choose the right answer, unless it’s a survey.',
    'Choose one',
  ),
  unknown_key: words('The key names no option', 'Choose the right answer.', 'Choose one'),
  other_kind: words(
    'Another kind of question',
    'Write four options, or leave it out.',
    'Write options',
  ),
  no_question: words('No question', 'This is text without answers.'),
  media: words(
    'A picture, a sound or a file',
    'Pictures, sounds and files are not imported. Say in words what it shows.',
    'Describe it in words',
  ),
  empty_text: words(
    'Text is missing',
    'The question or an option is empty. Write it here.',
    'Change it',
  ),
  same_options: words('Two options are the same', 'Change one of them.', 'Change it'),
  too_long: words(
    'Too long',
    'A question can have 5,000 characters, an option 1,000.',
    'Change it',
  ),
  hidden_characters: words(
    'Invisible characters',
    'They are shown as \\u202e and the like. Take them out.',
    'Change it',
  ),
  formula_cell: words(
    'A formula in a cell',
    'Its last result is here. Check that it is what you mean.',
    'Change it',
  ),
  shaped_cell: words(
    'A formatted number',
    'The sheet shows it in another form, such as 10% for 0.1. Type what candidates should read.',
    'Change it',
  ),
  unreadable: words(
    'Unreadable',
    'Something is missing or in the wrong place. Compare it with a question that could be read.',
  ),
  same_question: words('Twice in the file', 'Only the first one is imported.'),
  asked_already: words('Already in this test', 'It stays as it is.'),
  sample: words(
    'One of Superday’s samples',
    'Everyone can read its key. Write a question of your own.',
  ),
} satisfies Record<string, LeftOutWords>
export type LeftOutReason = keyof typeof LEFT_OUT

/** The button that opens a question to be fixed on the page, or null where it can't be fixed there (product 7.9.32). */
export function fixOf(reason: LeftOutReason, options: readonly unknown[]): string | null {
  // Of a question that is broken in its file, the page can fix what was read.
  return (
    LEFT_OUT[reason].fix ?? (reason === 'unreadable' && options.length > 1 ? 'Change it' : null)
  )
}

/** What is said about a question that can be imported: a short mark, and a sentence. */
export const NOTICES = {
  partial_credit: {
    mark: 'part credit lost',
    text: 'Other options gave points too. Only the right one counts here.',
  },
  refers_to_options: {
    mark: 'mentions other options',
    text: 'It mentions other options (“all of the above”). Check that it still fits.',
  },
  formula_source: {
    mark: 'formula as typed',
    text: 'It has a formula in LaTeX, which is shown as it is typed.',
  },
  layout: {
    mark: 'layout lost',
    text: 'It had a table, or raised or lowered text. Check that it still reads well.',
  },
  script: { mark: 'script removed', text: 'It had a script, which was removed.' },
} as const
export type Notice = keyof typeof NOTICES

/** What is said about a file as a whole. */
export const FILE_NOTICES = {
  guessed_encoding:
    'The file doesn’t say how its letters are encoded, so it was read as Windows text. If accents look wrong, save it as UTF-8 and import it again.',
  columns_ignored: 'Other columns were not read.',
  sheets_ignored: 'Sheets without a heading row for questions were not read.',
  broken_off: 'The file is damaged. Nothing after the damaged place was read.',
  zips_inside: 'It contains other zip files, which were not opened. Import them one by one.',
} as const
export type FileNotice = keyof typeof FILE_NOTICES

/** Why a file is not read at all. */
export const FILE_PROBLEMS = {
  too_large: 'The file is larger than 5 MB. Export fewer questions at a time, without pictures.',
  unpacks_too_large:
    'Unpacked, the file is larger than 20 MB. Export fewer questions at a time, without pictures.',
  too_many_entries: 'The zip file holds more than 2,000 files. Export fewer questions at a time.',
  packed_too_tightly:
    'The zip file unpacks to more than a hundred times its size, so nothing of it was opened.',
  encrypted: 'The file has a password. Save it without one.',
  damaged_zip: 'The zip file is damaged. Export it again.',
  odd_path: 'The zip file names a file outside of itself, so nothing of it was opened.',
  only_zips: 'The zip file holds only other zip files. Unpack it and import them one by one.',
  old_office: 'This is an old Excel file, or one with a password. Save it as .xlsx without one.',
  word: 'This is a Word file. Copy the questions into a table (CSV or .xlsx), one question per row.',
  open_document: 'This is an OpenDocument file. Save it as .xlsx or CSV.',
  pdf: 'This is a PDF, which can’t be read reliably. Ask for the file it was made from.',
  only_a_list:
    'This file only lists its questions, which are in the files next to it. Import the whole zip file.',
  html: 'This is a web page. Export the questions as Moodle XML, GIFT or QTI.',
  yaml: 'This is a whole test as a YAML file, not only questions.',
  empty: 'The file is empty.',
  unknown_format: 'I found no questions in this file.',
  unknown_encoding: 'The letters of the file are encoded in an unknown way. Save it as UTF-8.',
  entities: 'The file defines XML entities, which are never followed. Export it without a DOCTYPE.',
  broken_xml: 'The file is not well-formed XML. Export it again.',
  too_deep: 'The file is nested deeper than 64 levels.',
  too_many_elements: 'The file has more than 300,000 elements. Export fewer questions at a time.',
  too_many_questions: 'The file has more than 5,000 questions. Split it.',
  no_columns:
    'The table has no heading row that I know. Name the columns in the first row: Question, Answer A, Answer B, Answer C, Answer D, Correct Option.',
  broken_csv: 'The table is not a valid CSV file: a quotation mark is missing somewhere.',
  too_much_to_show: 'The file has more than 1,000 questions, or very long ones. Split it.',
  sheet_too_long: 'The sheet is longer than 2,000 lines or 500,000 characters. Split it.',
  too_slow: 'Reading the file took too long, so it was stopped. Split it.',
  too_much_memory: 'Reading the file took too much memory, so it was stopped. Split it.',
  busy: 'Others are importing files right now. Try again in a minute.',
  no_questions: 'The file contains no question.',
  unreadable: 'The file can’t be read. Export it again, or in another format.',
} as const
export type FileProblem = keyof typeof FILE_PROBLEMS

/** How other programs write a file that can be read; the page asks for the program only when reading failed. */
export const PROGRAMS: readonly { name: string; advice: string }[] = [
  { name: 'Moodle', advice: 'In the question bank, choose Export and then Moodle XML.' },
  {
    name: 'Canvas, Blackboard or another learning platform',
    advice: 'Export the quiz as QTI 1.2 or 2 and import the whole zip file.',
  },
  {
    name: 'Excel, Google Sheets or Numbers',
    advice:
      'Save it as .xlsx or CSV. Name the columns in the first row: Question, Answer A, Answer B, Answer C, Answer D, Correct Option.',
  },
  {
    name: 'Kahoot or Quizizz',
    advice: 'Import the spreadsheet with the questions, not the report with the results.',
  },
  {
    name: 'Word or another text program',
    advice:
      'Paste the text instead. Options begin with A. to D., and a line such as “ANSWER: B” ends each question.',
  },
]
