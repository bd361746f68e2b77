import { useCallback, useEffect, useState } from 'react'
import { Link } from 'react-router'
import { wholeLength } from '../../../platform/durations.ts'
import { assessmentUrl } from '../../../platform/urls.ts'
import { call } from '../../../platform/web/api.ts'
import { toast } from '../../../platform/web/ui/toast.tsx'
import { type LiveTrouble, markSeen, markUnseen } from '../../contract/live.ts'
import { TROUBLE_WORDS, troubleSentence } from '../../day/trouble-words.ts'
import { nameRoom } from '../../role-words.ts'
import { zoneDay, zoneSecond, zoneTime } from '../../zone-time.ts'
import { useAssessment, useSociety } from '../console/console.tsx'
import { Section } from '../kit/section.tsx'
import { useAct } from '../kit/use-act.tsx'
import type { Of } from './use-live.ts'

/** How long Seen can be taken back here, milliseconds. */
const UNDO_MS = 10_000

/** Who needs somebody, most urgent first, each with the one act that fits (product 7.14.4). */
export function LookList(props: { of: Of; lines: readonly LiveTrouble[]; nowMs: number }) {
  const { of, lines, nowMs } = props
  const [undoable, setUndoable] = useState<LiveTrouble | null>(null)
  const forget = useCallback(() => setUndoable(null), [])
  const set = useAct(
    ({ line: { candidate, mark }, isSeen }: { line: LiveTrouble; isSeen: boolean }) =>
      call(isSeen ? markSeen : markUnseen, {
        params: { society: of.society, code: of.code },
        body: { candidate, mark, ...(of.isSimulation ? { simulation: true } : {}) },
      }),
    (_, { line, isSeen }) => setUndoable(isSeen ? line : null),
    (problem) => toast.error(problem),
  )
  const busy = set.isBusy ? set.given?.line : null
  return (
    <Section
      title="To look at"
      hint="Most urgent first. Nothing here is a verdict; a line goes when somebody presses Seen."
      isHintWide
    >
      {lines.length === 0 && <p className="py-4 text-ink-2">Nobody needs you.</p>}
      <ol>
        {lines.map((line) => (
          <Line
            key={`${line.candidate} ${line.mark}`}
            line={line}
            nowMs={nowMs}
            isSimulation={of.isSimulation}
            isBusy={busy?.candidate === line.candidate && busy.mark === line.mark}
            onSeen={() => set.run({ line, isSeen: true })}
          />
        ))}
      </ol>
      {undoable && (
        <UndoLine
          key={`${undoable.candidate} ${undoable.mark}`}
          line={undoable}
          isBusy={set.isBusy}
          onUndo={() => set.run({ line: undoable, isSeen: false })}
          onOver={forget}
        />
      )}
    </Section>
  )
}

function Line(props: {
  line: LiveTrouble
  nowMs: number
  isSimulation: boolean
  isBusy: boolean
  onSeen: () => void
}) {
  const { line, nowMs } = props
  const { timeZone } = useAssessment()
  const { what, why } = troubleSentence(line, nowMs, (ms) => zoneSecond(ms, timeZone))
  const name = line.name ?? line.username
  return (
    <li className="grid min-h-15 grid-cols-[1fr_auto] items-center gap-x-3.5 gap-y-0.5 border-line border-b py-3 md:grid-cols-[58px_minmax(120px,176px)_minmax(0,1fr)_auto] md:py-2">
      <p className="figures font-medium max-md:order-2 max-md:text-end">
        <time dateTime={new Date(line.sinceMs).toISOString()}>
          {zoneTime(line.sinceMs, timeZone)}
        </time>
        <small className="font-normal text-[12.5px] text-ink-2 max-md:ml-1.5 md:block">
          {sinceWords(line.sinceMs, timeZone, nowMs)}
        </small>
      </p>
      <p className="min-w-0 max-md:order-1">
        <b className="truncate font-medium max-md:mr-1.5 max-md:text-[16px] md:block">{name}</b>
        <small className="text-[12.5px] text-ink-2">{line.room && nameRoom(line.room)}</small>
      </p>
      <p className="text-pretty text-[13.5px] text-ink-2 max-md:order-3 max-md:col-span-2 max-md:text-[14px]">
        <b className="font-medium text-ink">{what}</b> {why}
      </p>
      <p className="flex gap-2 max-md:order-4 max-md:col-span-2 max-md:mt-2">
        <Act line={line} name={name} isSimulation={props.isSimulation} />
        <button
          type="button"
          className="btn btn-ghost btn-small max-md:min-h-11! max-md:flex-1 md:border-transparent!"
          aria-label={`Seen: ${name}, ${TROUBLE_WORDS[line.trouble]}`}
          aria-disabled={props.isBusy}
          onClick={props.onSeen}
        >
          {props.isBusy ? 'One moment…' : 'Seen'}
        </button>
      </p>
    </li>
  )
}

/** Leads to the candidate, named by what one would do there; in a simulation there is no such page. */
function Act(props: { line: LiveTrouble; name: string; isSimulation: boolean }) {
  const { society, may } = useSociety()
  const { code } = useAssessment()
  const { candidate, trouble } = props.line
  if (props.isSimulation) return null
  const word =
    trouble === 'no_save' && may('message_candidates')
      ? 'Message…'
      : trouble === 'third_strike' && may('give_any_time')
        ? 'Reopen…'
        : 'Open'
  return (
    <Link
      to={assessmentUrl(society.id, code, `incidents/${candidate}`)}
      className="btn btn-ghost btn-small max-md:min-h-11! max-md:flex-1"
      aria-label={`${word} ${props.name}`}
    >
      {word}
    </Link>
  )
}

/** For ten seconds: what was pressed, and the way back. */
function UndoLine(props: {
  line: LiveTrouble
  isBusy: boolean
  onUndo: () => void
  onOver: () => void
}) {
  const { line, isBusy, onOver } = props
  useEffect(() => {
    if (isBusy) return
    const timer = setTimeout(onOver, UNDO_MS)
    return () => clearTimeout(timer)
  }, [isBusy, onOver])
  return (
    <p role="status" className="flex flex-wrap items-center gap-x-3 py-2 text-[13.5px] text-ink-2">
      Seen: {line.name ?? line.username}, {TROUBLE_WORDS[line.trouble]}.
      <button
        type="button"
        className="quiet-link max-md:min-h-11"
        aria-disabled={isBusy}
        onClick={props.onUndo}
      >
        {isBusy ? 'Taking it back…' : 'Undo'}
      </button>
    </p>
  )
}

const DAY_MS = 86_400_000

/** 'now', '9 min'; of another day which: hours of months say nothing. */
function sinceWords(sinceMs: number, timeZone: string, nowMs: number): string {
  const ms = nowMs - sinceMs
  if (ms >= DAY_MS) return zoneDay(sinceMs, timeZone, nowMs)
  return ms < 60_000 ? 'now' : wholeLength(Math.floor(ms / 60_000) * 60_000)
}
