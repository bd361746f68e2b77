import { PROMPT_KINDS, type PromptKind } from './spoken-prompt.ts'

/** Three prompts take about ten minutes (product 3.13.1). */
const PROMPTS_AT_ONCE = 3

export interface PlannedPrompt {
  slug: string
  kind: PromptKind
  /** the day when it comes back; null before the first answer */
  next: string | null
}

export function duePrompts<P extends PlannedPrompt>(prompts: readonly P[], today: string): P[] {
  return prompts
    .filter(({ next }) => next !== null && next <= today)
    .sort((a, b) => (a.next ?? '').localeCompare(b.next ?? ''))
}

/** Picks at most three prompts: due ones, then new ones of the least answered kinds (product 3.13.1). */
export function planSession(prompts: readonly PlannedPrompt[], today: string): string[] {
  const planned: PlannedPrompt[] = duePrompts(prompts, today).slice(0, PROMPTS_AT_ONCE)
  const timesOf = (kind: PromptKind) =>
    [
      ...prompts.filter(({ next }) => next !== null),
      ...planned.filter(({ next }) => next === null),
    ].filter((prompt) => prompt.kind === kind).length
  while (planned.length < PROMPTS_AT_ONCE) {
    const fresh = prompts.filter((prompt) => prompt.next === null && !planned.includes(prompt))
    const [kind] = PROMPT_KINDS.filter((one) => fresh.some((prompt) => prompt.kind === one)).sort(
      (a, b) => timesOf(a) - timesOf(b),
    )
    const next = fresh.find((prompt) => prompt.kind === kind)
    if (!next) break
    planned.push(next)
  }
  return planned.map(({ slug }) => slug)
}

/** Says when something comes back: 'tomorrow', 'in 3 days', 'in 3 weeks', 'in 2 months'. Days are whole, from 1. */
export function whenAgain(days: number): string {
  if (days <= 1) return 'tomorrow'
  if (days >= 60) return `in ${Math.round(days / 30)} months`
  return days >= 14 && days % 7 === 0 ? `in ${days / 7} weeks` : `in ${days} days`
}

export function whenDue(days: number): string {
  return days <= 0 ? 'due today' : whenAgain(days)
}
