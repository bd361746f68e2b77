/** What a student can say is wrong with a question. */
export const REPORT_REASONS = ['wrong_answer', 'unclear', 'typo', 'other'] as const
export type ReportReason = (typeof REPORT_REASONS)[number]

/** Characters of a report's own words. */
export const REPORT_DETAILS_LIMIT = 2000
