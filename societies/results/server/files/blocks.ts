import type { Block } from '../../../../platform/server/documents/pdf.ts'

export const heading = (text: string): Block => ({ kind: 'heading', text })
export const paragraph = (text: string): Block => ({ kind: 'paragraph', text })

/** Texts with their labels; a label without a text is left out. */
export const facts = (labeled: readonly [label: string, text: string | null][]): Block => ({
  kind: 'facts',
  facts: labeled.flatMap(([label, text]) => (text === null ? [] : [{ label, text }])),
})

/** @param columns their parts of the page's width, by label */
export const table = (columns: Record<string, number>, rows: string[][]): Block => ({
  kind: 'table',
  columns: Object.entries(columns).map(([label, parts]) => ({ label, parts })),
  rows,
})
