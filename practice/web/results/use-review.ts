import { useState } from 'react'
import type { Reviewed } from './results-facts.ts'

/** Which questions of the review are open, wrong ones first (product 3.5.13), and how to move between them. */
export function useReview(reviewed: readonly Reviewed[]) {
  const [open, setOpen] = useState<ReadonlySet<number>>(
    () => new Set(reviewed.filter(({ isCorrect }) => !isCorrect).map(({ number }) => number)),
  )

  function toggle(number: number): void {
    setOpen((current) => {
      const next = new Set(current)
      if (!next.delete(number)) next.add(number)
      return next
    })
  }

  return {
    isOpen: (number: number) => open.has(number),
    toggle,
    show(number: number): void {
      setOpen((current) => new Set(current).add(number))
      goTo(number)
    },
  }
}
export type Review = ReturnType<typeof useReview>

/** The line of a question, where it is shown. */
const lineOf = (number: number) =>
  document.querySelector<HTMLElement>(`#question-${number} .reviewed-line`)

function goTo(number: number): void {
  const line = lineOf(number)
  line?.focus({ preventScroll: true })
  line?.scrollIntoView({ block: 'start' })
}

/** The question that has the focus; 0 for none. */
function currentNumber(): number {
  const item = document.activeElement?.closest('[id^="question-"]')
  return item ? Number(item.id.split('-')[1]) : 0
}

/** Goes some questions on or back among those shown (J and K). */
export function goBy(step: 1 | -1): void {
  const shown = [...document.querySelectorAll('.reviewed')].map(({ id }) =>
    Number(id.split('-')[1]),
  )
  const current = currentNumber()
  const next =
    step === 1 ? shown.find((number) => number > current) : shown.findLast((n) => n < current)
  if (next !== undefined) goTo(next)
}

/** Opens or closes the question that has the focus (O). */
export function toggleCurrent(review: Review): void {
  const current = currentNumber()
  if (current > 0) review.toggle(current)
}
