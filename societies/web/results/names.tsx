import { useId, useState } from 'react'
import { countOf } from '../../../platform/words.ts'
import { showNames } from '../../contract/results.ts'
import { zoneMoment } from '../../zone-time.ts'
import { useAssessment } from '../console/console.tsx'
import { ActionDialog } from '../kit/ask.tsx'
import { usePlace } from '../kit/use-act.tsx'
import type { Results } from './view.ts'

/** Blind review, on until the choice is made (product 7.17.7). @param props.mayShowAll an owner */
export function Names(props: {
  results: Results
  count: number
  mayShowAll: boolean
  isBlind: boolean
  onBlind: (isBlind: boolean) => void
}) {
  const { results, count, mayShowAll, isBlind, onBlind } = props
  const { line, names } = results
  const { timeZone } = useAssessment()
  const place = usePlace()
  const id = useId()
  const [isAsking, setIsAsking] = useState(false)
  const isFixed = line?.fixedAt != null
  const mayTurn = mayShowAll && (names.shownAt !== null || isFixed)
  return (
    <section aria-labelledby={`${id}-names`}>
      <div className="head">
        <h2 id={`${id}-names`}>Names</h2>
      </div>
      <div className="grid grid-cols-[52px_1fr] py-3">
        <input
          type="checkbox"
          role="switch"
          aria-checked={isBlind}
          id={id}
          className="switch"
          checked={isBlind}
          disabled={!mayTurn}
          aria-describedby={`${id}-hint`}
          onChange={(event) => {
            if (event.target.checked || names.shownAt) onBlind(event.target.checked)
            else setIsAsking(true)
          }}
        />
        <span>
          <label htmlFor={id} className="font-[550]">
            Blind review
          </label>
          <span id={`${id}-hint`} className="hint mt-0.5 block text-ink-2">
            {names.shownAt
              ? `${names.shownBy} showed the names on ${zoneMoment(names.shownAt, timeZone, Date.now())}.`
              : `Names, rooms and addresses stay hidden until the choice is made.${isFixed || !mayShowAll ? '' : ' Fix the line to show them together.'}`}{' '}
            {looksInWords(names)}
          </span>
        </span>
      </div>
      {isAsking && (
        <ActionDialog
          title={`Show ${countOf(count, 'name')}`}
          text="From now on owners see names, rooms and addresses next to the scores. It is saved in the log and can’t be undone."
          endpoint={showNames}
          input={{ params: place }}
          button={[`Show ${countOf(count, 'name')}`, 'Showing…']}
          done={() => onBlind(false)}
          onClose={() => setIsAsking(false)}
        />
      )}
    </section>
  )
}

/** Who looked ahead of the choice. */
function looksInWords({ looks, shownAt }: Results['names']): string {
  if (looks.length === 0) {
    return shownAt ? '' : 'Whoever shows one before stands in the log.'
  }
  const told = looks.map(({ by, count }) => `${by} ${count === 1 ? 'once' : `${count} times`}`)
  return `Before${shownAt ? ' that' : ' the choice'}, names were shown or taken as a file by ${told.join(', ')}; the log has each.`
}
