import type { Filter } from './filters.ts'

/** Filters with how many each shows, one pressed at a time. */
export function FilterButtons(props: {
  filters: readonly (Filter & { count: number })[]
  chosen: string | undefined
  onChoose: (id: string) => void
}) {
  return props.filters.map(({ id, label, count }) => (
    <button
      key={id}
      type="button"
      aria-pressed={id === props.chosen}
      onClick={() => props.onChoose(id)}
    >
      {label}
      <small>{count}</small>
    </button>
  ))
}
