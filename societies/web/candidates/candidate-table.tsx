import { Check, ChevronDown, Clock, FileText, Mail, Minus } from 'lucide-react'
import {
  Fragment,
  type KeyboardEvent,
  memo,
  type ReactNode,
  useCallback,
  useEffect,
  useRef,
  useState,
} from 'react'
import { FINDING_WORDS, isReady } from '../../../assessments/rehearsal.ts'
import type { CandidateFacts } from '../../contract/candidates.ts'
import { minutesOf } from '../../credential-letter.ts'
import { exemptionsOf } from '../../exemptions.ts'
import { nameRoom } from '../../role-words.ts'
import { zoneTimeOrDay } from '../../zone-time.ts'
import { useAssessment } from '../console/console.tsx'
import { CandidateDetails } from './candidate-details.tsx'
import { isAmber, PASSWORD_WORDS, type PasswordState, passwordStateOf } from './mail-words.ts'

/** Rows at first, and as many more each time that the end comes into sight. */
const ROWS = 100

/** The list: one row opens at a time, in place; arrows, Enter, x and Esc work as everywhere. */
export function CandidateTable(props: {
  shown: readonly CandidateFacts[]
  chosen: ReadonlySet<string>
  onChoose: (chosen: ReadonlySet<string>) => void
  mayChange: boolean
}) {
  const { shown, chosen, onChoose, mayChange } = props
  const [openId, setOpenId] = useState<string | null>(null)
  const [most, setMost] = useState(ROWS)
  const latest = useRef({ chosen, onChoose })
  latest.current = { chosen, onChoose }
  // The same functions at every render, so that a row is drawn anew only when it is another.
  const toggle = useCallback((id: string) => {
    const next = new Set(latest.current.chosen)
    if (!next.delete(id)) next.add(id)
    latest.current.onChoose(next)
  }, [])
  const open = useCallback((id: string) => setOpenId((now) => (now === id ? null : id)), [])
  const isAllChosen = shown.length > 0 && shown.every(({ id }) => chosen.has(id))

  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    const target = event.target as HTMLElement
    if (event.key === 'Escape' && openId) {
      setOpenId(null)
      document.getElementById(`row-${openId}`)?.focus()
    }
    const row = target.closest<HTMLElement>('[data-row]')
    if (!row || target.closest('[data-details]')) return
    const id = row.dataset.row as string
    if (event.key === 'x' && mayChange) toggle(id)
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step === 0) return
    event.preventDefault()
    const next = shown[shown.findIndex((one) => one.id === id) + step]
    document.getElementById(`row-${next?.id}`)?.focus()
  }

  if (shown.length === 0) return <p className="py-8 text-ink-2">Nobody fits.</p>
  return (
    <>
      <table className="table" onKeyDown={onKeyDown}>
        <thead>
          <tr>
            {mayChange && (
              <th className="w-7.5">
                <TickPlace>
                  <input
                    type="checkbox"
                    aria-label={`Tick all ${shown.length}`}
                    checked={isAllChosen}
                    onChange={() =>
                      onChoose(isAllChosen ? new Set() : new Set(shown.map(({ id }) => id)))
                    }
                  />
                </TickPlace>
              </th>
            )}
            <th>Candidate</th>
            <th className="max-md:hidden">Username</th>
            <th className="max-lg:hidden">Address</th>
            <th className="max-md:hidden">Room</th>
            <th className="text-end! max-md:hidden">Time</th>
            <th className="pl-4.5! max-lg:hidden">Exempt from</th>
            <th>
              Password<span className="max-md:hidden"> by mail</span>
            </th>
            <th className="max-lg:hidden">Own computer</th>
            <th>
              <span className="sr-only">More</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.slice(0, most).map((one) => (
            <Fragment key={one.id}>
              <Row
                one={one}
                isOpen={openId === one.id}
                isChosen={chosen.has(one.id)}
                mayChange={mayChange}
                onOpen={open}
                onToggle={toggle}
              />
              {openId === one.id && (
                <tr data-details>
                  <td
                    colSpan={mayChange ? 10 : 9}
                    className="h-auto! border-b-ink! bg-surface p-0!"
                  >
                    <CandidateDetails one={one} mayChange={mayChange} />
                  </td>
                </tr>
              )}
            </Fragment>
          ))}
        </tbody>
      </table>
      {shown.length > most && (
        <End
          text={`${most} of ${shown.length} · the rest as you scroll`}
          onSeen={() => setMost((now) => now + ROWS)}
        />
      )}
    </>
  )
}

const Row = memo(function Row(props: {
  one: CandidateFacts
  isOpen: boolean
  isChosen: boolean
  mayChange: boolean
  onOpen: (id: string) => void
  onToggle: (id: string) => void
}) {
  const { one, isOpen, isChosen, mayChange, onOpen, onToggle } = props
  const { durationSeconds } = useAssessment()
  const name = one.name ?? one.username
  return (
    // For the mouse alone: the name in it is the button, for keys too.
    <tr
      data-row={one.id}
      className={`cursor-pointer ${isChosen ? 'is-chosen' : isOpen ? 'bg-surface' : ''}`}
      onClick={(event) => {
        if (!(event.target as HTMLElement).closest('button, input, label')) onOpen(one.id)
      }}
    >
      {mayChange && (
        <td>
          <TickPlace>
            <input
              type="checkbox"
              aria-label={`Tick ${name}`}
              checked={isChosen}
              onChange={() => onToggle(one.id)}
            />
          </TickPlace>
        </td>
      )}
      <td className="max-md:py-2!">
        <button
          type="button"
          id={`row-${one.id}`}
          aria-expanded={isOpen}
          className="min-h-9 py-1 text-left font-medium hover:underline max-md:min-h-11"
          onClick={() => onOpen(one.id)}
        >
          {name}
        </button>
        <span className="hint block text-ink-2 md:hidden">
          {[one.username, one.room && nameRoom(one.room)].filter(Boolean).join(' · ')}
        </span>
      </td>
      <td className="text-ink-2 max-md:hidden">{one.username}</td>
      <td className="break-all text-ink-2 max-lg:hidden">{one.email}</td>
      <td className="max-md:hidden">{one.room}</td>
      <td className="whitespace-nowrap text-end max-md:hidden">
        {minutesOf(durationSeconds)}
        {one.extraSeconds > 0 && <b className="font-semibold"> + {minutesOf(one.extraSeconds)}</b>}{' '}
        min
      </td>
      <td className="pl-4.5! text-ink-2 max-lg:hidden">
        {exemptionsOf(one.exemptKinds)
          .map(({ short }) => short)
          .join(', ')}
      </td>
      <td>
        <PasswordWord one={one} />
      </td>
      <td className="text-ink-2 max-lg:hidden">
        {one.triedAt === null ? 'not tried' : isReady(one.findings) ? 'tried' : <ToFix {...one} />}
      </td>
      <td className="w-6 text-end text-ink-2">
        <ChevronDown size={16} aria-hidden className={`inline ${isOpen ? 'rotate-180' : ''}`} />
      </td>
    </tr>
  )
})

/** What is wrong with the candidate's computer. */
function ToFix({ findings }: Pick<CandidateFacts, 'findings'>) {
  const words: Readonly<Record<string, string>> = FINDING_WORDS
  return <span className="amber">{findings.map((one) => words[one] ?? one).join(', ')}</span>
}

/** On a phone as large as a thumb. */
function TickPlace({ children }: { children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: its tick comes from outside
    <label className="grid size-4 place-items-center max-md:-ml-3 max-md:size-11">{children}</label>
  )
}

const ICONS: Readonly<Record<PasswordState, typeof Check>> = {
  none: Minus,
  stopped: Minus,
  waiting: Clock,
  sent: Check,
  paper: FileText,
  refused: Mail,
  unsure: Mail,
}

function PasswordWord({ one }: { one: CandidateFacts }) {
  const { timeZone } = useAssessment()
  if (one.isRevoked) return <span className="text-ink-2">Shut out</span>
  const state = passwordStateOf(one)
  const Icon = ICONS[state]
  const at = state === 'paper' ? one.passwordMadeAt : one.mail?.at
  const hasTime = at && !['none', 'waiting', 'stopped'].includes(state)
  return (
    <span
      className={`inline-flex items-center gap-1.5 whitespace-nowrap align-middle ${isAmber(state) ? 'amber font-medium' : 'text-ink-2'}`}
    >
      <Icon size={15} aria-hidden />
      {PASSWORD_WORDS[state]}
      {hasTime && ` ${zoneTimeOrDay(at, timeZone, Date.now())}`}
    </span>
  )
}

/** The end of what is drawn: asks for more when it comes into sight, or is pressed. */
function End({ text, onSeen }: { text: string; onSeen: () => void }) {
  const place = useRef<HTMLButtonElement>(null)
  const seen = useRef(onSeen)
  seen.current = onSeen
  // biome-ignore lint/correctness/useExhaustiveDependencies: anew after each step, since it may be in sight still
  useEffect(() => {
    const watcher = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) seen.current()
      },
      { rootMargin: '800px' },
    )
    if (place.current) watcher.observe(place.current)
    return () => watcher.disconnect()
  }, [text])
  return (
    <button ref={place} type="button" className="hint mt-3.5 text-ink-2" onClick={onSeen}>
      {text}
    </button>
  )
}
