/*
 * What becomes of a file of questions that somebody hands in (product 7.2.6 to 7.2.11), and every sentence
 * about it: the command line and the browser say the same.
 */

/** Formats that are read. */
export const READ_FORMATS = [
  'aiken',
  'gift',
  'moodle',
  'qti12',
  'qti2',
  'qti3',
  'csv',
  'xlsx',
  'kahoot',
  'quizizz',
] as const
export type ReadFormat = (typeof READ_FORMATS)[number]

/** Formats that are written. */
export const WRITTEN_FORMATS = ['gift', 'aiken', 'moodle', 'qti3', 'csv'] as const
export type WrittenFormat = (typeof WRITTEN_FORMATS)[number]

export const FORMAT_NAMES: Record<ReadFormat, string> = {
  aiken: 'Aiken',
  gift: 'GIFT',
  moodle: 'Moodle XML',
  qti12: 'QTI 1.2',
  qti2: 'QTI 2',
  qti3: 'QTI 3',
  csv: 'CSV',
  xlsx: 'a spreadsheet',
  kahoot: 'a Kahoot spreadsheet',
  quizizz: 'a Quizizz spreadsheet',
}

/** Encodings of texts. */
export const ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const
export type Encoding = (typeof ENCODINGS)[number]

/** The columns of a table that questions are made of. */
export const COLUMN_ROLES = ['question', 'a', 'b', 'c', 'd', 'correct', 'explanation'] as const
export type ColumnRole = (typeof COLUMN_ROLES)[number]

interface LeftOutWords {
  /** of the questions that share it */
  what: string
  /** what their author can do about it */
  advice: string
}

/** Why a question is not imported, and what can be done about it; in the order in which they are told. */
export const LEFT_OUT = {
  too_few_options: {
    what: 'has fewer than four options',
    advice:
      'Every question here has four: write the missing ones in the file, then import it again.',
  },
  too_many_options: {
    what: 'has more than four options',
    advice: 'Every question here has four: take out the weakest ones in the file.',
  },
  several_keys: {
    what: 'has more than one right option, or options that are right in part',
    advice: 'Choose the one that is right, and ask for it alone.',
  },
  no_key: {
    what: 'says of no option that it is right',
    advice: 'Mark the right one in the file.',
  },
  true_false: {
    what: 'is true or false',
    advice: 'Turn it into a question with four options.',
  },
  short_answer: {
    what: 'wants a typed word',
    advice: 'Offer the answer and three wrong ones.',
  },
  numerical: {
    what: 'wants a typed number',
    advice: 'Offer the number and three that common slips lead to.',
  },
  matching: { what: 'wants pairs', advice: 'Ask for one of the pairs.' },
  cloze: { what: 'has gaps in a text', advice: 'Ask for one of the gaps.' },
  essay: {
    what: 'wants a text of its own',
    advice: 'It can not be marked here; ask it elsewhere.',
  },
  other_kind: {
    what: 'is of a kind that is not known here',
    advice: 'Only questions with four options and one right answer are imported.',
  },
  no_question: {
    what: 'is a text without a question',
    advice: 'If candidates need it, write it into the question that follows.',
  },
  media: {
    what: 'has a picture, a sound, a file or a drawn formula',
    advice: 'Say in words what it shows, and take it out.',
  },
  empty_text: {
    what: 'has a question or an option without text',
    advice: 'Write the text in the file.',
  },
  same_options: { what: 'has two options that are the same', advice: 'Change one of them.' },
  too_long: {
    what: 'is longer than a screen can show',
    advice: 'A question has 5,000 characters at most, an option 1,000.',
  },
  hidden_characters: {
    what: 'has characters that nobody sees, such as those that reverse the order of letters',
    advice: 'Type that part again instead of pasting it.',
  },
  formula_cell: {
    what: 'has a cell that is a formula',
    advice: 'Paste the value in its place (paste special, values only).',
  },
  shaped_cell: {
    what: 'has a number that the sheet shows in another form, such as 10% or a date',
    advice: 'Format the cell as text, and type what candidates shall read.',
  },
  unreadable: {
    what: 'can not be read: something is missing or in the wrong place',
    advice: 'Compare it with one that can; the lines are named.',
  },
  same_question: {
    what: 'asks the same as another one of the file',
    advice: 'The first of them is imported.',
  },
  asked_already: {
    what: 'is in the assessment already',
    advice: 'Nothing needs to be done: it stays as it is.',
  },
  sample: {
    what: "is one of Superday's samples",
    advice: 'Everybody can read their keys: write one of your own.',
  },
} as const satisfies Record<string, LeftOutWords>
export type LeftOutReason = keyof typeof LEFT_OUT

/** What is told of a question that is imported nevertheless, as a sentence about several. */
export const NOTICES = {
  partial_credit: 'gave points for other options too; only the right one counts here',
  refers_to_options: 'speaks of other options ("all of the above"); look whether it still fits',
  formula_source: 'has a formula in LaTeX, which is shown as it is typed',
  layout: 'had a table, or raised or lowered text; look whether it still reads well',
  script: 'had a program in it, which was taken out',
} as const
export type Notice = keyof typeof NOTICES

/** What is told of a file as a whole. */
export const FILE_NOTICES = {
  guessed_encoding:
    'The file does not say how its letters are written; it was read as Windows text (windows-1252). Look whether accents are right, or give --encoding.',
  settings_ignored: 'Times, points and settings in the file are not taken over.',
  columns_ignored: 'Further columns are not taken over.',
  broken_off: 'The file is damaged; what stands behind that place was not read.',
  zips_inside: 'It holds other zip files, which were not opened; import them one by one.',
} as const
export type FileNotice = keyof typeof FILE_NOTICES

/** Why a file is not read at all. */
export const FILE_PROBLEMS = {
  too_large: 'The file is larger than 5 MB; export fewer questions at a time, without pictures.',
  unpacks_too_large:
    'Unpacked, the file is larger than 20 MB; export fewer questions at a time, without pictures.',
  too_many_entries: 'The zip file holds more than 2,000 files; export fewer questions at a time.',
  packed_too_tightly:
    'The zip file unpacks to more than a hundred times its size, as no file of questions does; nothing of it was opened.',
  encrypted: 'The file has a password; save it without one.',
  damaged_zip: 'The zip file is damaged; export it again.',
  odd_path: 'The zip file names a file outside of itself; nothing of it was opened.',
  only_zips: 'The zip file holds other zip files only; unpack it and import them one by one.',
  old_office:
    'This is an Excel file of the old kind, or one with a password; save it as .xlsx without one.',
  word: 'This is a Word file; copy the questions into a table (CSV or .xlsx), a question a row.',
  open_document: 'This is an OpenDocument file; save it as .xlsx or CSV.',
  pdf: 'This is a PDF, from which questions can not be read reliably; ask for the file it was made of.',
  only_a_list:
    'This file only lists its questions, which stand in files beside it; import the whole zip file.',
  html: 'This is a web page; export the questions as Moodle XML, GIFT or QTI.',
  yaml: 'This is a test as a YAML file: assessments load reads it.',
  empty: 'The file is empty.',
  unknown_format:
    'The file is in no format that is known here: GIFT, Aiken, Moodle XML, QTI, CSV, or an .xlsx such as those of Kahoot and Quizizz. Where you know it, give --format.',
  unknown_encoding:
    'The letters of the file are written in a way that is not known here; save it as UTF-8.',
  wrong_encoding: 'The file is not written in the encoding that you gave.',
  entities:
    'The file defines entities of its own, which are never followed; export it again, without a document type.',
  broken_xml: 'The file is no well-formed XML; export it again.',
  too_deep: 'The file is nested deeper than 64 levels, as no file of questions is.',
  too_many_elements: 'The file has more than 300,000 elements; export fewer questions at a time.',
  too_many_questions: 'The file has more than 5,000 questions; split it.',
  no_columns:
    'The table has no row with the names of its columns: Question, Answer A, Answer B, Answer C, Answer D, Correct Option. Where yours are called differently, say so with --column.',
  column_missing: 'The table has no column of a name that you gave with --column.',
  broken_csv: 'The table is no CSV: a quotation mark is missing somewhere.',
  too_slow: 'Reading the file took too long, so it was stopped; split it.',
  too_much_memory: 'Reading the file took too much memory, so it was stopped; split it.',
  busy: 'Others are importing files just now; please try again in a minute.',
  no_questions: 'There is no question in the file.',
  unreadable: 'The file can not be read; export it again, or in another format.',
} as const
export type FileProblem = keyof typeof FILE_PROBLEMS

/** Why a question can not be written in a format. */
export const NOT_WRITTEN = {
  aiken_lines:
    'Aiken has no way to write line breaks in an option, or lines that look like its own',
  control_characters: 'it has control characters, which XML can not hold',
} as const
export type NotWrittenReason = keyof typeof NOT_WRITTEN
