import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import type { ResponseOf } from '../../../platform/endpoint.ts'
import { call } from '../../../platform/web/api.ts'
import { checkReference, REFERENCE } from '../../contract/card.ts'

/** 'You sat it?': whether the answers of a reference are among those counted (product 7.21.8). */
export function ReferenceCheck({ cardId, sat }: { cardId: string; sat: number }) {
  const id = useId()
  const [reference, setReference] = useState('')
  const [isMalformed, setMalformed] = useState(false)
  const check = useMutation({
    mutationFn: (asked: string) =>
      call(checkReference, { params: { card: cardId }, body: { reference: asked } }),
  })
  const words: Record<ResponseOf<typeof checkReference>['found'], string> = {
    counted: `Yes: your answers are among the ${sat}.`,
    not_counted:
      'This reference is not among those counted. If its eight characters are right, ask the society.',
    deleted: 'Answers of this season were deleted, so this cannot be looked up any more.',
  }

  function onSubmit(event: FormEvent) {
    event.preventDefault()
    if (check.isPending) return
    const isRight = REFERENCE.test(reference)
    setMalformed(!isRight)
    if (isRight) check.mutate(reference.trim())
    else check.reset()
  }

  return (
    <form className="fair-check" onSubmit={onSubmit} noValidate name="reference">
      <h2>
        <label htmlFor={id}>You sat it?</label>
      </h2>
      <div>
        <input
          id={id}
          className="field"
          placeholder="7f3a91c2"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={40}
          value={reference}
          aria-invalid={isMalformed ? true : undefined}
          aria-describedby={`${id}-hint ${id}-said`}
          onChange={(event) => setReference(event.target.value)}
        />
        <button type="submit" className="btn btn-ghost" aria-disabled={check.isPending}>
          {check.isPending ? 'Checking…' : 'Check'}
        </button>
      </div>
      <p id={`${id}-said`} role="status" className="fair-answer">
        {isMalformed
          ? 'A reference has eight characters: digits, and letters from a to f.'
          : check.data
            ? words[check.data.found]
            : check.error?.message}
      </p>
      <p id={`${id}-hint`} className="hint">
        The reference from your last screen shows that your answers are among the {sat}, and nothing
        else.
      </p>
    </form>
  )
}
