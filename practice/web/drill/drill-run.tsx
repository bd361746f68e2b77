import { type CSSProperties, type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { clockTime, durationText } from '../../../platform/durations.ts'
import { OPTION_LETTERS, type OptionLetter } from '../../../platform/options.ts'
import { URLS } from '../../../platform/urls.ts'
import { useKeysEnabled } from '../../../platform/web/preferences.ts'
import type { Drill } from '../../contract/drills.ts'
import { parseAnswer, writeNumber } from '../../drill/fraction.ts'
import type { Preset } from '../../drill/presets.ts'
import { answeredBy, isRight, markDrill } from '../../drill/report.ts'
import { type Sum, withUnit } from '../../drill/sum.ts'
import { useBeep } from '../quiz/beep.ts'
import { HeadFrame, KeyHints, SittingToggles } from '../sitting/frame.tsx'
import { type DrillRun, remainingMs, sumsOfRun, withAnswer } from './drill-runs.ts'
import { NumberLine, Tape } from './tape.tsx'
import { Keypad, mayBeTyped, TypedAnswer } from './typed-answer.tsx'

const SHORT_MS = 30_000
const TICK_MS = 200

export function DrillRunScreen(props: {
  preset: Preset
  run: DrillRun
  /** the previous drill, compared with this one at each second */
  last: Drill | undefined
  onChange: (run: DrillRun) => void
  onFinish: (run: DrillRun) => void
}) {
  const { preset, run, last, onChange, onFinish } = props
  const beep = useBeep()
  const { version, seed, returning } = run
  const sums = useMemo(
    () => sumsOfRun({ version, seed, returning }, preset),
    [version, seed, returning, preset],
  )
  const marks = useMemo(
    () => markDrill(preset, sums, run.answers, run.penalty),
    [preset, sums, run.answers, run.penalty],
  )
  const [text, setText] = useState('')
  const leftMs = useLeft(run, preset, onFinish)
  const place = run.answers.length
  const sum = sums[place]

  function answer(text: string): void {
    const nowMs = Date.now()
    if (!sum || remainingMs(run, preset, nowMs) === 0) return
    const next = withAnswer(run, preset, { text, from: sum.from }, nowMs)
    if (!isRight(sum, text)) beep()
    setText('')
    onChange(next)
    if (next.answers.length === sums.length) onFinish(next)
  }

  function type(next: string): void {
    if (!mayBeTyped(next)) return
    setText(next)
    if (preset.takesNoEnter && sum && isRight(sum, next)) answer(next)
  }
  /** Text that isn't a number yet stays in the field. */
  function enter(): void {
    if (!preset.takesNoEnter && parseAnswer(text)) answer(text)
  }

  if (!sum) return null
  const limitMs = preset.limitSeconds * 1_000
  const isTyped = preset.answering === 'typed'
  return (
    <div className="sitting drill">
      <DrillHead preset={preset} leftMs={leftMs} />
      <main className="drill-main">
        <div className="drill-stage">
          <Tape sums={sums} answers={run.answers} isRight={marks.isRight} />
          <div
            className="drill-row drill-now"
            style={{ '--letters': sum.prompt.length } as CSSProperties}
          >
            <span data-line={sum.prompt.length <= 24 || undefined}>{sum.prompt}</span>
            <span className="drill-sign" data-gap={sum.sign === '? =' || undefined}>
              {sum.sign}
            </span>
            <span>
              {isTyped ? (
                <TypedAnswer sum={sum} text={text} onType={type} onEnter={enter} />
              ) : (
                <span className="drill-blank" />
              )}
            </span>
          </div>
          {!isTyped && <ChosenAnswer sum={sum} place={place} onAnswer={answer} />}
        </div>
        <NumberLine
          marks={marks.isRight}
          sumCount={sums.length}
          isEndless={preset.isEndless}
          lastAt={last && answeredBy(last.answers, limitMs - leftMs)}
          lastCount={last?.answers.length}
        />
      </main>
      <Figures preset={preset} marks={marks} penalty={run.penalty} />
      {isTyped && (
        <Keypad
          onKey={(key) => type(text + key)}
          onDelete={() => type(text.slice(0, -1))}
          onEnter={preset.takesNoEnter ? null : enter}
        />
      )}
      <p role="status" className="sr-only">
        {told(sums, run, marks.isRight)}
        {leftMs <= SHORT_MS ? '30 seconds left.' : ''}
      </p>
    </div>
  )
}

export function DrillHeader({ line, children }: { line?: ReactNode; children: ReactNode }) {
  return (
    <HeadFrame
      closeTo={URLS.drills}
      closeLabel="Close the drill"
      below={
        <div aria-hidden className="h-[3px] bg-line">
          {line}
        </div>
      }
    >
      {children}
      <SittingToggles />
    </HeadFrame>
  )
}

function DrillHead({ preset, leftMs }: { preset: Preset; leftMs: number }) {
  const seconds = Math.ceil(leftMs / 1_000)
  const share = leftMs / (preset.limitSeconds * 1_000)
  const line = (
    <div
      className={`h-full ${leftMs <= SHORT_MS ? 'bg-wrong' : 'bg-ink'}`}
      style={{ width: `${100 - share * 100}%` }}
    />
  )
  return (
    <DrillHeader line={line}>
      <h1 className="min-w-0 flex-1 truncate font-normal font-sans text-[14px] text-ink-2 tracking-normal sm:text-[15px]">
        {preset.name}
        <span className="max-nav:sr-only">, {preset.extent}</span>
      </h1>
      <p
        role="timer"
        aria-label={`${durationText(seconds)} left`}
        className={`fig drill-clock ${leftMs <= SHORT_MS ? 'text-wrong' : ''}`}
      >
        {clockTime(seconds)}
      </p>
    </DrillHeader>
  )
}

function told(
  sums: ReturnType<typeof sumsOfRun>,
  run: DrillRun,
  isRightAt: readonly boolean[],
): string {
  const place = run.answers.length
  const [before, now] = [sums[place - 1], sums[place]]
  const verdict = !before
    ? ''
    : isRightAt[place - 1]
      ? 'Correct. '
      : `Correct answer: ${withUnit(before, before.key)}. `
  return `${verdict}${now?.prompt ?? ''} ${now?.sign ?? ''} `
}

function Figures(props: {
  preset: Preset
  marks: { score: number; correct: number; wrong: number }
  penalty: number
}) {
  const { score, correct, wrong } = props.marks
  const figures: [number, string][] = props.preset.takesNoEnter
    ? [[correct, 'right']]
    : [
        [score, 'score'],
        [correct, 'right'],
        [wrong, props.penalty > 0 ? `wrong, −${props.penalty}` : 'wrong'],
      ]
  const isTyped = props.preset.answering === 'typed'
  return (
    <footer className="drill-figures">
      <div className="sitting-wrap flex items-center justify-between gap-6">
        <dl className="flex w-full justify-between gap-2.5 nav:w-auto nav:justify-start nav:gap-[30px]">
          {figures.map(([figure, name]) => (
            <div key={name} className="flex flex-row-reverse items-baseline gap-2">
              <dt className="hint">{name}</dt>
              <dd className="fig text-[22px] nav:text-[28px]">{writeNumber(figure)}</dd>
            </div>
          ))}
        </dl>
        <KeyHints hints={isTyped ? typedHints(props.preset) : CHOICE_HINTS} />
      </div>
    </footer>
  )
}

const CHOICE_HINTS = [
  ['1–4', 'or'],
  ['A–D', 'answer'],
] as const
const typedHints = ({ takesNoEnter }: Preset) => [
  ['0–9', 'type'] as const,
  ...(takesNoEnter ? [] : [['Enter', 'next'] as const]),
  ['Esc', 'clear'] as const,
]

function useLeft(run: DrillRun, preset: Preset, onFinish: (run: DrillRun) => void): number {
  const [leftMs, setLeft] = useState(() => remainingMs(run, preset, Date.now()))
  const latest = useRef({ run, onFinish })
  latest.current = { run, onFinish }
  useEffect(() => {
    const read = () => {
      const now = remainingMs(latest.current.run, preset, Date.now())
      setLeft(now)
      if (now > 0) return
      clearInterval(timer)
      latest.current.onFinish(latest.current.run)
    }
    const timer = setInterval(read, TICK_MS)
    // A hidden page gets timers late, so the clock is read when it's visible again.
    document.addEventListener('visibilitychange', read)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', read)
    }
  }, [preset])
  return leftMs
}

function ChosenAnswer(props: { sum: Sum; place: number; onAnswer: (text: string) => void }) {
  const { sum, onAnswer } = props
  const [areKeysEnabled] = useKeysEnabled()
  const answer = useRef(onAnswer)
  answer.current = onAnswer
  useEffect(() => {
    if (!areKeysEnabled) return
    const choose = (event: KeyboardEvent) => {
      // Holding a key must not answer the next question.
      if (event.repeat || event.ctrlKey || event.metaKey || event.altKey) return
      const letter = OPTION_LETTERS.indexOf(event.key.toUpperCase() as OptionLetter)
      const option = sum.options[letter === -1 ? Number(event.key) - 1 : letter]
      if (option !== undefined) answer.current(option)
    }
    document.addEventListener('keydown', choose)
    return () => document.removeEventListener('keydown', choose)
  }, [sum, areKeysEnabled])
  return (
    <ol aria-label="Answers" className="drill-options">
      {sum.options.map((option, index) => (
        // The key includes the place, so that a second tap hits the next question's button.
        <li key={`${props.place} ${option}`}>
          <button type="button" onClick={() => onAnswer(option)}>
            <span aria-hidden className="drill-option-key">
              {index + 1}
            </span>
            {withUnit(sum, option)}
          </button>
        </li>
      ))}
    </ol>
  )
}
