import { Mic, RotateCcw, Square, Timer } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { Link, useBeforeUnload } from 'react-router'
import { clockTime } from '../../../platform/durations.ts'
import { URLS } from '../../../platform/urls.ts'
import { useLeaveGuard } from '../../../platform/web/ui/back.tsx'
import { Question as AskFirst } from '../../../platform/web/ui/dialog.tsx'
import { focusWhenShown } from '../../../platform/web/ui/option-keys.ts'
import { inWords } from '../../../platform/words.ts'
import { LAST_SECONDS, SPEAKING_SECONDS } from '../../aloud/spoken-prompt.ts'
import type { PromptToAnswer } from '../../contract/aloud.ts'
import { ActionBar, KeyHints } from '../sitting/frame.tsx'
import { useAloudKeys } from './keys.ts'
import { Player, type Sound } from './player.tsx'
import { type MicrophoneProblem, type Spoken, useSpeaking } from './use-speaking.ts'

const PROBLEMS: Record<MicrophoneProblem, string> = {
  refused: 'The microphone is blocked. Allow it in the browser, or answer without it.',
  missing: 'No microphone was found. You can answer without it.',
  busy: "The microphone can't be opened, maybe because another app is using it. You can answer without it.",
  unsupported: "This browser can't record. You can answer without it.",
}
const SILENT_SECONDS = 5

export function SpeakStage(props: {
  prompt: PromptToAnswer
  lastSound: Sound | null
  onSpoken: (spoken: Spoken) => void
}) {
  const { prompt } = props
  const speaking = useSpeaking(props.onSpoken)
  const { phase, problem, secondsUsed } = speaking
  const isSpeaking = phase === 'speaking' || phase === 'stopping'
  const { label, Icon, does, main } = isSpeaking
    ? { label: 'Stop', Icon: Square, does: 'stop', main: speaking.finish }
    : problem
      ? { label: 'Start the clock', Icon: Timer, does: 'start', main: speaking.startClock }
      : { label: 'Record', Icon: Mic, does: 'record', main: speaking.record }
  const onKeyDown = useAloudKeys({ ' ': () => void main() })
  // The browser asks before it discards the recording.
  useBeforeUnload((event) => {
    if (phase === 'speaking') event.preventDefault()
  })
  const blocker = useLeaveGuard(phase === 'speaking')

  return (
    <main className="flex flex-1 flex-col outline-none" tabIndex={-1} onKeyDown={onKeyDown}>
      <div className="sitting-wrap aloud-speak">
        <section className="min-w-0">
          <p className="eyebrow">Answer aloud, {SPEAKING_SECONDS} seconds</p>
          <h1
            ref={focusWhenShown}
            tabIndex={-1}
            className={`aloud-prompt outline-none ${sizeOf(prompt.prompt)}`}
          >
            {prompt.prompt}
          </h1>
          <p className="aloud-how">{prompt.hint}</p>
          <p className={`aloud-where ${isSpeaking || problem ? 'max-nav:hidden' : ''}`}>
            The recording stays in this browser. It is deleted after seven days, or when you sign
            out. The clock runs even without a microphone.
          </p>
          {!isSpeaking && props.lastSound && (
            <div className="mt-6 max-w-[440px]">
              <Player sound={props.lastSound} label="Your last answer" />
            </div>
          )}
        </section>
        <div className="aloud-clock">
          <Dial secondsUsed={secondsUsed} isRunning={isSpeaking}>
            {isSpeaking ? (
              speaking.isRecording() && <LevelMeter loudness={speaking.loudnessNow} />
            ) : (
              <p className="hint mt-1 text-[14px]">{lastTime(prompt)}</p>
            )}
          </Dial>
          <p role="status" className="aloud-status">
            {statusOf(speaking)}
          </p>
        </div>
      </div>
      <ActionBar
        aside={
          isSpeaking ? (
            <button type="button" className="btn btn-ghost" onClick={speaking.startAgain}>
              <RotateCcw size={18} aria-hidden />
              Start again
            </button>
          ) : problem ? (
            <button type="button" className="btn btn-ghost" onClick={() => void speaking.record()}>
              <Mic size={17} aria-hidden />
              Try again
            </button>
          ) : (
            <Link to={URLS.aloud} className="btn btn-flat -ml-3">
              Not now
            </Link>
          )
        }
      >
        {isSpeaking && speaking.isRecording() && (
          <span className="aloud-recording max-nav:hidden">Recording</span>
        )}
        <KeyHints hints={[['Space', does]]} />
        <button
          type="button"
          className="btn"
          aria-disabled={phase === 'asking' || phase === 'stopping'}
          onClick={() => void main()}
        >
          <Icon size={17} aria-hidden />
          {label}
        </button>
      </ActionBar>
      <AskFirst
        open={blocker.state === 'blocked'}
        onOpenChange={(open) => !open && blocker.reset?.()}
        title="Leave this answer?"
        description="You are still speaking. If you leave now, what you have said is lost."
      >
        <button type="button" className="btn" onClick={() => blocker.reset?.()}>
          Keep speaking
        </button>
        <button type="button" className="btn btn-ghost" onClick={() => blocker.proceed?.()}>
          Leave
        </button>
      </AskFirst>
    </main>
  )
}

function statusOf(speaking: ReturnType<typeof useSpeaking>): string {
  const { phase, problem, interruptedAtMs, secondsUsed } = speaking
  if (phase === 'asking') return 'The browser asks for the microphone.'
  if (phase === 'ready') return problem ? PROBLEMS[problem] : ''
  if (interruptedAtMs !== null) {
    const at = clockTime(Math.floor(interruptedAtMs / 1000))
    return `The microphone stopped at ${at}. The clock keeps running, and the recording so far is kept.`
  }
  if (speaking.isRecording() && !speaking.isHeard && secondsUsed >= SILENT_SECONDS) {
    return 'No sound detected. Is it the right microphone?'
  }
  return ''
}

function lastTime({ last, points }: PromptToAnswer): string {
  if (!last) return 'first time'
  const said = inWords(last.pointsSaid, 'none')
  const all = inWords(points.length)
  return `last time ${clockTime(Math.round(last.tookMs / 1000))}, ${said} of ${all}`
}

function sizeOf(prompt: string): string {
  if (prompt.length <= 32) return 'text-[clamp(46px,5.8vw,84px)]'
  return prompt.length <= 64 ? 'text-[clamp(36px,4.3vw,62px)]' : 'text-[clamp(31px,3.5vw,50px)]'
}

const STEP_MS = 60

/** Shows the loudness. Under reduced motion it doesn't move, and words say that sound is heard. */
function LevelMeter({ loudness }: { loudness: () => number }) {
  const bar = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) return
    // This bypasses React, because it runs sixteen times a second.
    const timer = setInterval(() => {
      if (bar.current) bar.current.style.width = `${loudness() * 100}%`
    }, STEP_MS)
    return () => clearInterval(timer)
  }, [loudness])
  return (
    <span aria-hidden className="track level-meter">
      <span ref={bar} style={{ width: 0 }} />
    </span>
  )
}

const RING = { cx: 200, cy: 200, r: 172, pathLength: SPEAKING_SECONDS }

/** Shows a dash per second, filled when used, the last fifteen in claret (product 3.13.4). */
function Dial(props: { secondsUsed: number; isRunning: boolean; children?: ReactNode }) {
  const { secondsUsed } = props
  const left = SPEAKING_SECONDS - secondsUsed
  return (
    <div
      className="dial"
      role="timer"
      aria-label={`${left} of ${SPEAKING_SECONDS} seconds left`}
      data-late={props.isRunning && left <= LAST_SECONDS}
    >
      <svg viewBox="0 0 400 400" aria-hidden="true">
        <circle {...RING} className="dial-left" strokeDasharray="0.15 0.85" />
        <circle
          {...RING}
          className="dial-used"
          strokeDasharray={`${secondsUsed} ${SPEAKING_SECONDS}`}
        />
      </svg>
      <div className="dial-inside">
        <p className="fig dial-figure">{clockTime(left)}</p>
        <div className="dial-below">{props.children}</div>
      </div>
    </div>
  )
}
