import type { ReactNode } from 'react'
import { OPTION_LETTERS, type OptionLetter } from '../../../platform/options.ts'

/** A note in the margin: a colored rule, a title ('The mistake'), the sentence, and the explanation. */
export function Note(props: {
  tone: 'right' | 'wrong' | 'plain'
  title: string
  sentence?: string | undefined
  explanation?: string | null | undefined
  /** the standard or text that the rule stands in */
  source?: string | undefined
  /** the title is the explanation's own */
  isTitled?: boolean
  children?: ReactNode
}) {
  return (
    <div className={`note note-${props.tone} fade-in`}>
      <p className="eyebrow">{props.title}</p>
      {props.sentence && <p className="note-sentence">{props.sentence}</p>}
      {props.explanation && (
        <>
          {!props.isTitled && <p className="eyebrow note-below">Explanation</p>}
          <p className="running note-text">{props.explanation}</p>
          {props.source && <p className="hint note-source">Source: {props.source}</p>}
        </>
      )}
      {props.children}
    </div>
  )
}

/** Judged options (product 3.10.6): only the right and the chosen one are tinted and labeled. */
export function JudgedOptions(props: {
  options: Record<OptionLetter, string>
  correctOption: OptionLetter
  /** undefined where it is not known */
  chosen: OptionLetter | undefined
}) {
  return (
    <ul className="judged">
      {OPTION_LETTERS.map((letter) => {
        const isRight = letter === props.correctOption
        const isChosen = letter === props.chosen
        const mark = isRight ? 'CORRECT' : isChosen ? 'YOUR ANSWER' : null
        return (
          <li
            key={letter}
            className={isRight ? 'judged-right' : isChosen ? 'judged-wrong' : undefined}
          >
            <span className="judged-letter">{letter}</span>
            <span className="whitespace-pre-line">{props.options[letter]}</span>
            {mark && <span className="judged-mark">{mark}</span>}
          </li>
        )
      })}
    </ul>
  )
}
