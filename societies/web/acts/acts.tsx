import { Clock } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { assessmentUrl } from '../../../platform/urls.ts'
import { dialogOnDemand } from '../../../platform/web/ui/on-demand.ts'
import type { TimeKind } from '../../contract/acts.ts'
import { useSociety } from '../console/console.tsx'
import { usePlace } from '../kit/use-act.tsx'
import { type ActedOn, ownRoomOf, type Whom, whomOf } from './whom.tsx'

export type { ActedOn } from './whom.tsx'

const TimeDialog = dialogOnDemand(async () => (await import('./time-dialog.tsx')).TimeDialog)
const MessageDialog = dialogOnDemand(
  async () => (await import('./message-dialog.tsx')).MessageDialog,
)
const StrikesDialog = dialogOnDemand(
  async () => (await import('./strikes-dialog.tsx')).StrikesDialog,
)
const LateDialog = dialogOnDemand(async () => (await import('./late-dialog.tsx')).LateDialog)

type Asked = 'time' | 'message' | 'strikes' | 'reopen' | 'end' | 'late'

/**
 * What an organiser can do for the ticked candidates, or for one: give time, message, take a strike back,
 * reopen, end now, each as far as the role goes. Each opens its dialog (product 7.15).
 * @param props.onDone when something was done
 */
export function Acts(props: { chosen: readonly ActedOn[]; onDone?: () => void }) {
  const { chosen, onDone } = props
  const place = usePlace()
  const { society, may } = useSociety()
  const [asked, setAsked] = useState<Asked | null>(null)
  if (chosen.length === 0) return null
  const mayAll = may('give_any_time')
  const isOne = chosen.length === 1
  const some = (where: ActedOn['where']) => chosen.some((one) => one.where === where)
  const hasStarted = some('running') || some('submitted')
  const ownRoom = ownRoomOf(society.roles, 'message_candidates')
  const wide = whomOf(chosen, { rooms: [], all: mayAll })
  const messaged = whomOf(chosen, { rooms: [], all: ownRoom === null })
  const press = (what: Asked, words: ReactNode, can: boolean, why: string) => (
    <button
      type="button"
      className="act"
      aria-disabled={!can}
      title={can ? undefined : why}
      onClick={() => can && setAsked(what)}
    >
      {words}
    </button>
  )
  return (
    <>
      {(mayAll || may('give_incident_time')) &&
        press(
          'time',
          <>
            <Clock size={15} aria-hidden /> Give time…
          </>,
          mayAll || (isOne && some('running')),
          isOne ? 'Not inside' : 'You may give minutes to one candidate at a time',
        )}
      {may('message_candidates') && press('message', 'Message…', true, '')}
      {may('void_event') &&
        press('strikes', 'Take a strike back…', hasStarted, 'None of them has started')}
      {mayAll && press('reopen', 'Reopen…', some('submitted'), 'None of them is done')}
      {isOne && may('manage_candidates') && (
        <Link
          to={assessmentUrl(place.society, place.code, 'candidates/slips')}
          state={{ candidates: chosen.map(({ id }) => id) }}
          className="act"
        >
          New password…
        </Link>
      )}
      {mayAll && (
        <>
          <span aria-hidden className="act-rule" />
          {press('end', 'End now…', some('running'), 'None of them is inside')}
        </>
      )}
      <Dialogs
        asked={asked}
        time={wide}
        message={messaged}
        strikes={whomOf(chosen, { rooms: [], all: false })}
        kinds={timeKindsOf(
          mayAll,
          chosen.every(({ where }) => where === 'absent' || where === 'verified'),
        )}
        onClose={() => setAsked(null)}
        onDone={onDone}
      />
    </>
  )
}

/**
 * What is done for everybody, or for a room: time, a message, strikes of a minute, late answers.
 * @param props.rooms those that there are
 */
export function ActsForAll(props: { rooms: readonly string[] }) {
  const { society, may } = useSociety()
  const [asked, setAsked] = useState<Asked | null>(null)
  const ownRoom = ownRoomOf(society.roles, 'message_candidates')
  const all = whomOf([], { rooms: props.rooms, all: true }).sort(
    (a, b) => Number(b.id === 'all') - Number(a.id === 'all'),
  )
  const messaged = ownRoom === null ? all : whomOf([], { rooms: [ownRoom], all: false })
  return (
    <>
      {may('give_any_time') && (
        <button type="button" className="act" onClick={() => setAsked('time')}>
          <Clock size={15} aria-hidden /> Give everybody time…
        </button>
      )}
      {may('message_candidates') && (
        <button type="button" className="act" onClick={() => setAsked('message')}>
          Message…
        </button>
      )}
      {may('void_event') && (
        <button type="button" className="act" onClick={() => setAsked('strikes')}>
          Strikes…
        </button>
      )}
      {may('accept_late_answers') && (
        <button type="button" className="act" onClick={() => setAsked('late')}>
          Late answers…
        </button>
      )}
      <Dialogs
        asked={asked}
        time={all}
        message={messaged}
        strikes={all}
        kinds={timeKindsOf(true, false)}
        onClose={() => setAsked(null)}
      />
    </>
  )
}

/** What 'Give time…' offers: to candidates who have not started, planned time first. */
function timeKindsOf(mayAll: boolean, isBefore: boolean): TimeKind[] {
  if (!mayAll) return ['give']
  return isBefore ? ['plan', 'give', 'end_at'] : ['give', 'plan', 'end_at']
}

function Dialogs(props: {
  asked: Asked | null
  time: readonly Whom[]
  message: readonly Whom[]
  strikes: readonly Whom[]
  /** about time */
  kinds: readonly TimeKind[]
  onClose: () => void
  onDone?: (() => void) | undefined
}) {
  const { asked, onClose } = props
  const common = {
    onClose,
    onDone: () => {
      onClose()
      props.onDone?.()
    },
  }
  switch (asked) {
    case 'time':
      return <TimeDialog options={props.time} kinds={props.kinds} {...common} />
    case 'message':
      return <MessageDialog options={props.message} {...common} />
    case 'strikes':
      return <StrikesDialog options={props.strikes} {...common} />
    case 'reopen':
      return <TimeDialog options={props.time.slice(0, 1)} kinds={['reopen']} {...common} />
    case 'end':
      return <TimeDialog options={props.time.slice(0, 1)} kinds={['end_now']} {...common} />
    case 'late':
      return <LateDialog {...common} />
    case null:
      return null
  }
}
