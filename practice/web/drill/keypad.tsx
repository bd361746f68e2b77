import { CornerDownLeft, Delete } from 'lucide-react'

const KEYS = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '.', '0']

/** The phone's own keys, large and always in one place; they leave the focus where it is. */
export function Keypad(props: {
  onKey: (key: string) => void
  onDelete: () => void
  /** null where an answer counts without it */
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
