/** Formats that are written. */
export const WRITTEN_FORMATS = ['gift', 'aiken', 'moodle', 'qti3', 'csv'] as const
export type WrittenFormat = (typeof WRITTEN_FORMATS)[number]

/** Why a question can not be written in a format. */
export const NOT_WRITTEN = {
  aiken_lines:
    'Aiken has no way to write line breaks in an option, or lines that look like its own',
  control_characters: 'it has control characters, which XML can not hold',
} as const
export type NotWrittenReason = keyof typeof NOT_WRITTEN
