import { Fragment, useState } from 'react'
import type { Passage, SpokenPrompt } from '../../aloud/spoken-prompt.ts'

const LENGTHS = { short: '30 seconds', long: '2 minutes' } as const

/**
 * The model answer in its two lengths. A ticked point turns its sentence grey: what is left in black and
 * underlined is what was left out (product 3.13.7).
 */
export function ModelAnswer({ prompt, said }: { prompt: SpokenPrompt; said: readonly number[] }) {
  const [length, setLength] = useState<keyof typeof LENGTHS>('short')
  return (
    <section aria-labelledby="model-answer">
      <div className="section-head aloud-head">
        <h2 id="model-answer">Model answer</h2>
        <div className="flex gap-4">
          {(['short', 'long'] as const).map((one) => (
            <button
              key={one}
              type="button"
              aria-pressed={length === one}
              onClick={() => setLength(one)}
              className="model-length"
            >
              {LENGTHS[one]}
            </button>
          ))}
        </div>
      </div>
      <p className="model-text">
        {prompt[length].map((passage, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a sentence is its place
          <Fragment key={index}>
            <Sentence passage={passage} said={said} />{' '}
          </Fragment>
        ))}
      </p>
      <p className="hint mt-3">Underlined: what you left out.</p>
    </section>
  )
}

function Sentence({ passage, said }: { passage: Passage; said: readonly number[] }) {
  const { text, points } = passage
  const isMissed = points.some((point) => !said.includes(point))
  return (
    <span className={isMissed ? 'model-missed' : undefined}>
      {isMissed && <span className="sr-only">Left out: </span>}
      {text}
      {points.length > 0 && (
        <sup>
          <span className="sr-only"> point </span>
          {points.join(', ')}
        </sup>
      )}
    </span>
  )
}
