import { CornerDownLeft, Delete } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { LONGEST_ANSWER } from '../../drill/fraction.ts'
import type { Sum } from '../../drill/sum.ts'

const TYPED = /^[\d.,/−-]*$/

/** Whether the field accepts a text: digits, point or comma, minus, and a fraction bar. */
export function mayBeTyped(text: string): boolean {
  return TYPED.test(text) && text.length <= LONGEST_ANSWER
}

export function TypedAnswer(props: {
  sum: Sum
  text: string
  onType: (text: string) => void
  onEnter: () => void
}) {
  const { sum, text } = props
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    const field = input.current
    field?.focus({ preventScroll: true })
    // React reports typed text only after it has changed.
    const refuse = (event: InputEvent) => {
      if (event.data !== null && !TYPED.test(event.data)) event.preventDefault()
    }
    // A click next to the field must not take the focus away.
    const refocus = (event: KeyboardEvent) => {
      if (event.target === document.body) field?.focus({ preventScroll: true })
    }
    field?.addEventListener('beforeinput', refuse)
    document.addEventListener('keydown', refocus)
    return () => {
      field?.removeEventListener('beforeinput', refuse)
      document.removeEventListener('keydown', refocus)
    }
  }, [])
  return (
    <form
      className="drill-field"
      onSubmit={(event) => {
        event.preventDefault()
        props.onEnter()
      }}
    >
      {sum.unit.before}
      <input
        ref={input}
        value={text}
        onChange={(event) => props.onType(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') props.onType('')
        }}
        aria-label={`Answer to ${sum.prompt}`}
        // Phones use the drawn keypad.
        inputMode={matchMedia('(pointer: coarse)').matches ? 'none' : 'decimal'}
        autoComplete="off"
        autoCorrect="off"
        spellCheck={false}
        maxLength={LONGEST_ANSWER}
      />
      {sum.unit.after}
    </form>
  )
}

const KEYS = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '.', '0']

export function Keypad(props: {
  onKey: (key: string) => void
  onDelete: () => void
  onEnter: (() => void) | null
}) {
  const { onKey, onDelete, onEnter } = props
  return (
    <section
      aria-label="Keys"
      className="drill-keypad"
      onPointerDown={(event) => event.preventDefault()}
    >
      {KEYS.map((key) => (
        <button
          key={key}
          type="button"
          aria-label={key === '.' ? 'Point' : undefined}
          onClick={() => onKey(key)}
        >
          {key}
        </button>
      ))}
      <button type="button" aria-label="Delete" onClick={onDelete}>
        <Delete size={24} aria-hidden />
      </button>
      {onEnter && (
        <button type="button" className="drill-enter" onClick={onEnter}>
          Enter <CornerDownLeft size={17} aria-hidden />
        </button>
      )}
    </section>
  )
}
