import { useState } from 'react'
import { Link } from 'react-router'
import { MAX_VIOLATIONS } from '../../../assessments/violations.ts'
import { wholeLength } from '../../../platform/durations.ts'
import { call } from '../../../platform/web/api.ts'
import { dialogOnDemand } from '../../../platform/web/ui/on-demand.ts'
import { toast } from '../../../platform/web/ui/toast.tsx'
import { whomOf } from '../../acts/web/whom.tsx'
import { nameRoom } from '../../kit/role-words.ts'
import { useAssessment, useSociety } from '../../kit/web/console/console.tsx'
import { Section } from '../../kit/web/section.tsx'
import { useAct, usePlace, useUrlOf } from '../../kit/web/use-act.tsx'
import { zoneDay, zoneSecond, zoneTime } from '../../kit/zone-time.ts'
import { type LiveCandidate, type LiveTrouble, markSeen, markUnseen } from '../contract.ts'
import { TROUBLE_WORDS, troubleSentence } from '../trouble-words.ts'
import { useIsSimulation } from './use-live.ts'

const MessageDialog = dialogOnDemand(
  async () => (await import('../../acts/web/dialogs.tsx')).MessageDialog,
)

const StrikesDialog = dialogOnDemand(
  async () => (await import('../../acts/web/dialogs.tsx')).StrikesDialog,
)
const TimeDialog = dialogOnDemand(
  async () => (await import('../../acts/web/time-dialog.tsx')).TimeDialog,
)

const keyOf = ({ candidate, mark }: LiveTrouble) => `${candidate} ${mark}`
const nameOf = ({ name, username }: LiveTrouble) => name ?? username

/** Lists alerts, most urgent first, each with a suitable action (product 7.14.4). */
export function LookList(props: {
  lines: readonly LiveTrouble[]
  candidates: readonly LiveCandidate[]
  nowMs: number
}) {
  const place = usePlace()
  const simulation = useIsSimulation() ? { simulation: true } : {}
  const bodyOf = ({ candidate, mark }: LiveTrouble) => ({ candidate, mark, ...simulation })
  const unsee = useAct(
    (line: LiveTrouble) => call(markUnseen, { params: place, body: bodyOf(line) }),
    undefined,
    (problem) => toast.error(problem),
  )
  const see = useAct(
    (line: LiveTrouble) => call(markSeen, { params: place, body: bodyOf(line) }),
    (_, line) =>
      toast.undoable(`Seen: ${nameOf(line)}, ${TROUBLE_WORDS[line.trouble]}`, () =>
        unsee.run(line),
      ),
    (problem) => toast.error(problem),
  )
  const busy = see.isBusy && see.given ? keyOf(see.given) : null
  return (
    <Section
      title="Needs attention"
      hint="Most urgent first. An alert is not a verdict. It stays until someone presses Seen."
      isHintWide
    >
      {props.lines.length === 0 && <p className="py-4 text-ink-2">No one needs help right now.</p>}
      <ol>
        {props.lines.map((line) => (
          <Line
            key={keyOf(line)}
            line={line}
            hasThree={props.candidates.some(
              ({ id, strikes }) => id === line.candidate && strikes >= MAX_VIOLATIONS,
            )}
            nowMs={props.nowMs}
            isBusy={busy === keyOf(line)}
            onSeen={() => see.run(line)}
          />
        ))}
      </ol>
    </Section>
  )
}

const BUTTON = 'btn btn-ghost btn-small max-md:min-h-11! max-md:flex-1'

function Line(props: {
  line: LiveTrouble
  /** whether three strikes count */
  hasThree: boolean
  nowMs: number
  isBusy: boolean
  onSeen: () => void
}) {
  const { line, nowMs, isBusy } = props
  const urlOf = useUrlOf()
  const isSimulation = useIsSimulation()
  const [asked, setAsked] = useState<'answer' | 'strikes' | 'reopen' | null>(null)
  const { may } = useSociety()
  const { timeZone } = useAssessment()
  const { trouble, sinceMs } = line
  const { what, why } = troubleSentence(line, nowMs, (ms) => zoneSecond(ms, timeZone))
  const name = nameOf(line)
  const isHelp = trouble === 'help' && may('message_candidates')
  const canReopen = trouble === 'third_strike' && may('give_any_time') && may('void_event')
  const act = trouble === 'no_save' && may('message_candidates') ? 'Message…' : 'Open'
  const dialog = {
    options: whomOf([{ ...line, id: line.candidate }], false).slice(0, 1),
    onClose: () => setAsked(null),
  }
  return (
    <li className="grid min-h-15 grid-cols-[1fr_auto] items-center gap-x-3.5 gap-y-0.5 border-line border-b py-3 md:grid-cols-[72px_minmax(120px,176px)_minmax(0,1fr)_auto] md:py-2">
      <p className="figures font-medium max-md:order-2 max-md:text-end">
        <time dateTime={new Date(sinceMs).toISOString()}>{zoneTime(sinceMs, timeZone)}</time>
        <small className="font-normal text-[12.5px] text-ink-2 max-md:ml-1.5 md:block">
          {sinceWords(sinceMs, timeZone, nowMs)}
        </small>
      </p>
      <p className="min-w-0 max-md:order-1">
        <b className="break-words font-medium max-md:mr-1.5 max-md:text-[16px] md:block md:truncate">
          {name}
        </b>
        <small className="text-[12.5px] text-ink-2">{line.room && nameRoom(line.room)}</small>
      </p>
      <p className="text-pretty text-[13.5px] text-ink-2 max-md:order-3 max-md:col-span-2 max-md:text-[14px]">
        <b className="font-medium text-ink">{what}</b> {why}
      </p>
      <p className="flex gap-2 max-md:order-4 max-md:col-span-2 max-md:mt-2">
        {(isHelp || canReopen) && (
          <button
            type="button"
            className={BUTTON}
            aria-label={`${isHelp ? 'Answer' : 'Reopen'} ${name}`}
            // A test ended by strikes reopens only after one is taken back.
            onClick={() => setAsked(isHelp ? 'answer' : props.hasThree ? 'strikes' : 'reopen')}
          >
            {isHelp ? 'Answer…' : 'Reopen…'}
          </button>
        )}
        {!isSimulation && !isHelp && !canReopen && (
          <Link
            to={urlOf(`incidents/of/${line.candidate}`)}
            className={BUTTON}
            aria-label={`${act} ${name}`}
          >
            {act}
          </Link>
        )}
        <button
          type="button"
          className={`${BUTTON} md:border-transparent!`}
          aria-label={`Seen: ${name}, ${TROUBLE_WORDS[trouble]}`}
          aria-disabled={isBusy}
          onClick={props.onSeen}
        >
          {isBusy ? 'One moment…' : 'Seen'}
        </button>
      </p>
      {asked === 'answer' && (
        <MessageDialog
          {...dialog}
          asked={line.text}
          onDone={() => {
            setAsked(null)
            props.onSeen()
          }}
        />
      )}
      {asked === 'strikes' && <StrikesDialog {...dialog} onDone={() => setAsked('reopen')} />}
      {asked === 'reopen' && (
        <TimeDialog {...dialog} kinds={['reopen']} onDone={() => setAsked(null)} />
      )}
    </li>
  )
}

/** 'now', '9 min', or the date after more than a day */
function sinceWords(sinceMs: number, timeZone: string, nowMs: number): string {
  const ms = nowMs - sinceMs
  if (ms >= 86_400_000) return zoneDay(sinceMs, timeZone, nowMs)
  return ms < 60_000 ? 'now' : wholeLength(Math.floor(ms / 60_000) * 60_000)
}
