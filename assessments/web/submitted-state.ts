import * as z from 'zod/mini'

/** What the completion screen keeps in the browser's history, so that a reload shows it again. */
export const submittedStateSchema = z.object({
  /** whose it is: the history outlives a sign-out */
  userId: z.string(),
  title: z.string(),
  reference: z.string(),
  submittedAt: z.string(),
  reason: z.enum(['candidate', 'violations', 'deadline']),
  lateCount: z.int(),
})
export type SubmittedState = z.infer<typeof submittedStateSchema>
