import './fairness.css'
import type { ReactNode } from 'react'
import type { CardContent, CardPart } from '../../contract/card.ts'
import { type CardRow, cardRows, daysWords, leadWords } from './card-words.ts'

/** A season's card as it is read and printed; the page around it brings what can be pressed. */
export function Card(props: {
  content: CardContent
  /** at the right of the lead */
  aside?: ReactNode
  /** where the numbers come from */
  source: ReactNode
}) {
  const { content } = props
  const days = daysWords(content)
  return (
    <div className="fair">
      <section className="fair-lead">
        <div>
          <p className="eyebrow">
            {content.society}
            {days && ` · ${days}`}
          </p>
          <h1 className="fair-title">How the {content.season} test was run</h1>
          <p className="fair-said">{leadWords(content)}</p>
        </div>
        {props.aside}
      </section>
      <div className="fair-rows">
        {cardRows(content).map((row) => (
          <Row key={row.part} row={row}>
            {BELOW[row.part]?.(content)}
          </Row>
        ))}
      </div>
      <section className="fair-foot">
        <div>
          <h2>What this page cannot show</h2>
          <p>
            Whether somebody had help that nobody saw. Whether the test measures what the job needs.
            How a group of fewer than 15 people did.
          </p>
        </div>
        <div>
          <h2>Where the numbers come from</h2>
          {props.source}
        </div>
      </section>
    </div>
  )
}

function Row({ row, children }: { row: CardRow; children: ReactNode }) {
  return (
    <section className="fair-row">
      <h2>{row.title}</h2>
      <p className="fair-figure">
        <b>{row.figure}</b>
        {row.unit && <span>{row.unit}</span>}
      </p>
      <div>
        <p>{row.sentences.join(' ')}</p>
        {children}
      </div>
    </section>
  )
}

/** What stands below the sentences. */
const BELOW: Partial<Record<CardPart, (content: CardContent) => ReactNode>> = {
  incidents: ({ incidents }) => <Verdicts {...incidents} />,
}

function Verdicts({ cleared, upheld, waitForTalk, undecided }: CardContent['incidents']) {
  if (cleared + upheld + waitForTalk + undecided === 0) return null
  const counts = [
    ['cleared', cleared],
    ['upheld', upheld],
    ['wait for a talk', waitForTalk],
    ['undecided', undecided],
  ] as const
  return (
    <dl className="fair-counts">
      {counts.map(([word, count]) => (
        <div key={word}>
          <dt>{word}</dt>
          <dd>{count}</dd>
        </div>
      ))}
    </dl>
  )
}
