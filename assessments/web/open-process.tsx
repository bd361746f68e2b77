import { ChevronDown } from 'lucide-react'
import { useId, useState } from 'react'
import { durationText } from '../../platform/durations.ts'
import { sessionName } from '../reference.ts'
import { type Process, useIsClosed } from './queries.ts'
import { ProcessWindow } from './start-window.tsx'

/** A society's row. It leads to the credentials, or first to a choice of sessions (product 6.1.2, 6.1.9). */
export function ProcessRow(props: {
  society: string
  processes: Process[]
  onChoose: (process: Process) => void
}) {
  const { society, onChoose } = props
  const processes = [...props.processes].sort(inDayOrder)
  const [isOpen, setOpen] = useState(false)
  const isClosed = useIsClosed(processes)
  const id = useId()
  const [first] = processes
  if (!first) return null
  const hasChoice = processes.length > 1
  const isOver = processes.every((process) => isClosed(process) && !process.isRunning)
  return (
    <li className="border-line border-b py-6">
      <div className="flex flex-wrap items-start justify-between gap-x-8 gap-y-4">
        <div className="min-w-0">
          <h3 id={`${id}-name`}>{society}</h3>
          {hasChoice ? (
            <p className="mt-1 text-[15px] text-ink-2">
              {processes.length} sessions:{' '}
              {processes.map(({ session }) => sessionName(session)).join(', ')}
            </p>
          ) : (
            <Facts process={first} />
          )}
        </div>
        <div className={isOver ? 'sm:text-end' : ''}>
          {isOver && <p className="font-medium">Closed</p>}
          <button
            type="button"
            id={`${id}-access`}
            className={isOver ? WAY_BACK : 'btn'}
            aria-labelledby={`${id}-access ${id}-name`}
            {...(hasChoice ? { 'aria-expanded': isOpen, 'aria-controls': `${id}-sessions` } : {})}
            onClick={() => (hasChoice ? setOpen(!isOpen) : onChoose(first))}
          >
            {isOver ? wayBackWords(processes) : 'Access Test'}
            {hasChoice && (
              <ChevronDown size={18} aria-hidden className={isOpen ? 'rotate-180' : ''} />
            )}
          </button>
        </div>
      </div>
      {hasChoice && (
        <ul
          id={`${id}-sessions`}
          aria-label={`Sessions of ${society}`}
          hidden={!isOpen}
          className="mt-5 grid gap-4 sm:grid-cols-2"
        >
          {processes.map((process) => (
            <li key={process.code} className="card flex flex-col justify-between gap-4 p-5">
              <div>
                <h4 className="font-medium">{sessionName(process.session)}</h4>
                <Facts process={process} />
              </div>
              <SessionButton
                process={process}
                isClosed={isClosed(process)}
                onChoose={() => onChoose(process)}
              />
            </li>
          ))}
        </ul>
      )}
    </li>
  )
}

/** A candidate who has started keeps their full time, and may return on another computer or with another account. */
const WAY_BACK =
  'inline-flex min-h-6 items-center gap-1 text-[15px] text-ink-2 underline underline-offset-3 hover:text-ink'

const wayBackWords = (processes: readonly Process[]) =>
  processes.some(({ isReleased }) => isReleased)
    ? 'Read your result'
    : 'Started before? Return to your test'

function SessionButton(props: { process: Process; isClosed: boolean; onChoose: () => void }) {
  const { process, isClosed, onChoose } = props
  if (!isClosed || process.isRunning) {
    return (
      <button type="button" className="btn btn-ghost" onClick={onChoose}>
        {sessionName(process.session)} Assessment
      </button>
    )
  }
  return (
    <div>
      <p className="font-medium">Closed</p>
      <button
        type="button"
        className={WAY_BACK}
        aria-label={`${sessionName(process.session)}: ${wayBackWords([process])}`}
        onClick={onChoose}
      >
        {wayBackWords([process])}
      </button>
    </div>
  )
}

/** The order of sessions if the list has no times. */
const DAY_ORDER = ['Morning', 'Midday', 'Afternoon', 'Evening']

function inDayOrder(a: Process, b: Process): number {
  if (a.opensAt && b.opensAt) return Date.parse(a.opensAt) - Date.parse(b.opensAt)
  return DAY_ORDER.indexOf(a.session ?? '') - DAY_ORDER.indexOf(b.session ?? '')
}

function Facts({ process }: { process: Process }) {
  return (
    <>
      <p className="mt-1 text-[15px] text-ink-2">
        {process.questionCount} questions · {durationText(process.durationSeconds)}
      </p>
      <ProcessWindow process={process} />
    </>
  )
}
