import { useState } from 'react'
import { describeDuration } from '../../../platform/durations.ts'
import {
  type AskedTime,
  INVIGILATOR_SECONDS,
  type TimeKind,
  type TimePreview,
} from '../../contract/acts.ts'
import { readExtraTime, secondsOfMinutes } from '../../minutes.ts'
import { zoneTime } from '../../zone-time.ts'
import { useAssessment, useSociety } from '../console/console.tsx'
import { useNowMs } from '../console/use-now.ts'
import { DialogFrame } from '../kit/dialog-frame.tsx'
import { Tick } from '../kit/fields.tsx'
import { Reason, useReason } from './reason.tsx'
import { Minutes, VerbChoice } from './time-fields.tsx'
import { TimeOutlook } from './time-outlook.tsx'
import { useTimeAct } from './use-time-act.ts'
import { type Whom, WhomSwitch } from './whom.tsx'

const VERBS: Readonly<Record<TimeKind, { label: string; hint: string }>> = {
  give: {
    label: 'Give minutes for something that happened',
    hint: 'kept apart from planned extra time',
  },
  plan: {
    label: 'Set the planned extra time',
    hint: 'promised before the day; replaces what is set',
  },
  end_at: {
    label: 'Let them end at one moment',
    hint: 'the same clock time for all of them',
  },
  reopen: {
    label: 'Open closed tests again',
    hint: 'for some minutes from now on, also of candidates who have handed in',
  },
  end_now: {
    label: 'End now',
    hint: 'with what is answered',
  },
}

/** What is typed, as text. */
interface Typed {
  give: string
  plan: string
  reopen: string
  at: string
}

/**
 * The one dialog about time, for one, some, a room or all, before the start, while it runs or after the end: left
 * what, right what it does (product 7.15.1).
 * @param props.kinds what can be done, the first one chosen
 */
export function TimeDialog(props: {
  options: readonly Whom[]
  kinds: readonly TimeKind[]
  onClose: () => void
  onDone: () => void
}) {
  const { kinds } = props
  const { may } = useSociety()
  const { timeZone, durationSeconds } = useAssessment()
  const mayAll = may('give_any_time')
  const nowMs = useNowMs(10_000)
  const [whom, setWhom] = useState(props.options[0] as Whom)
  const [verb, setVerb] = useState<TimeKind>(kinds[0] as TimeKind)
  const [typed, setTyped] = useState<Typed>({ give: '5', plan: '', reopen: '10', at: '' })
  const [reopens, setReopens] = useState(mayAll)
  const reason = useReason()
  const seconds = secondsOf(verb, typed, durationSeconds)
  const common = { to: whom.to, kind: verb, reopens: canReopen(verb) && reopens }
  const asked: AskedTime | null =
    verb === 'end_now'
      ? common
      : verb === 'end_at'
        ? typed.at === ''
          ? null
          : { ...common, at: `${dayOf(typed.at, nowMs, timeZone)} ${typed.at}` }
        : seconds === null
          ? null
          : { ...common, seconds }
  const time = useTimeAct(asked, props.onDone)
  const { preview } = time
  const counts = countsOf(preview)
  const isReady =
    time.isCurrent &&
    Object.values(counts).some((count) => count > 0) &&
    (verb === 'plan' || reason.isGiven)
  const field = (kind: TimeKind) => {
    if (kind === 'end_now') return null
    if (kind === 'end_at') {
      return (
        <input
          type="time"
          className="field"
          aria-label="They end at"
          value={typed.at}
          onChange={(event) => setTyped({ ...typed, at: event.target.value })}
        />
      )
    }
    return (
      <Minutes
        label={MINUTES[kind]}
        value={typed[kind]}
        onChange={(minutes) => setTyped({ ...typed, [kind]: minutes })}
        quick={kind === 'plan' ? [] : ['5', '10', '15']}
      />
    )
  }
  return (
    <DialogFrame
      work="wide"
      title={titleOf(verb, whom.name)}
      text={describeWhom(preview)}
      problem={time.problem}
      note={noteOf(verb)}
      button={[buttonOf(verb, { seconds, at: typed.at }, counts), 'Saving…']}
      isReady={isReady}
      isBusy={time.isBusy}
      onAct={() => isReady && time.run(reason.reason)}
      onClose={props.onClose}
    >
      <div className="grid min-h-0 flex-1 overflow-y-auto md:grid-cols-[392px_minmax(0,1fr)] md:overflow-hidden">
        <div className="grid auto-rows-max content-start gap-4 border-line px-6 py-5 max-md:order-last max-md:border-t md:overflow-y-auto md:border-r">
          <WhomSwitch options={props.options} value={whom} onChange={setWhom} />
          <fieldset className="grid gap-3">
            <legend className="sr-only">What</legend>
            {kinds.map((kind) => (
              <VerbChoice
                key={kind}
                isOnly={kinds.length === 1}
                isOn={verb === kind}
                onPick={() => setVerb(kind)}
                {...VERBS[kind]}
              >
                {field(kind)}
              </VerbChoice>
            ))}
          </fieldset>
          {mayAll && canReopen(verb) && (
            <Tick
              className="border-line border-t pt-3.5"
              checked={reopens}
              onChange={setReopens}
              label="Open closed ones again"
              hint="whom the clock closed, and whom strikes closed that stand no more; not who has handed in"
            />
          )}
          {!mayAll && (
            <p className="hint text-ink-2">
              You may give one candidate {INVIGILATOR_SECONDS / 60} minutes in all; an owner may
              give more.
            </p>
          )}
          {verb === 'end_now' && <EndingNow preview={preview} />}
          <Reason of={reason} />
        </div>
        <div className="px-6 py-5 md:overflow-y-auto">
          <TimeOutlook preview={preview} isCurrent={time.isCurrent} isAdding={verb === 'give'} />
        </div>
      </div>
    </DialogFrame>
  )
}

const MINUTES = {
  give: 'Minutes to give',
  plan: 'Planned extra minutes, in all, or a percentage',
  reopen: 'Minutes from now on',
} as const

const canReopen = (verb: TimeKind) => verb === 'give' || verb === 'end_at'

/** Null for no time, and for none at all where some is given. */
function secondsOf(verb: TimeKind, typed: Typed, durationSeconds: number): number | null {
  if (verb === 'plan') return readExtraTime(typed.plan, durationSeconds)?.seconds ?? null
  if (verb !== 'give' && verb !== 'reopen') return null
  return secondsOfMinutes(typed[verb].trim().replace(',', '.')) || null
}

function titleOf(verb: TimeKind, name: string): string {
  if (verb === 'reopen') return `Open the test of ${name} again`
  return verb === 'end_now' ? `End the test of ${name} now` : `Give time to ${name}`
}

function noteOf(verb: TimeKind): string {
  switch (verb) {
    case 'reopen':
      return 'They sign in again on the recruitment page; their answers are as they were.'
    case 'end_now':
      return 'Answers that are on their way still count for ten seconds. It can be opened again, not undone.'
    default:
      return 'Their clocks follow within a minute, and each reads the new time: “30 min + 10”.'
  }
}

/** What it costs to be ended now. */
function EndingNow({ preview }: { preview: TimePreview | undefined }) {
  const ending = preview?.people.filter(({ outcome }) => outcome === 'ends') ?? []
  if (!preview || ending.length === 0) return null
  const items = preview.itemCount
  const answered = ending.map((one) => one.answered)
  const open = answered.filter((count) => count < items).length
  return (
    <p className="warning">
      {open === 0
        ? 'Every question is answered.'
        : `${open === 1 && ending.length === 1 ? `${answered[0]} of ${items} questions are answered` : `${open} have questions without an answer`}; what has none counts as wrong.`}{' '}
      The candidate reads that the society has ended the test.
    </p>
  )
}

function countsOf(preview: TimePreview | undefined) {
  const count = (wanted: string) =>
    preview?.people.filter(({ outcome }) => outcome === wanted).length ?? 0
  return {
    moves: count('moves'),
    reopens: count('reopens'),
    plans: count('plans'),
    ends: count('ends'),
  }
}

/** '37 inside, 1 closed. Two who have not started are not touched.' */
function describeWhom(preview: TimePreview | undefined): string {
  if (!preview) return 'Looking who is inside …'
  const inside = preview.people.filter(({ was }) => was !== null).length
  const closed = preview.people.length - inside
  const said = [`${inside} inside`, closed > 0 && `${closed} closed or not started`]
  const left = [
    preview.handedIn > 0 && `${preview.handedIn} handed in`,
    preview.notInside > 0 && `${preview.notInside} not inside`,
  ].filter(Boolean)
  const untouched = left.length > 0 ? ` Not touched: ${left.join(', ')}.` : ''
  return `${said.filter(Boolean).join(', ')}.${untouched}`
}

function buttonOf(
  verb: TimeKind,
  { seconds, at }: { seconds: number | null; at: string },
  { moves, reopens, plans, ends }: ReturnType<typeof countsOf>,
): string {
  const open = reopens > 0 ? `open ${reopens} again` : ''
  const minutes = seconds === null ? '… min' : describeDuration(seconds)
  switch (verb) {
    case 'give': {
      const give = moves > 0 || !open ? `Give ${minutes} to ${moves}` : ''
      return give && open ? `${give}, ${open}` : give || `O${open.slice(1)}`
    }
    case 'plan':
      return `Plan ${minutes} for ${moves + plans}`
    case 'end_at':
      return `Let ${moves} end at ${at || '…'}${open && `, ${open}`}`
    case 'reopen':
      return `Open ${reopens} again for ${minutes}`
    case 'end_now':
      return `End ${ends} now`
  }
}

/** 2026-03-02: today on the zone's clocks; the day after where the time is meant past midnight. */
function dayOf(clock: string, nowMs: number, timeZone: string): string {
  const day = (ms: number) =>
    new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(ms)
  const minutesOf = (text: string) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3, 5))
  const isTomorrow = minutesOf(zoneTime(nowMs, timeZone)) - minutesOf(clock) > 12 * 60
  return day(isTomorrow ? nowMs + 24 * 3_600_000 : nowMs)
}
