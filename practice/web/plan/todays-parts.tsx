import { Check, ChevronRight } from 'lucide-react'
import { Link } from 'react-router'
import { deviceStore } from '../../../platform/web/storage.ts'
import { countOf } from '../../../platform/words.ts'
import {
  dayOfPlan,
  isOfQuestions,
  leftOfDay,
  QUESTIONS_A_MINUTE,
  questionsOf,
} from '../../schedule/plan.ts'
import type { TodaysPlan } from '../dashboard/lead-content.ts'
import { OnLink } from '../kit.tsx'
import { wordsOf } from './words.ts'

// That the formula sheet was opened is known on this device only.
const SHEET = 'superday-formula-sheet'

export function standOf({ plan, of, tens, done }: TodaysPlan, day: string) {
  const left = questionsOf(tens)
  const planned = dayOfPlan(plan, day)
    .parts.map((part) =>
      isOfQuestions(part.kind)
        ? { ...part, count: of, minutes: Math.ceil(of / QUESTIONS_A_MINUTE) }
        : part,
    )
    .filter(({ count }) => count > 0)
  const sheet = deviceStore.get(SHEET) === day ? 1 : 0
  const parts = leftOfDay(planned, left, { ...done, 'formula-sheet': sheet }).map((part, at) => ({
    ...part,
    isDone: part.count === 0,
    whole: planned[at] ?? part,
    open: () => part.kind === 'formula-sheet' && deviceStore.set(SHEET, day),
  }))
  return { of, tens, left, answered: of - left, parts, next: parts.find(({ isDone }) => !isDone) }
}
export type Stand = ReturnType<typeof standOf>

export function nextInWords({ next, left, answered }: Stand): string {
  if (!next) return 'Today is done'
  if (!isOfQuestions(next.kind)) return wordsOf(next).text
  return `${countOf(left, 'question')} ${answered === 0 ? 'today' : 'left today'}`
}

export function StartNext({ stand: { next, answered, tens } }: { stand: Stand }) {
  if (!next) return null
  const { to, start } = wordsOf(next)
  const ten = questionsOf(tens.slice(0, 1))
  return (
    <OnLink to={to} onClick={next.open}>
      {next.kind !== 'due-and-new'
        ? start
        : ten < 10
          ? `Start last ${ten}`
          : `Start ${answered === 0 ? 'first' : 'next'} ten`}
    </OnLink>
  )
}

export function PartRows({ stand: { parts, next } }: { stand: Stand }) {
  return (
    <ul className="part-rows">
      {parts.map((part) => (
        <li key={part.kind}>
          <Link to={wordsOf(part).to} onClick={part.open} className="part-row hover:bg-sunken">
            <span
              className={`part-mark ${part.isDone ? 'is-done' : part === next ? 'is-next' : ''}`}
            >
              {part.isDone && <Check size={13} aria-hidden />}
            </span>
            <span className={part.isDone ? 'text-ink-2' : 'font-[550]'}>
              {wordsOf(part.whole).text}
              {part.isDone && <span className="sr-only">, done</span>}
            </span>
            <span className="hint flex items-center gap-2.5">
              {part.whole.minutes} min
              <ChevronRight size={18} aria-hidden />
            </span>
          </Link>
        </li>
      ))}
    </ul>
  )
}
