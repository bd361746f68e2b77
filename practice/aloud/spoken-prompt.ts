import * as z from 'zod/mini'

export const PROMPT_KINDS = ['technical', 'deal', 'market', 'behavioral'] as const
export type PromptKind = (typeof PROMPT_KINDS)[number]

export const KIND_NAMES: Record<PromptKind, string> = {
  technical: 'Technical',
  deal: 'Deal and pitch',
  market: 'Market view',
  behavioral: 'Behavioral',
}

export const SPEAKING_SECONDS = 90
export const LAST_SECONDS = 15

export const POINT_COUNT = 6

const passageSchema = z.strictObject({ text: z.string(), points: z.array(z.int()) })
export type Passage = z.infer<typeof passageSchema>

export const promptHeadSchema = z.strictObject({
  slug: z.string(),
  prompt: z.string(),
  kind: z.enum(PROMPT_KINDS),
  topic: z.string(),
})

export const spokenPromptSchema = z.strictObject({
  ...promptHeadSchema.shape,
  hint: z.string(),
  /** the model answer in 30 seconds and in two minutes */
  short: z.array(passageSchema),
  long: z.array(passageSchema),
  points: z.array(z.strictObject({ say: z.string(), note: z.optional(z.string()) })),
  wrongTurn: z.string(),
  followUps: z.array(z.strictObject({ prompt: z.string(), answer: z.string() })),
})
export type SpokenPrompt = z.infer<typeof spokenPromptSchema>

/** The person's rating of a spoken answer: 1 not yet, 2 shaky, 3 good, 4 fluent (product 3.13.7). */
export const RATINGS = [1, 2, 3, 4] as const
export type Rating = (typeof RATINGS)[number]

export const RATING_NAMES: Record<Rating, string> = {
  1: 'Not yet',
  2: 'Shaky',
  3: 'Good',
  4: 'Fluent',
}

/** Proposes a rating by ticked points (product 3.13.7), but never Fluent, because points don't show how it sounded. */
export function proposeRating(pointsSaid: number): Rating {
  if (pointsSaid >= POINT_COUNT) return 3
  return pointsSaid >= 4 ? 2 : 1
}
