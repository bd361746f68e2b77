import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { call } from '../../../platform/web/api.ts'
import { Question } from '../../../platform/web/ui/dialog.tsx'
import { showNames } from '../../contract/results.ts'
import { countOf } from '../../number-words.ts'
import { zoneMoment } from '../../zone-time.ts'
import { useAssessment } from '../console/console.tsx'
import { sentenceOf, usePlace } from '../console/use-act.ts'
import { type Results, resultsKey } from './queries.ts'

/** Blind review, on until the choice is made (product 7.17.7). */
export function Names(props: {
  results: Results
  count: number
  /** an owner */
  mayShowAll: boolean
  isBlind: boolean
  onBlind: (isBlind: boolean) => void
}) {
  const { results, count, mayShowAll, isBlind, onBlind } = props
  const { line, names } = results
  const { timeZone } = useAssessment()
  const place = usePlace()
  const client = useQueryClient()
  const id = useId()
  const [isAsking, setIsAsking] = useState(false)
  const showing = useMutation({
    mutationFn: () => call(showNames, { params: place }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: resultsKey(place) })
      setIsAsking(false)
      onBlind(false)
    },
  })
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
            if (event.target.checked) onBlind(true)
            else if (names.shownAt) onBlind(false)
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
      <Question
        open={isAsking}
        onOpenChange={setIsAsking}
        title={`Show ${countOf(count, 'name')}`}
        description="From now on owners see names, rooms and addresses beside the scores. It goes into the log, and cannot be taken back."
      >
        <button type="button" className="btn btn-ghost" onClick={() => setIsAsking(false)}>
          Not yet
        </button>
        <button
          type="button"
          className="btn"
          aria-disabled={showing.isPending}
          onClick={() => !showing.isPending && showing.mutate()}
        >
          {showing.isPending ? 'Showing…' : `Show ${countOf(count, 'name')}`}
        </button>
        {showing.error && (
          <p role="alert" className="amber w-full">
            {sentenceOf(showing.error)}
          </p>
        )}
      </Question>
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
