/*
 * What becomes of a file of questions that somebody hands in (product 7.2.6 to 7.2.11), and every sentence
 * about it.
 */

/** Bytes of a file of questions (product 7.2.9). */
export const QUESTION_FILE_BYTES = 5_000_000

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
export const COLUMN_ROLES = [
  'question',
  'a',
  'b',
  'c',
  'd',
  'correct',
  'explanation',
  'topic',
] as const
export type ColumnRole = (typeof COLUMN_ROLES)[number]

/** Where a table has what, as a person sets it on the screen: columns from 0, and rows above the first question. */
export interface TableLayout {
  columns: Partial<Record<ColumnRole, number>>
  skip: number
}
/** The largest of both, so that a layout names what a screen can show. */
export const LAYOUT_LIMITS = { column: 19, skip: 20 } as const

/** How a table begins, and how it was read or would be. */
export interface TableStart extends TableLayout {
  rows: string[][]
}

interface LeftOutWords {
  /** on a page, over those that share it */
  title: string
  /** of the questions that share it */
  what: string
  /** what their author can do about it */
  advice: string
  /** what can be done on the page, where it can be mended there */
  here?: string
}

/** Why a question is not imported, and what can be done about it; in the order in which they are told. */
export const LEFT_OUT = {
  too_few_options: {
    title: 'Fewer than four options',
    here: 'A question here has four. None is invented: add one.',
    what: 'has fewer than four options',
    advice:
      'Every question here has four: write the missing ones in the file, then import it again.',
  },
  too_many_options: {
    title: 'More than four options',
    here: 'A question here has four. Leave the weakest out.',
    what: 'has more than four options',
    advice: 'Every question here has four: take out the weakest ones in the file.',
  },
  several_keys: {
    title: 'More than one right answer',
    here: 'Here exactly one option is right. Choose which.',
    what: 'has more than one right option, or options that are right in part',
    advice: 'Choose the one that is right, and ask for it alone.',
  },
  no_key: {
    title: 'No key in the file',
    here: 'Choose the right one, unless it was a survey.',
    what: 'says of no option that it is right',
    advice: 'Mark the right one in the file.',
  },
  unknown_key: {
    title: 'The key names no option',
    here: 'Choose the right one.',
    what: 'has a key that names none of its options',
    advice: 'Write the letter of the right option in the file.',
  },
  true_false: {
    title: 'True or false',
    here: 'Give it four options.',
    what: 'is true or false',
    advice: 'Turn it into a question with four options.',
  },
  short_answer: {
    title: 'A typed word',
    here: 'Write four options, one of them the answer.',
    what: 'wants a typed word',
    advice: 'Offer the answer and three wrong ones.',
  },
  numerical: {
    title: 'A typed number',
    here: 'Write four options: the number and three that slips lead to.',
    what: 'wants a typed number',
    advice: 'Offer the number and three that common slips lead to.',
  },
  matching: { title: 'Matching', what: 'wants pairs', advice: 'Ask for one of the pairs.' },
  cloze: {
    title: 'Gaps in a text',
    what: 'has gaps in a text',
    advice: 'Ask for one of the gaps.',
  },
  essay: {
    title: 'A text of its own',
    what: 'wants a text of its own',
    advice: 'It can not be marked here; ask it elsewhere.',
  },
  other_kind: {
    title: 'Another kind',
    what: 'is of a kind that is not known here',
    advice: 'Only questions with four options and one right answer are imported.',
  },
  no_question: {
    title: 'No question',
    what: 'is a text without a question',
    advice: 'If candidates need it, write it into the question that follows.',
  },
  media: {
    title: 'A picture, a sound or a file',
    here: 'Nothing is fetched from elsewhere. Say in words what it shows.',
    what: 'has a picture, a sound, a file or a drawn formula',
    advice: 'Say in words what it shows, and take it out.',
  },
  empty_text: {
    title: 'Text is missing',
    here: 'Write it here.',
    what: 'has a question or an option without text',
    advice: 'Write the text in the file.',
  },
  same_options: {
    title: 'Two options are the same',
    here: 'Change one of them.',
    what: 'has two options that are the same',
    advice: 'Change one of them.',
  },
  too_long: {
    title: 'Too long',
    here: 'A question has 5,000 characters at most, an option 1,000.',
    what: 'is longer than a screen can show',
    advice: 'A question has 5,000 characters at most, an option 1,000.',
  },
  hidden_characters: {
    title: 'Characters that nobody sees',
    here: 'They are shown as \\u202e and the like. Take them out.',
    what: 'has characters that nobody sees, such as those that reverse the order of letters',
    advice: 'Type that part again instead of pasting it.',
  },
  formula_cell: {
    title: 'A formula in a cell',
    here: 'What it showed last is here; look whether it is meant.',
    what: 'has a cell that is a formula',
    advice: 'Paste the value in its place (paste special, values only).',
  },
  shaped_cell: {
    title: 'A number in another form',
    here: 'The sheet showed it otherwise, such as 10% for 0.1. Type what candidates shall read.',
    what: 'has a number that the sheet shows in another form, such as 10% or a date',
    advice: 'Format the cell as text, and type what candidates shall read.',
  },
  unreadable: {
    title: 'Cannot be read',
    what: 'can not be read: something is missing or in the wrong place',
    advice: 'Compare it with one that can; the lines are named.',
  },
  same_question: {
    title: 'Twice in the file',
    what: 'asks the same as another one of the file',
    advice: 'The first of them is imported.',
  },
  asked_already: {
    title: 'In the assessment already',
    what: 'is in the assessment already',
    advice: 'Nothing needs to be done: it stays as it is.',
  },
  sample: {
    title: 'One of Superday’s samples',
    what: "is one of Superday's samples",
    advice: 'Everybody can read their keys: write one of your own.',
  },
} as const satisfies Record<string, LeftOutWords>
export type LeftOutReason = keyof typeof LEFT_OUT

/**
 * Whether somebody can mend a question where it stands: where the only trouble is a text, an option or a key that
 * can be typed (product 7.9.32). Of what is out of order in its file some options have to be left.
 */
export function isMendable(reason: LeftOutReason, options: readonly unknown[]): boolean {
  const words: LeftOutWords = LEFT_OUT[reason]
  return words.here !== undefined || (reason === 'unreadable' && options.length > 1)
}

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
    'The file does not say how its letters are written; it was read as Windows text. Look whether accents are right, or choose another encoding.',
  settings_ignored: 'Times, points and settings in the file are not taken over.',
  columns_ignored: 'Further columns are not taken over.',
  broken_off: 'The file is damaged; what stands behind that place was not read.',
  zips_inside: 'It holds other zip files, which were not opened; import them one by one.',
} as const
export type FileNotice = keyof typeof FILE_NOTICES

/** Short marks on questions that can be imported; the sentence is NOTICES'. */
export const NOTICE_MARKS: Record<Notice, string> = {
  partial_credit: 'part credit lost',
  refers_to_options: 'speaks of options',
  formula_source: 'formula as typed',
  layout: 'layout lost',
  script: 'program taken out',
}

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
  yaml: 'This is a whole test as a YAML file, not questions alone.',
  empty: 'The file is empty.',
  unknown_format:
    'The file is in no format that is known here: GIFT, Aiken, Moodle XML, QTI, CSV, or an .xlsx such as those of Kahoot and Quizizz. Where you know it, choose it above.',
  unknown_encoding:
    'The letters of the file are written in a way that is not known here; save it as UTF-8.',
  wrong_encoding: 'The file is not written in the encoding that you gave.',
  entities:
    'The file defines entities of its own, which are never followed; export it again, without a document type.',
  broken_xml: 'The file is no well-formed XML; export it again.',
  too_deep: 'The file is nested deeper than 64 levels, as no file of questions is.',
  too_many_elements: 'The file has more than 300,000 elements; export fewer questions at a time.',
  too_many_questions: 'The file has more than 5,000 questions; split it.',
  no_columns: 'Which column is what? Nothing in the table says it for certain.',
  column_missing: 'Choose a column for the question, for two options at least and for the key.',
  broken_csv: 'The table is no CSV: a quotation mark is missing somewhere.',
  too_much_to_show:
    'The file has more than 1,000 questions, or very long ones; that is more than can be looked through here. Split it.',
  too_slow: 'Reading the file took too long, so it was stopped; split it.',
  too_much_memory: 'Reading the file took too much memory, so it was stopped; split it.',
  busy: 'Others are importing files just now; please try again in a minute.',
  no_questions: 'There is no question in the file.',
  unreadable: 'The file can not be read; export it again, or in another format.',
} as const
export type FileProblem = keyof typeof FILE_PROBLEMS
