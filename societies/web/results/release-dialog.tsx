import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { releasedParagraphs, scoreShown } from '../../../assessments/released-result.ts'
import { call } from '../../../platform/web/api.ts'
import { Dialog } from '../../../platform/web/ui/dialog.tsx'
import { toast } from '../../../platform/web/ui/toast.tsx'
import { RELEASE_WORDS_LENGTH, releaseResults } from '../../contract/results.ts'
import { blindNumber, countOf } from '../../number-words.ts'
import { FormField, Refusal } from '../assessments/form-parts.tsx'
import { useAssessment } from '../console/console.tsx'
import { useProof } from '../console/proof.tsx'
import { ReasonField } from '../console/reason-field.tsx'
import { usePlace } from '../console/use-act.ts'
import { type Results, resultsKey } from './queries.ts'
import type { Obstacle } from './results-words.ts'
import type { Shown } from './view.ts'

/** Lets candidates read their own result: what they will read, and what is open (product 7.17.12). */
export function ReleaseDialog(props: {
  results: Results
  obstacles: readonly Obstacle[]
  count: number
  /** whose result the preview shows */
  sample: Shown
  items: number
  onClose: () => void
}) {
  const { results, obstacles, count, sample, items, onClose } = props
  const place = usePlace()
  const { society } = useAssessment()
  const client = useQueryClient()
  const withProof = useProof()
  const [words, setWords] = useState(results.release?.words ?? '')
  const [tellsLine, setTellsLine] = useState(false)
  const [reason, setReason] = useState('')
  const isFixed = results.line?.fixedAt != null
  const releasing = useMutation({
    mutationFn: () =>
      withProof(() =>
        call(releaseResults, {
          params: place,
          body: {
            ...{ words, tellsLine },
            ...(reason.trim() ? { reason: reason.trim() } : {}),
          },
        }),
      ),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: resultsKey(place), exact: true })
      toast.success('The results are released', 'Each candidate reads the own one alone.')
      onClose()
    },
    onError: () => client.invalidateQueries({ queryKey: resultsKey(place), exact: true }),
  })
  const holding = obstacles.filter(({ isTold }) => !isTold)
  const told = obstacles.filter(({ isTold }) => isTold)
  const isReady = holding.length === 0 || reason.trim() !== ''
  function submit(event: FormEvent): void {
    event.preventDefault()
    if (isReady && !releasing.isPending) releasing.mutate()
  }
  return (
    <Dialog open onOpenChange={onClose} title={`Release ${countOf(count, 'result')}`} wide>
      <form onSubmit={submit} className="grid gap-5">
        <p>
          Each candidate reads the own result on the page where the test was handed in, with the
          account from which it was sat. No mail goes out, and nobody reads another’s name, score or
          place.
        </p>
        <FormField
          label="Your words"
          note="may stay empty"
          hint={`Plain text, ${RELEASE_WORDS_LENGTH} characters at most.`}
        >
          {(described) => (
            <textarea
              {...described}
              className="field w-full"
              rows={4}
              maxLength={RELEASE_WORDS_LENGTH}
              value={words}
              onChange={(event) => setWords(event.target.value)}
            />
          )}
        </FormField>
        <label className="flex items-start gap-2.5">
          <input
            type="checkbox"
            className="mt-0.5"
            checked={tellsLine}
            disabled={!isFixed}
            onChange={(event) => setTellsLine(event.target.checked)}
          />
          <span>
            Tell where the line is, and on which side they are
            {!isFixed && <span className="hint block text-ink-2">Fix the line first.</span>}
          </span>
        </label>
        <section aria-labelledby="what-they-read" className="border-line border-y py-4">
          <h3 id="what-they-read">What candidate {blindNumber(sample.number)} will read</h3>
          <p className="mt-3 text-ink-2">
            {society} has released the results. Each candidate reads the own one alone.
          </p>
          <p className="mt-3 font-serif text-[32px] leading-none">
            {scoreShown({ right: sample.right, items })}
          </p>
          {releasedParagraphs({
            ...{ right: sample.right, items, error: sample.error },
            line: tellsLine ? (results.line?.points ?? null) : null,
          }).map((text) => (
            <p key={text} className="mt-3 max-w-[60ch]">
              {text}
            </p>
          ))}
          {words.trim() && (
            <blockquote className="mt-4 whitespace-pre-line border-line-strong border-l-2 pl-4">
              {words.trim()}
            </blockquote>
          )}
        </section>
        {told.map(({ sentence }) => (
          <p key={sentence}>{sentence}</p>
        ))}
        {holding.length > 0 && (
          <div>
            <p className="warning">
              <span>
                <b className="font-semibold">Something is open.</b>{' '}
                {holding.map(({ sentence }) => sentence).join(' ')} Settle it first, or say why the
                results go out all the same.
              </span>
            </p>
            <FormField
              className="mt-3"
              label="Why they go out all the same"
              hint="It stands in the log."
            >
              {(described) => (
                <ReasonField {...described} maxLength={500} value={reason} onChange={setReason} />
              )}
            </FormField>
          </div>
        )}
        <Refusal error={releasing.error} />
        <div className="flex flex-wrap gap-2">
          <button type="submit" className="btn" aria-disabled={!isReady || releasing.isPending}>
            {releasing.isPending ? 'Releasing…' : `Release ${countOf(count, 'result')}`}
          </button>
          <button type="button" className="btn btn-ghost" onClick={onClose}>
            Not yet
          </button>
        </div>
      </form>
    </Dialog>
  )
}
