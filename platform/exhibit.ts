import * as z from 'zod/mini'

/** Limits of an exhibit's table, which has to fit next to a question on a laptop. */
export const TABLE_LIMITS = { rows: 40, columns: 12, cellCharacters: 200, characters: 10_000 }
/** Limits of an exhibit's image (product 7.9.12). */
export const PICTURE_LIMITS = { bytes: 500_000, pixels: 2_000 }
/** Image types, detected by their first bytes. */
export const PICTURE_TYPES = ['image/png', 'image/jpeg', 'image/webp'] as const
export type PictureType = (typeof PICTURE_TYPES)[number]
export const ALT_CHARACTERS = 500

/** Control characters and direction marks: they are invisible and change how text reads. */
const HIDDEN = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/u

/** A text without invisible characters. @param lines whether line breaks are allowed */
export const shownText = (most: number, lines = false) =>
  z.string().check(
    z.maxLength(most),
    z.refine((text) => !HIDDEN.test(lines ? text.replaceAll('\n', '') : text), {
      error: 'has characters that cannot be shown',
    }),
  )

const table = z.strictObject({
  kind: z.literal('table'),
  /** the first row is the header; all rows have the same number of cells */
  rows: z
    .array(
      z
        .array(shownText(TABLE_LIMITS.cellCharacters))
        .check(z.minLength(1), z.maxLength(TABLE_LIMITS.columns)),
    )
    .check(
      z.minLength(1),
      z.maxLength(TABLE_LIMITS.rows),
      z.refine((rows) => rows.every((row) => row.length === rows[0]?.length), {
        error: 'has rows of different lengths',
      }),
      z.refine((rows) => rows.flat().join('').length <= TABLE_LIMITS.characters, {
        error: 'has too much text',
      }),
    ),
})

const picture = z.strictObject({
  kind: z.literal('picture'),
  /** id of the stored bytes */
  picture: z.uuid(),
  /** what candidates who can't see the image need to answer the question */
  alt: shownText(ALT_CHARACTERS).check(z.trim(), z.minLength(1)),
  /** pixels */
  width: z.int().check(z.minimum(1), z.maximum(PICTURE_LIMITS.pixels)),
  height: z.int().check(z.minimum(1), z.maximum(PICTURE_LIMITS.pixels)),
})

/** The table or image that a question is about. */
export const exhibitSchema = z.union([table, picture])
export type Exhibit = z.infer<typeof exhibitSchema>
