import { useId, useState } from 'react'
import { countOf } from '../../../platform/words.ts'
import { ActionDialog } from '../../kit/web/ask.tsx'
import { useAssessment } from '../../kit/web/console/console.tsx'
import { Section } from '../../kit/web/section.tsx'
import { usePlace } from '../../kit/web/use-act.tsx'
import { zoneMoment } from '../../kit/zone-time.ts'
import { showNames } from '../contract.ts'
import type { Results } from './view.ts'

/** Blind review: on until an owner shows all names (product 7.17.7). @param props.mayShowAll an owner */
export function Names(props: {
  results: Results
  count: number
  mayShowAll: boolean
  isBlind: boolean
  onBlind: (isBlind: boolean) => void
}) {
  const { count, mayShowAll, isBlind, onBlind } = props
  const { line, names } = props.results
  const { shownAt, shownBy, looks } = names
  const { timeZone } = useAssessment()
  const place = usePlace()
  const id = useId()
  const [isAsking, setIsAsking] = useState(false)
  const isFixed = line?.fixedAt != null
  const show = `Show ${countOf(count, 'name')}`
  const looked = looks.map((one) => `${one.by} (${countOf(one.count, 'time')})`).join(', ')
  return (
    <Section title="Names">
      <div className="grid grid-cols-[52px_1fr] py-3">
        <input
          type="checkbox"
          role="switch"
          aria-checked={isBlind}
          id={id}
          className="switch"
          checked={isBlind}
          disabled={!mayShowAll || !(shownAt || isFixed)}
          aria-describedby={`${id}-hint`}
          onChange={(event) => {
            if (event.target.checked || shownAt) onBlind(event.target.checked)
            else setIsAsking(true)
          }}
        />
        <span>
          <label htmlFor={id} className="font-[550]">
            Blind review
          </label>
          <span id={`${id}-hint`} className="hint mt-0.5 block text-ink-2">
            {shownAt
              ? `${shownBy} showed the names on ${zoneMoment(shownAt, timeZone, Date.now())}. `
              : 'Names, rooms and addresses are hidden until an owner shows them. '}
            {!isFixed && !shownAt && mayShowAll && 'Lock the cut score first. '}
            {looked && `Looked at names or took a file with them before: ${looked}.`}
            {!looked && !shownAt && 'The log shows who looks at a name before.'}
          </span>
        </span>
      </div>
      {isAsking && (
        <ActionDialog
          title={show}
          text="From now on owners see names, rooms and addresses next to the scores. It is saved in the log and can’t be undone."
          endpoint={showNames}
          input={{ params: place }}
          button={[show, 'Showing…']}
          done={() => onBlind(false)}
          onClose={() => setIsAsking(false)}
        />
      )}
    </Section>
  )
}
