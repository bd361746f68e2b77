import type { UseQueryResult } from '@tanstack/react-query'
import { ArrowRight, Check, X } from 'lucide-react'
import { type ComponentProps, type KeyboardEvent, type ReactNode, useId } from 'react'
import { Link } from 'react-router'
import { Message } from '../../platform/web/ui/message.tsx'
import { NotLoaded } from '../../platform/web/ui/not-loaded.tsx'
import { LoadingNote, Skeleton } from '../../platform/web/ui/skeleton.tsx'
import { gradeOf } from '../scoring.ts'
import { isMissing } from './queries.ts'

export function Section(props: {
  id: string
  title: string
  hint?: ReactNode
  className?: string
  children: ReactNode
}) {
  return (
    <section aria-labelledby={props.id} className={props.className}>
      <div className="section-head">
        <h2 id={props.id} className="text-[23px]">
          {props.title}
        </h2>
        {props.hint && <p className="hint">{props.hint}</p>}
      </div>
      {props.children}
    </section>
  )
}

export function OnLink({ className = '', children, ...link }: ComponentProps<typeof Link>) {
  return (
    <Link {...link} className={`btn btn-big ${className}`}>
      {children}
      <ArrowRight size={18} className="flex-none" aria-hidden />
    </Link>
  )
}

const STYLES = {
  green: { text: 'grade-right', chip: 'chip-right', word: 'Strong' },
  yellow: { text: 'grade-mid', chip: 'chip-mid', word: 'Getting there' },
  red: { text: 'grade-wrong', chip: 'chip-wrong', word: 'Needs practice' },
} as const

export function scoreStyle(percentage: number): { text: string; chip: string; word: string } {
  return STYLES[gradeOf(percentage).color]
}

export function Score({ percentage }: { percentage: number }) {
  const { text, word } = scoreStyle(percentage)
  return (
    <span className={text}>
      <span className="font-medium">{percentage}%</span> {word}
    </span>
  )
}

export function Choices<Value extends string | number>(props: {
  legend: string
  options: readonly (readonly [value: Value, label: string])[]
  /** a list has check boxes */
  chosen: Value | undefined | readonly Value[]
  onChoose: (value: Value) => void
  /** how many boxes can be checked */
  most?: number
}) {
  const name = useId()
  const { chosen, most } = props
  const list = Array.isArray(chosen) ? (chosen as readonly Value[]) : null
  return (
    <fieldset className="flex flex-wrap gap-1.5">
      <legend className="sr-only">{props.legend}</legend>
      {props.options.map(([value, label]) => (
        <label
          key={value}
          className="relative flex min-h-11 min-w-11 cursor-pointer items-center justify-center rounded-md border border-[var(--line-strong)] px-3 text-[15px] text-ink-2 hover:text-ink has-checked:border-ink has-checked:bg-sunken has-checked:font-medium has-checked:text-ink has-focus-visible:outline-2 has-focus-visible:outline-accent has-focus-visible:outline-offset-2"
        >
          <input
            type={list ? 'checkbox' : 'radio'}
            name={list ? undefined : name}
            checked={list ? list.includes(value) : chosen === value}
            disabled={list !== null && list.length === most && !list.includes(value)}
            onChange={() => props.onChoose(value)}
            className="absolute inset-0 cursor-pointer opacity-0"
          />
          {label}
        </label>
      ))}
    </fieldset>
  )
}

/** Adds a value to a list, or removes it. */
export const toggled = <T,>(list: readonly T[], value: T): T[] =>
  list.includes(value) ? list.filter((one) => one !== value) : [...list, value]

/** Right is a filled circle with a check mark, and wrong is an open one with a cross, so color isn't needed. */
export function Verdict({ isCorrect }: { isCorrect: boolean }) {
  return (
    <span aria-hidden className={`verdict ${isCorrect ? 'verdict-right' : 'verdict-wrong'}`}>
      {isCorrect ? <Check size={14} strokeWidth={2.25} /> : <X size={13} strokeWidth={2.25} />}
    </span>
  )
}

const STEPS: Record<string, number> = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }

export function moveByArrows(event: KeyboardEvent, list: HTMLElement | null): void {
  const step = STEPS[event.key]
  if (!step || !list || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
  const stops = [...list.querySelectorAll<HTMLElement>('a[href], button')]
  const next = stops[stops.indexOf(document.activeElement as HTMLElement) + step]
  if (!next || !list.contains(document.activeElement)) return
  event.preventDefault()
  next.focus()
}

/** Gray shapes reserve the space of loading content. */
export function Loading({ note, shapes }: { note: string; shapes: readonly string[] }) {
  return (
    <>
      <LoadingNote>{note}</LoadingNote>
      {shapes.map((shape, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: shapes never move
        <Skeleton key={index} className={shape} />
      ))}
    </>
  )
}

/** Shows a query's data, gray shapes while it loads, or an error with a retry button. */
export function Loaded<Data>(props: {
  query: UseQueryResult<Data>
  note: string
  shapes: readonly string[]
  failed: ReactNode
  children: (data: Data) => ReactNode
}) {
  const { query } = props
  if (query.data !== undefined) return props.children(query.data)
  return query.isError ? props.failed : <Loading note={props.note} shapes={props.shapes} />
}

/** Says that an optional part of the page failed to load. */
export function RetryLine(props: { children: string; onRetry: () => void; className: string }) {
  return (
    <p role="alert" className={props.className}>
      {props.children}{' '}
      <button type="button" className="link" onClick={props.onRetry}>
        Try again
      </button>
    </p>
  )
}

export function Figure(props: { label: string; className?: string; children: ReactNode }) {
  return (
    <div className="flex flex-col-reverse justify-end">
      <dt className="hint mt-1.5">{props.label}</dt>
      <dd className={`fig ${props.className ?? ''}`}>{props.children}</dd>
    </div>
  )
}

/** A page with one message and one way on. */
export function DeadEnd(props: { title: string; to: string; name: string; children?: string }) {
  return (
    <Message
      title={props.title}
      actions={
        <Link to={props.to} className="btn">
          {props.name}
        </Link>
      }
    >
      {props.children}
    </Message>
  )
}

/** Says that an item doesn't exist, or that it could not be loaded and can be tried again. */
export function NotThere(props: {
  query: UseQueryResult
  gone: string
  failed: string
  wayOut: { to: string; name: string }
}) {
  const { query, wayOut } = props
  return isMissing(query.error) ? (
    <NotLoaded title={props.gone} query={null} wayOut={wayOut} />
  ) : (
    <NotLoaded title={props.failed} query={query} wayOut={wayOut} />
  )
}
