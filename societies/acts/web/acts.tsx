import { Clock } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { dialogOnDemand } from '../../../platform/web/ui/on-demand.ts'
import { roomOf } from '../../kit/roles.ts'
import { useSociety } from '../../kit/web/console/console.tsx'
import { useUrlOf } from '../../kit/web/use-act.tsx'
import type { TimeKind } from '../contract.ts'
import { type ActedOn, everybody, ofRoom, type Whom, whomOf } from './whom.tsx'

const TimeDialog = dialogOnDemand(async () => (await import('./time-dialog.tsx')).TimeDialog)
const MessageDialog = dialogOnDemand(async () => (await import('./dialogs.tsx')).MessageDialog)
const StrikesDialog = dialogOnDemand(async () => (await import('./dialogs.tsx')).StrikesDialog)
const LateDialog = dialogOnDemand(async () => (await import('./dialogs.tsx')).LateDialog)

/** The actions that the member's role allows for the selected candidates. Each opens a dialog (product 7.15). */
export function Acts(props: { chosen: readonly ActedOn[]; onDone?: () => void }) {
  const { chosen } = props
  const urlOf = useUrlOf()
  const { society, may } = useSociety()
  const mayAll = may('give_any_time')
  const isOne = chosen.length === 1
  const isRunning = chosen.some(({ where }) => where === 'running')
  const isSubmitted = chosen.some(({ where }) => where === 'submitted')
  const hasStarted = isRunning || isSubmitted
  const { press, dialog } = useDialogs({
    time: whomOf(chosen, mayAll),
    message: whomOf(chosen, roomOf(society.roles, 'message_candidates') === null),
    strikes: whomOf(chosen, false),
    // Candidates who haven't started usually need planned time, so it comes first.
    kinds: !mayAll ? ['give'] : hasStarted ? KINDS : ['plan', 'give', 'end_at'],
    onDone: props.onDone,
  })
  if (chosen.length === 0) return null
  const notTime = isOne ? 'Not taking the test' : 'You can give minutes to one candidate at a time'
  return (
    <>
      {(mayAll || may('give_incident_time')) &&
        press('time', timeWords('Give time…'), !mayAll && !(isOne && isRunning) && notTime)}
      {may('message_candidates') && press('message', 'Message…')}
      {may('void_event') &&
        press('strikes', 'Take a strike back…', !hasStarted && 'None of them have started')}
      {mayAll && press('reopen', 'Reopen…', !isSubmitted && 'None of them have finished')}
      {isOne && may('manage_candidates') && (
        <Link
          to={urlOf('candidates/slips')}
          state={{ candidates: chosen.map(({ id }) => id) }}
          className="act"
        >
          New password…
        </Link>
      )}
      {mayAll && (
        <>
          <span aria-hidden className="act-rule" />
          {press('end_now', 'End now…', !isRunning && 'None of them are taking the test')}
        </>
      )}
      {dialog}
    </>
  )
}

export function ActsForAll(props: { rooms: readonly string[]; hasLate: boolean }) {
  const { society, may } = useSociety()
  const ownRoom = roomOf(society.roles, 'message_candidates')
  const all = [everybody, ...props.rooms.map(ofRoom)]
  const { press, dialog } = useDialogs({
    time: all,
    message: ownRoom === null ? all : [ofRoom(ownRoom)],
    strikes: all,
    kinds: KINDS,
  })
  return (
    <>
      {may('give_any_time') && press('time', timeWords('Give everybody time…'))}
      {may('message_candidates') && press('message', 'Message…')}
      {may('void_event') && press('strikes', 'Strikes…')}
      {props.hasLate && may('accept_late_answers') && press('late', 'Late answers…')}
      {dialog}
    </>
  )
}

const KINDS: readonly TimeKind[] = ['give', 'plan', 'end_at']

const timeWords = (words: string) => (
  <>
    <Clock size={15} aria-hidden /> {words}
  </>
)

function useDialogs(options: {
  time: Whom[]
  message: Whom[]
  strikes: Whom[]
  kinds: readonly TimeKind[]
  onDone?: (() => void) | undefined
}) {
  type Asked = 'time' | 'message' | 'strikes' | 'reopen' | 'end_now' | 'late'
  const [asked, setAsked] = useState<Asked>()
  const onClose = () => setAsked(undefined)
  const common = {
    onClose,
    onDone: () => {
      onClose()
      options.onDone?.()
    },
  }
  return {
    /** @param obstacle the reason the action is unavailable, or false if it's available */
    press: (what: Asked, words: ReactNode, obstacle: string | false = false) => (
      <button
        type="button"
        className="act"
        aria-disabled={obstacle !== false}
        title={obstacle || undefined}
        onClick={() => !obstacle && setAsked(what)}
      >
        {words}
      </button>
    ),
    dialog: (
      <>
        {asked === 'time' && (
          <TimeDialog options={options.time} kinds={options.kinds} {...common} />
        )}
        {(asked === 'reopen' || asked === 'end_now') && (
          <TimeDialog options={options.time.slice(0, 1)} kinds={[asked]} {...common} />
        )}
        {asked === 'message' && <MessageDialog options={options.message} {...common} />}
        {asked === 'strikes' && <StrikesDialog options={options.strikes} {...common} />}
        {asked === 'late' && <LateDialog {...common} />}
      </>
    ),
  }
}
