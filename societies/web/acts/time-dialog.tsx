import { Minus, Plus } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { type AskedTime, INVIGILATOR_SECONDS, type TimePreview } from '../../contract/acts.ts'
import { useAssessment, useSociety } from '../console/console.tsx'
import { useNowMs } from '../console/use-now.ts'
import { ClockTime, dayOf } from './clock-time.tsx'
import { ActDialog } from './parts.tsx'
import { Reason, useReason } from './reason.tsx'
import { TimeOutlook } from './time-outlook.tsx'
import { useTimeAct } from './use-time-act.ts'
import { type Whom, WhomSwitch } from './whom.tsx'

type Verb = 'give' | 'plan' | 'end_at'

/** The one dialog about time, for one, some, a room or all: left what, right what it does (product 7.15.1). */
export function TimeDialog(props: {
  options: readonly Whom[]
  onClose: () => void
  onDone: () => void
}) {
  const { may } = useSociety()
  const { timeZone } = useAssessment()
  const mayAll = may('give_any_time')
  const nowMs = useNowMs(10_000)
  const [whom, setWhom] = useState(props.options[0] as Whom)
  const [verb, setVerb] = useState<Verb>('give')
  const [minutes, setMinutes] = useState({ give: '5', plan: '0' })
  const [at, setAt] = useState('')
  const [reopens, setReopens] = useState(mayAll)
  const reason = useReason()
  const asked = askedOf({ whom, verb, minutes, at, reopens, nowMs, timeZone })
  const time = useTimeAct(asked, {
    said: ({ moved, reopened, planned }) =>
      [
        verb === 'give'
          ? `Gave ${minutes.give} min to ${moved || reopened}`
          : verb === 'plan'
            ? `Planned ${minutes.plan} min for ${moved + planned}`
            : `${moved} end at ${at}`,
        reopened > 0 && moved > 0 ? `opened ${reopened} again` : null,
      ]
        .filter(Boolean)
        .join(', '),
    onDone: props.onDone,
  })
  const { preview } = time
  const counts = countsOf(preview)
  const canAct = counts.moves + counts.reopens + counts.plans > 0
  return (
    <ActDialog
      size="wide"
      title={`Give time to ${whom.name}`}
      description={describeWhom(preview)}
      problem={time.problem}
      note="Their clocks follow within a minute, and each reads the new time: “30 min + 10”."
      button={buttonOf(verb, minutes, at, counts)}
      isReady={time.isCurrent && canAct && reason.isGiven}
      isBusy={time.isBusy}
      onAct={() => time.run(reason.reason)}
      onClose={props.onClose}
    >
      <div className="grid min-h-0 flex-1 overflow-y-auto md:grid-cols-[392px_minmax(0,1fr)] md:overflow-hidden">
        <div className="grid auto-rows-max content-start gap-4 border-line px-6 py-5 max-md:order-last max-md:border-t md:overflow-y-auto md:border-r">
          <WhomSwitch options={props.options} value={whom} onChange={setWhom} />
          <fieldset className="grid gap-3">
            <legend className="sr-only">What</legend>
            <VerbChoice
              isOnly={!mayAll}
              isOn={verb === 'give'}
              onPick={() => setVerb('give')}
              label="Give minutes for something that happened"
              hint="kept apart from planned extra time"
            >
              <Minutes
                label="Minutes to give"
                value={minutes.give}
                onChange={(give) => setMinutes({ ...minutes, give })}
                quick={['5', '10', '15']}
              />
            </VerbChoice>
            {mayAll && (
              <>
                <VerbChoice
                  isOn={verb === 'plan'}
                  onPick={() => setVerb('plan')}
                  label="Set the planned extra time"
                  hint="promised before the day; replaces what is set"
                >
                  <Minutes
                    label="Planned extra minutes, in all"
                    value={minutes.plan}
                    onChange={(plan) => setMinutes({ ...minutes, plan })}
                    quick={[]}
                  />
                </VerbChoice>
                <VerbChoice
                  isOn={verb === 'end_at'}
                  onPick={() => setVerb('end_at')}
                  label="Let them end at one moment"
                  hint="the same clock time for all of them"
                >
                  <ClockTime label="They end at" value={at} onChange={setAt} />
                </VerbChoice>
              </>
            )}
          </fieldset>
          {mayAll && verb !== 'plan' && (
            <label className="grid grid-cols-[26px_1fr] border-line border-t pt-3.5">
              <input
                type="checkbox"
                className="mt-0.5"
                checked={reopens}
                onChange={() => setReopens(!reopens)}
              />
              <span>
                Open closed ones again
                <span className="hint block text-ink-2">
                  whom the clock closed, and whom strikes closed that stand no more; not who has
                  handed in
                </span>
              </span>
            </label>
          )}
          {!mayAll && (
            <p className="hint text-ink-2">
              You may give one candidate {INVIGILATOR_SECONDS / 60} minutes in all; an owner may
              give more.
            </p>
          )}
          <Reason of={reason} />
        </div>
        <div className="px-6 py-5 md:overflow-y-auto">
          <TimeOutlook
            preview={preview}
            isCurrent={time.isCurrent}
            isAdding={verb === 'give'}
            mayChangeRooms={mayAll}
            onRoomsChanged={time.refresh}
          />
        </div>
      </div>
    </ActDialog>
  )
}

function askedOf(given: {
  whom: Whom
  verb: Verb
  minutes: { give: string; plan: string }
  at: string
  reopens: boolean
  nowMs: number
  timeZone: string
}): AskedTime | null {
  const { whom, verb, at, nowMs, timeZone } = given
  const common = { to: whom.to, kind: verb, reopens: verb !== 'plan' && given.reopens }
  if (verb === 'end_at') {
    return at === '' ? null : { ...common, at: `${dayOf(at, nowMs, timeZone)} ${at}` }
  }
  const text = given.minutes[verb].trim().replace(',', '.')
  const seconds = /^\d+(\.\d+)?$/.test(text) ? Math.round(Number(text) * 60) : null
  if (seconds === null || seconds > 86_400 || (verb === 'give' && seconds === 0)) return null
  return { ...common, seconds }
}

function countsOf(preview: TimePreview | undefined) {
  const count = (...outcomes: string[]) =>
    preview?.people.filter(({ outcome }) => outcomes.includes(outcome)).length ?? 0
  return { moves: count('moves'), reopens: count('reopens'), plans: count('plans') }
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
  verb: Verb,
  minutes: { give: string; plan: string },
  at: string,
  { moves, reopens, plans }: { moves: number; reopens: number; plans: number },
): string {
  const open = reopens > 0 ? `open ${reopens} again` : ''
  switch (verb) {
    case 'give': {
      const give = moves > 0 || !open ? `Give ${minutes.give || '0'} min to ${moves}` : ''
      return give && open ? `${give}, ${open}` : give || `O${open.slice(1)}`
    }
    case 'plan':
      return `Plan ${minutes.plan || '0'} min for ${moves + plans}`
    case 'end_at':
      return `Let ${moves} end at ${at || '…'}${open && `, ${open}`}`
  }
}

function VerbChoice(props: {
  isOn: boolean
  /** there is nothing else to pick */
  isOnly?: boolean
  onPick: () => void
  label: string
  hint: string
  children: ReactNode
}) {
  const id = useId()
  return (
    <div className={props.isOnly ? '' : 'grid grid-cols-[26px_1fr]'}>
      {!props.isOnly && (
        <input
          type="radio"
          id={id}
          name="time-verb"
          className="mt-0.5"
          checked={props.isOn}
          onChange={props.onPick}
        />
      )}
      <div>
        <label
          htmlFor={props.isOnly ? undefined : id}
          className={props.isOn ? 'font-semibold' : ''}
        >
          {props.label}
          <span className="hint block font-normal text-ink-2">{props.hint}</span>
        </label>
        {props.isOn && <div className="mt-2.5">{props.children}</div>}
      </div>
    </div>
  )
}

function Minutes(props: {
  label: string
  value: string
  onChange: (text: string) => void
  quick: readonly string[]
}) {
  const id = useId()
  const step = (by: number) => props.onChange(String(Math.max(0, (Number(props.value) || 0) + by)))
  return (
    <div className="flex flex-wrap items-center gap-2">
      <div className="inline-flex items-center rounded-md border border-line-strong bg-surface">
        <button
          type="button"
          aria-label="One minute less"
          className="grid size-9 place-items-center text-ink-2 max-md:size-11"
          onClick={() => step(-1)}
        >
          <Minus size={15} aria-hidden />
        </button>
        <label htmlFor={id} className="sr-only">
          {props.label}
        </label>
        <input
          id={id}
          inputMode="decimal"
          autoComplete="off"
          className="min-h-9 w-12 bg-transparent text-center font-semibold max-md:min-h-11"
          maxLength={6}
          value={props.value}
          onChange={(event) => props.onChange(event.target.value)}
        />
        <span aria-hidden className="pr-1">
          min
        </span>
        <button
          type="button"
          aria-label="One minute more"
          className="grid size-9 place-items-center text-ink-2 max-md:size-11"
          onClick={() => step(1)}
        >
          <Plus size={15} aria-hidden />
        </button>
      </div>
      {props.quick.map((minutes) => (
        <button
          key={minutes}
          type="button"
          className="quick min-h-9! font-medium"
          aria-label={`${minutes} minutes`}
          aria-pressed={props.value === minutes}
          onClick={() => props.onChange(minutes)}
        >
          {minutes}
        </button>
      ))}
    </div>
  )
}
