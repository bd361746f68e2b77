import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { describeDuration } from '../../../platform/durations.ts'
import { call } from '../../../platform/web/api.ts'
import { toast } from '../../../platform/web/ui/toast.tsx'
import { useEndpoint } from '../../../platform/web/use-endpoint.ts'
import { countOf } from '../../../platform/words.ts'
import { readExtraTime, secondsOfMinutes } from '../../kit/minutes.ts'
import { useAssessment, useSociety } from '../../kit/web/console/console.tsx'
import { useNowMs } from '../../kit/web/console/use-now.ts'
import { DialogFrame } from '../../kit/web/dialog-frame.tsx'
import { Tick } from '../../kit/web/fields.tsx'
import { sentenceOf } from '../../kit/web/loaded.tsx'
import { Stepper } from '../../kit/web/stepper.tsx'
import { useAct, usePlace } from '../../kit/web/use-act.tsx'
import { zoneTime } from '../../kit/zone-time.ts'
import {
  type AskedTime,
  changeTime,
  endNow,
  giveMinutes,
  INVIGILATOR_SECONDS,
  previewMinutes,
  previewTime,
  type TimeGroup,
  type TimeKind,
  type TimePreview,
  undoTime,
} from '../contract.ts'
import { Reason, useReason } from './reason.tsx'
import { TimeOutlook } from './time-outlook.tsx'
import { type DialogProps, type Whom, WhomSwitch } from './whom.tsx'

const KINDS: Readonly<
  Record<TimeKind, { label: string; hint: string; minutes?: string; note?: string }>
> = {
  give: {
    label: 'Add time for an incident',
    hint: 'in addition to planned extra time',
    minutes: 'Minutes to give',
  },
  plan: {
    label: 'Set the planned extra time',
    hint: 'promised before the day; replaces the current value',
    minutes: 'Planned extra minutes, in all, or a percentage',
  },
  end_at: { label: 'Set one end time', hint: 'the same clock time for all of them' },
  reopen: {
    label: 'Reopen closed tests',
    hint: 'for a few minutes from now, including submitted ones',
    minutes: 'Minutes from now on',
    note: 'Candidates sign in again on the recruitment page. Their answers are unchanged.',
  },
  end_now: {
    label: 'End now',
    hint: 'with what is answered',
    note: 'Answers on their way still count for ten seconds. You can reopen the test, but not undo this.',
  },
}

/**
 * The dialog for all changes of time, for one candidate, several, a room or all, before, during or after the test. The
 * left side has the form and the right side its effect (product 7.15.1).
 * @param props.kinds the available changes; the first is preselected
 */
export function TimeDialog(props: DialogProps & { kinds: readonly TimeKind[] }) {
  const { kinds } = props
  const { may } = useSociety()
  const { timeZone, durationSeconds } = useAssessment()
  const mayAll = may('give_any_time')
  const nowMs = useNowMs(10_000)
  const [whom, setWhom] = useState(props.options[0] as Whom)
  const [kind, setKind] = useState(kinds[0] as TimeKind)
  const [typed, setTyped] = useState({ give: '5', plan: '', reopen: '10', end_at: '', end_now: '' })
  const [reopens, setReopens] = useState(mayAll)
  const reason = useReason()
  const text = typed[kind]
  const type = (next: string) => setTyped({ ...typed, [kind]: next })
  const canReopen = kind === 'give' || kind === 'end_at'
  const seconds =
    kind === 'plan'
      ? (readExtraTime(text, durationSeconds)?.seconds ?? null)
      : secondsOfMinutes(text.trim().replace(',', '.')) || null
  const asked: AskedTime = { to: whom.to, kind, reopens: canReopen && reopens }
  if (kind === 'end_at') asked.at = `${dayOf(text, nowMs, timeZone)} ${text}`
  else if (kind !== 'end_now') asked.seconds = seconds ?? 0
  const isWhole = kind === 'end_now' || (kind === 'end_at' ? text !== '' : seconds !== null)
  const time = useTimeAct(asked, isWhole, props.onDone)
  const { preview } = time
  const counts = countOutcomes(preview)
  const isReady =
    time.isCurrent &&
    Object.values(counts).some((count) => count > 0) &&
    (kind === 'plan' || reason.isGiven)
  const { note, minutes } = KINDS[kind]
  const isOnly = kinds.length === 1
  return (
    <DialogFrame
      work="wide"
      title={titleOf(kind, whom.name)}
      text={isWhole ? describeWhom(preview) : 'Enter a time to see what it changes.'}
      problem={time.problem}
      note={note ?? 'Their clocks follow within a minute, and each candidate reads the new time.'}
      button={[isWhole ? buttonOf(kind, seconds, typed.end_at, counts) : 'Enter a time', 'Saving…']}
      isReady={isReady}
      isBusy={time.isBusy}
      onAct={() => isReady && time.run(reason.reason)}
      onClose={props.onClose}
    >
      <div className="grid min-h-0 flex-1 overflow-y-auto md:grid-cols-[392px_minmax(0,1fr)] md:overflow-hidden">
        <div className="grid auto-rows-max content-start gap-4 border-line px-6 py-5 max-md:border-b md:overflow-y-auto md:border-r">
          <WhomSwitch options={props.options} value={whom} onChange={setWhom} />
          <fieldset className="grid gap-3">
            <legend className="sr-only">What</legend>
            {kinds.map((one) => (
              <div key={one}>
                {isOnly ? (
                  <p className="font-semibold">
                    {KINDS[one].label}
                    <span className="hint block font-normal text-ink-2">{KINDS[one].hint}</span>
                  </p>
                ) : (
                  <Tick
                    kind="radio"
                    name="time-kind"
                    className={kind === one ? 'font-semibold [&_small]:font-normal' : ''}
                    label={KINDS[one].label}
                    hint={KINDS[one].hint}
                    checked={kind === one}
                    onChange={() => setKind(one)}
                  />
                )}
                {kind === one && (
                  <div className={`mt-2.5 ${isOnly ? '' : 'ml-6.5'}`}>
                    {kind === 'end_at' && (
                      <input
                        type="time"
                        className="field"
                        aria-label="They end at"
                        value={text}
                        onChange={(event) => type(event.target.value)}
                      />
                    )}
                    {minutes && (
                      <Minutes
                        label={minutes}
                        value={text}
                        onChange={type}
                        quick={kind === 'plan' ? [] : ['5', '10', '15']}
                      />
                    )}
                  </div>
                )}
              </div>
            ))}
          </fieldset>
          {mayAll && canReopen && (
            <Tick
              className="border-line border-t pt-3.5"
              checked={reopens}
              onChange={setReopens}
              label="Reopen closed tests"
              hint="if closed by the clock, or by strikes since taken back; not if submitted"
            />
          )}
          {!mayAll && (
            <p className="hint text-ink-2">
              You can give one candidate {INVIGILATOR_SECONDS / 60} minutes in all. An owner can
              give more.
            </p>
          )}
          {kind === 'end_now' && preview && counts.ends > 0 && <EndingNow preview={preview} />}
          <Reason of={reason} />
        </div>
        <section
          aria-label="What changes"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a long list scrolls by keyboard
          tabIndex={0}
          className="px-6 py-5 md:overflow-y-auto"
        >
          <TimeOutlook preview={preview} isCurrent={time.isCurrent} isAdding={kind === 'give'} />
        </section>
      </div>
    </DialogFrame>
  )
}

/** Previews a change of time and applies it. @param isWhole false while the form is incomplete */
function useTimeAct(asked: AskedTime, isWhole: boolean, onDone: () => void) {
  const place = usePlace()
  const { may } = useSociety()
  // An invigilator gives minutes to one candidate, through a separate endpoint.
  const one = may('give_any_time') ? null : (asked.to.candidates?.[0] ?? null)
  const minutes = {
    params: { ...place, candidate: one ?? '' },
    body: { seconds: asked.seconds ?? 0 },
  }
  // The preview polls because other organizers change time too.
  const every = 5_000
  const look = { placeholderData: keepPreviousData, every, staleTime: 0, gcTime: 0, retry: false }
  const all = { params: place, body: asked }
  const ofAll = useEndpoint(previewTime, all, { ...look, enabled: isWhole && one === null })
  const ofOne = useEndpoint(previewMinutes, minutes, { ...look, enabled: isWhole && one !== null })
  const preview = one === null ? ofAll : ofOne
  const undo = useAct(
    (requestId: string) => call(undoTime, { params: place, body: { requestId } }),
    () => toast.success('Taken back'),
    (problem) => toast.error('Not taken back', problem),
  )
  const act = useAct(
    (reason: string, requestId) => {
      const { kind, to } = asked
      if (one !== null) {
        return call(giveMinutes, { ...minutes, body: { ...minutes.body, requestId, reason } })
      }
      if (kind === 'end_now') {
        return call(endNow, { params: place, body: { to, requestId, reason } })
      }
      const body = { ...asked, kind, requestId, ...(reason !== '' && { reason }) }
      return call(changeTime, { params: place, body })
    },
    ({ text, canBeUndone }, _, requestId) => {
      if (canBeUndone) toast.undoable(text, () => undo.run(requestId))
      else toast.success(text)
      onDone()
    },
  )
  return {
    preview: isWhole ? preview.data : undefined,
    isCurrent: isWhole && !preview.isPlaceholderData && preview.isSuccess,
    problem: act.problem ?? (isWhole && preview.error ? sentenceOf(preview.error) : null),
    isBusy: act.isBusy,
    run: act.run,
  }
}

function Minutes(props: {
  label: string
  value: string
  onChange: (text: string) => void
  quick: readonly string[]
}) {
  const { value, onChange } = props
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Stepper
        label={props.label}
        unit="minute"
        shown="min"
        value={value}
        onType={onChange}
        onStep={(by) => onChange(String(Math.max(0, (Number(value) || 0) + by)))}
      />
      {props.quick.map((minutes) => (
        <button
          key={minutes}
          type="button"
          className="quick min-h-9! font-medium"
          aria-label={`${minutes} minutes`}
          aria-pressed={value === minutes}
          onClick={() => onChange(minutes)}
        >
          {minutes}
        </button>
      ))}
    </div>
  )
}

function EndingNow({ preview }: { preview: TimePreview }) {
  const { people, itemCount, unanswered: open } = preview
  const missing =
    open === 1 && countOutcomes(preview).ends === 1
      ? `${people.find(({ outcome }) => outcome === 'ends')?.answered} of ${itemCount} questions are answered`
      : `${countOf(open, 'candidate has', 'candidates have')} questions without an answer`
  return (
    <p className="warning">
      {open === 0
        ? 'Every question is answered.'
        : `${missing}; unanswered questions count as wrong.`}{' '}
      The candidate sees that the society ended the test.
    </p>
  )
}

/** Example: '37 taking the test, 1 closed or not started. Unaffected: 2 not taking the test.' */
function describeWhom(preview: TimePreview | undefined): string {
  if (!preview) return 'Checking who is taking the test…'
  const { groups, inside, handedIn, notInside } = preview
  const others = groups.reduce((sum, { count }) => sum + count, 0) - inside
  const untouched = [
    ...(handedIn > 0 ? [`${handedIn} submitted`] : []),
    ...(notInside > 0 ? [`${notInside} not taking the test`] : []),
  ].join(', ')
  return `${inside} taking the test${others > 0 ? `, ${others} closed or not started` : ''}.${untouched && ` Unaffected: ${untouched}.`}`
}

function titleOf(kind: TimeKind, name: string): string {
  if (kind === 'reopen') return `Open the test of ${name} again`
  return kind === 'end_now' ? `End the test of ${name} now` : `Give time to ${name}`
}

function countOutcomes(preview: TimePreview | undefined) {
  const of = (group: TimeGroup) => preview?.groups.find((one) => one.group === group)?.count ?? 0
  const moves = of('moves') + of('has_extra')
  return { moves, reopens: of('reopens'), plans: of('plans'), ends: of('ends') }
}

function buttonOf(
  kind: TimeKind,
  seconds: number | null,
  at: string,
  { moves, reopens, plans, ends }: ReturnType<typeof countOutcomes>,
): string {
  const open = reopens > 0 ? `open ${reopens} again` : ''
  const minutes = seconds === null ? '… min' : describeDuration(seconds)
  switch (kind) {
    case 'give': {
      const give = moves > 0 || !open ? `Give ${minutes} to ${moves}` : ''
      return give && open ? `${give}, ${open}` : give || `O${open.slice(1)}`
    }
    case 'plan':
      return `Plan ${minutes} for ${moves + plans}`
    case 'end_at':
      return `End ${moves} at ${at || '…'}${open && `, ${open}`}`
    case 'reopen':
      return `Open ${reopens} again for ${minutes}`
    case 'end_now':
      return `End ${ends} now`
  }
}

/** Returns today's date in the zone, such as 2026-03-02, or tomorrow's if the time is past midnight. */
function dayOf(clock: string, nowMs: number, timeZone: string): string {
  const minutesOf = (text: string) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3, 5))
  const isTomorrow = minutesOf(zoneTime(nowMs, timeZone)) - minutesOf(clock) > 12 * 60
  return new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(
    isTomorrow ? nowMs + 24 * 3_600_000 : nowMs,
  )
}
