import * as z from 'zod/mini'

/** What the completion screen keeps in the browser's history, so that a reload shows it again. */
export const submittedStateSchema = z.object({
  /** whose it is: the history outlives a sign-out */
  userId: z.string(),
  /** of the assessment; missing in what an older page kept, like the strikes */
  code: z.optional(z.string()),
  title: z.string(),
  reference: z.string(),
  submittedAt: z.string(),
  reason: z.enum(['candidate', 'violations', 'deadline']),
  /** the society ended it before its time was over */
  endedBySociety: z.optional(z.literal(true)),
  lateCount: z.int(),
  strikes: z.optional(
    z.array(z.object({ kind: z.string(), key: z.optional(z.string()), at: z.string() })),
  ),
})
export type SubmittedState = z.infer<typeof submittedStateSchema>
