import { MAX_VIOLATIONS } from '../../../assessments/violations.ts'
import { countOf } from '../../../platform/words.ts'
import type { LiveCandidate } from '../contract.ts'
import { TROUBLE_WORDS } from '../trouble-words.ts'

/** One tick is one question. */
export function AnsweredBar({ answered, total }: { answered: number; total: number }) {
  if (total === 0) return null
  // 40 questions fill the column; more ticks are narrower.
  const tickPx = Math.min(4, 160 / total)
  const mask = `repeating-linear-gradient(90deg, #000 0 ${tickPx * 0.75}px, transparent 0 ${tickPx}px)`
  return (
    <i
      aria-hidden
      className="inline-block h-2.5"
      style={{
        width: total * tickPx,
        background: `linear-gradient(var(--ink), var(--ink)) 0 0 / ${answered * tickPx}px 100% no-repeat, var(--line)`,
        maskImage: mask,
        WebkitMaskImage: mask,
      }}
    />
  )
}

const SQUARES = {
  on: 'border-ink bg-ink',
  back: 'border-ink bg-[linear-gradient(135deg,transparent_46%,var(--ink)_46%_54%,transparent_54%)]',
  open: 'border-line-strong',
}

/** One square for each strike; those taken back are struck through. */
export function Strikes({ strikes, takenBack }: { strikes: number; takenBack: number }) {
  const back = Math.min(takenBack, MAX_VIOLATIONS)
  const open = Math.max(0, MAX_VIOLATIONS - strikes - back)
  const squares = [
    ...Array<'on'>(strikes).fill('on'),
    ...Array<'back'>(back).fill('back'),
    ...Array<'open'>(open).fill('open'),
  ]
  const words = [
    strikes > 0 && countOf(strikes, 'strike'),
    takenBack > 0 && `${takenBack} taken back`,
  ]
    .filter(Boolean)
    .join(', ')
  return (
    <>
      <span aria-hidden className="inline-flex gap-[3px] align-[-1px]">
        {squares.map((square, at) => (
          <i
            // biome-ignore lint/suspicious/noArrayIndexKey: a square is its place
            key={at}
            className={`inline-block size-[11px] rounded-[2px] border ${SQUARES[square]}`}
          />
        ))}
      </span>
      <span className="sr-only">{words || 'no strikes'}</span>
    </>
  )
}

/** Alerts, amber while nobody has seen them, then late answers and extra minutes. */
export function Marks({ one }: { one: LiveCandidate }) {
  const minutes = (seconds: number) => Math.round(seconds / 6) / 10
  const parts = [
    ...one.marks.map(({ trouble, seenBy }) =>
      seenBy === null ? (
        <span key={trouble} className="amber font-medium">
          {TROUBLE_WORDS[trouble]}
        </span>
      ) : (
        <span key={trouble}>
          {TROUBLE_WORDS[trouble]}, seen <abbr title={seenBy}>{initialsOf(seenBy)}</abbr>
        </span>
      ),
    ),
    one.givenSeconds > 0 && <span key="given">{minutes(one.givenSeconds)} min given</span>,
    one.extraSeconds > 0 && <span key="extra">{minutes(one.extraSeconds)} min planned</span>,
    one.late > 0 && <span key="late">late answers</span>,
  ].filter(Boolean)
  return (
    <span className="text-[12.5px] text-ink-2">
      {parts.map((part, at) => [at > 0 && ', ', part])}
    </span>
  )
}

/** 'ben.aalto' is BA, 'ana' is AN */
function initialsOf(name: string): string {
  const parts = name.split(/[\s._-]+/).filter(Boolean)
  const letters =
    parts.length > 1 ? parts.map((part) => part.charAt(0)).join('') : (parts[0] ?? '').slice(0, 2)
  return letters.slice(0, 3).toUpperCase()
}
