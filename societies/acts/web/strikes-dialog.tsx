import { useId, useState } from 'react'
import { nameOfAct } from '../../../assessments/violations.ts'
import type { ResponseOf } from '../../../platform/endpoint.ts'
import { call } from '../../../platform/web/api.ts'
import { toast } from '../../../platform/web/ui/toast.tsx'
import { useEndpoint } from '../../../platform/web/use-endpoint.ts'
import { countOf } from '../../../platform/words.ts'
import { useAssessment } from '../../kit/web/console/console.tsx'
import { DialogFrame } from '../../kit/web/dialog-frame.tsx'
import { Tick } from '../../kit/web/fields.tsx'
import { sentenceOf } from '../../kit/web/loaded.tsx'
import { Problem, useAct, useMayAll, usePlace } from '../../kit/web/use-act.tsx'
import { zoneTime } from '../../kit/zone-time.ts'
import { EXEMPTIONS } from '../../setup/exemptions.ts'
import { exemptFromKinds, readStrikes, restoreStrikes, takeStrikesBack } from '../contract.ts'
import { Reason, useReason } from './reason.tsx'
import { type DialogProps, nameOf, type Whom, WhomSwitch } from './whom.tsx'

type Strike = ResponseOf<typeof readStrikes>['strikes'][number]

/** One strike, or all of a minute in a room: taken back they stay, with the reason (product 7.15.7). */
export function StrikesDialog(props: DialogProps) {
  const { timeZone } = useAssessment()
  const [whom, setWhom] = useState(props.options[0] as Whom)
  const [ticked, setTicked] = useState<ReadonlySet<number>>(new Set())
  const reason = useReason()
  const read = useEndpoint(
    readStrikes,
    { params: usePlace(), body: { to: whom.to } },
    { staleTime: 0, every: 10_000 },
  )
  const { strikes = [], exemptKinds } = read.data ?? {}
  const { back, again } = useStrikeActs(timeZone, props.onDone)
  const chosen = strikes.filter(({ event, takenBack }) => ticked.has(event) && takenBack === null)
  const toggle = (events: readonly number[]) => {
    const others = [...ticked].filter((event) => !events.includes(event))
    const isOn = events.every((event) => ticked.has(event))
    setTicked(new Set(isOn ? others : [...others, ...events]))
  }
  const maySetAll = useMayAll('manage_candidates')
  const [only, ...others] = whom.to.candidates ?? []
  const isReady = chosen.length > 0 && reason.isGiven
  return (
    <DialogFrame
      work="narrow"
      title={`Take a strike of ${whom.name} back`}
      problem={read.error ? sentenceOf(read.error) : (back.problem ?? again.problem)}
      note="They stay on record with your reason, but no longer count."
      button={[`Take ${countOf(chosen.length, 'strike')} back`, 'Taking back…']}
      isReady={isReady}
      isBusy={back.isBusy}
      onAct={() => isReady && back.run({ strikes: chosen, reason: reason.reason })}
      onClose={props.onClose}
    >
      <div className="grid flex-1 content-start gap-4 overflow-y-auto px-6 py-5">
        <WhomSwitch
          options={props.options}
          value={whom}
          onChange={(next) => {
            setWhom(next)
            setTicked(new Set())
          }}
        />
        {strikes.length === 0 && (
          <p className="text-ink-2">{read.isLoading ? 'Loading…' : 'No strikes.'}</p>
        )}
        {groupsOf(strikes, timeZone).map(([title, members]) => {
          const standing = members.filter(({ takenBack }) => takenBack === null)
          return (
            <fieldset key={title}>
              <legend className="head w-full font-medium">
                {title}
                {standing.length > 1 && (
                  <button
                    type="button"
                    className="quiet-link ml-auto font-normal max-md:min-h-11"
                    onClick={() => toggle(standing.map(({ event }) => event))}
                  >
                    Tick all {standing.length}
                  </button>
                )}
              </legend>
              <ul>
                {members.map((strike) => (
                  <StrikeRow
                    key={strike.event}
                    strike={strike}
                    isTicked={ticked.has(strike.event)}
                    onToggle={() => toggle([strike.event])}
                    onRestore={
                      reason.isGiven && !again.isBusy
                        ? () => again.run({ events: [strike.event], reason: reason.reason })
                        : null
                    }
                  />
                ))}
              </ul>
            </fieldset>
          )
        })}
        {strikes.length > 0 && <Reason of={reason} />}
        {only && others.length === 0 && maySetAll && exemptKinds && (
          <NotCounted candidate={only} exemptKinds={exemptKinds} />
        )}
      </div>
    </DialogFrame>
  )
}

function StrikeRow(props: {
  strike: Strike
  isTicked: boolean
  onToggle: () => void
  /** null: a reason is missing */
  onRestore: (() => void) | null
}) {
  const { strike, onRestore } = props
  const { takenBack } = strike
  const isBack = takenBack !== null
  const id = useId()
  const { timeZone } = useAssessment()
  return (
    <li className="flex min-h-9 items-center gap-3 border-line border-b py-1">
      <input
        type="checkbox"
        id={id}
        disabled={isBack}
        checked={props.isTicked && !isBack}
        onChange={props.onToggle}
      />
      <label htmlFor={id} className={`min-w-0 flex-1 ${isBack ? 'text-ink-2' : ''}`}>
        <span className={isBack ? 'line-through' : ''}>
          <span className="figures mr-2">{zoneTime(strike.at, timeZone)}</span>
          {nameOf(strike)}: {nameOfAct(strike.kind, strike.key ?? undefined)}
        </span>
        {strike.endedTest && ', which ended the test'}
        {isBack && ` (taken back: ${takenBack})`}
      </label>
      {isBack && (
        <button
          type="button"
          className="quiet-link flex-none max-md:min-h-11"
          aria-disabled={onRestore === null}
          title={onRestore ? undefined : 'Give a reason first'}
          onClick={() => onRestore?.()}
        >
          Count it again
        </button>
      )}
    </li>
  )
}

function useStrikeActs(timeZone: string, onDone: () => void) {
  const place = usePlace()
  const again = useAct(
    (body: { events: number[]; reason: string }) => call(restoreStrikes, { params: place, body }),
    ({ events }) =>
      toast.success(`${countOf(events.length, 'strike counts', 'strikes count')} again`),
    // Its dialog may be closed: it is undone from a toast too.
    (problem) => toast.error('Not undone', problem),
  )
  const back = useAct(
    ({ strikes, reason }: { strikes: Strike[]; reason: string }, requestId) => {
      const events = strikes.map(({ event }) => event)
      return call(takeStrikesBack, { params: place, body: { requestId, events, reason } })
    },
    ({ events, mayBeReopened }, { strikes }) => {
      const [only, ...others] = groupsOf(strikes, timeZone)
      const of = only && others.length === 0 ? ` of ${only[0]}` : ''
      const names = mayBeReopened.map(({ username }) => username).join(', ')
      toast.undoable(
        `Took back ${countOf(events.length, 'strike')}${of}`,
        () => again.run({ events, reason: 'undone at once' }),
        names ? `${names}: the test was ended by strikes. Reopen lets it go on.` : undefined,
      )
      onDone()
    },
  )
  return { back, again }
}

/** Those of one minute in one room are shown together: a fire alarm looks like that. */
function groupsOf(strikes: readonly Strike[], timeZone: string) {
  const groups = new Map<string, Strike[]>()
  for (const strike of strikes) {
    const title = `${zoneTime(strike.at, timeZone)}${strike.room ? ` in room ${strike.room}` : ''}`
    groups.set(title, [...(groups.get(title) ?? []), strike])
  }
  return [...groups]
}

/** Kinds that are kept and not counted for this person (product 7.3.5). */
function NotCounted(props: { candidate: string; exemptKinds: readonly string[] }) {
  const { candidate, exemptKinds } = props
  const place = usePlace()
  const change = useAct(
    (kinds: string[]) =>
      call(exemptFromKinds, { params: { ...place, candidate }, body: { kinds } }),
    () => toast.success('Saved'),
  )
  return (
    <fieldset>
      <legend className="label">Not counted for this person at all</legend>
      <div className="flex flex-wrap gap-x-5 gap-y-1">
        {EXEMPTIONS.map(({ id, kinds, label }) => {
          const others = exemptKinds.filter((kind) => !(kinds as string[]).includes(kind))
          const isOn = others.length < exemptKinds.length
          return (
            <Tick
              key={id}
              label={label}
              checked={isOn}
              disabled={change.isBusy}
              onChange={() => change.run(isOn ? others : [...others, ...kinds])}
            />
          )
        })}
      </div>
      <Problem text={change.problem} />
    </fieldset>
  )
}
