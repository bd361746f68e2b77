import type { ReactNode } from 'react'

/**
 * A note in the margin: a rule in its colour, what it is ('The mistake', 'Correct'), the sentence in Newsreader,
 * and the explanation under it.
 */
export function Note(props: {
  tone: 'right' | 'wrong' | 'plain'
  title: string
  sentence?: string | undefined
  explanation?: string | null | undefined
  /** the standard or text that the rule stands in */
  source?: string | undefined
  /** the title is the explanation's own */
  isTitled?: boolean
  /** below the explanation */
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
