import { Keyboard, KeyboardOff, Volume2, VolumeX, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useKeysEnabled, useMuted } from '../../../platform/web/preferences.ts'

/** The head of a quiz: the way out, where one is, sound and keys, a tick per question. */
export function QuizHeader(props: {
  title: string
  backTo: string
  /** the question shown, from 0 */
  index: number
  /** by question, whether it has an answer */
  answered: boolean[]
}) {
  const [isMuted, setMuted] = useMuted()
  const [areKeysEnabled, setKeysEnabled] = useKeysEnabled()
  const total = props.answered.length
  return (
    <header>
      <div className="wrap flex h-16 items-center gap-2">
        <Link
          to={props.backTo}
          aria-label="Close test"
          className="-ml-3 grid size-11 flex-none place-items-center text-ink-2 hover:text-ink"
        >
          <X size={20} aria-hidden />
        </Link>
        <p className="min-w-0 flex-1 truncate text-[15px] text-ink-2 max-sm:sr-only">
          {props.title}
        </p>
        <p className="ml-auto pr-2 font-medium text-ink-2">
          <span className="sr-only">Question </span>
          <span className="font-semibold text-ink">{props.index + 1}</span>
          <span aria-hidden> / </span>
          <span className="sr-only"> of </span>
          {total}
        </p>
        <Toggle
          label="Single-key shortcuts"
          hint={areKeysEnabled ? 'Keys A to D, 1 to 4 and Enter are on' : 'Keys are off'}
          isPressed={areKeysEnabled}
          onChange={setKeysEnabled}
          // A phone has no keys to switch off; the Personal Hub has the setting everywhere.
          className="pointer-coarse:hidden"
        >
          {areKeysEnabled ? (
            <Keyboard size={20} aria-hidden />
          ) : (
            <KeyboardOff size={20} aria-hidden />
          )}
        </Toggle>
        <Toggle
          label="Mute sound"
          hint={isMuted ? 'Sound is off' : 'Sound is on'}
          isPressed={isMuted}
          onChange={setMuted}
          className="-mr-3"
        >
          {isMuted ? <VolumeX size={20} aria-hidden /> : <Volume2 size={20} aria-hidden />}
        </Toggle>
      </div>
      <div aria-hidden className="flex h-[3px] gap-[3px]">
        {props.answered.map((isAnswered, index) => (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: a tick is its place
            key={index}
            className={`flex-1 ${index === props.index ? 'bg-accent' : isAnswered ? 'bg-ink' : 'bg-line'}`}
          />
        ))}
      </div>
    </header>
  )
}

function Toggle(props: {
  label: string
  hint: string
  isPressed: boolean
  onChange: (isPressed: boolean) => void
  className: string
  children: ReactNode
}) {
  return (
    <button
      type="button"
      aria-label={props.label}
      title={props.hint}
      aria-pressed={props.isPressed}
      onClick={() => props.onChange(!props.isPressed)}
      className={`grid size-11 flex-none place-items-center text-ink-2 hover:text-ink ${props.className}`}
    >
      {props.children}
    </button>
  )
}
