import { type FormEvent, useState } from 'react'
import { call } from '../../../platform/web/api.ts'
import { copyAssessment } from '../../contract/lifecycle.ts'
import { countOf } from '../../number-words.ts'
import { nameOfAssessment, useSociety } from '../console/console.tsx'
import { FormField, Refusal } from '../kit/fields.tsx'
import type { Surveyed } from './lifecycle-queries.ts'
import { isAboutCode, NamingFields, orNull } from './naming.tsx'
import { useMaking } from './use-making.ts'

const COPIED =
  'Questions, rules and settings come along; candidates never do, and the window is set anew. A question stays the one it is, so that its results add up over the seasons.'

/** A draft with what another assessment has. */
export function CopyOne({ known }: { known: readonly Surveyed[] }) {
  const { society } = useSociety()
  const [code, setCode] = useState(known[0]?.code ?? '')
  const source = known.find((one) => one.code === code)
  const [typed, setTyped] = useState({
    code: '',
    session: source?.session ?? '',
    season: '',
  })
  const making = useMaking(() =>
    call(copyAssessment, {
      params: { society: society.id, code },
      body: {
        code: typed.code,
        session: orNull(typed.session),
        season: orNull(typed.season),
      },
    }),
  )
  function submit(event: FormEvent): void {
    event.preventDefault()
    if (!making.isPending) making.mutate(undefined)
  }
  if (!source) return <p className="text-ink-2">There is nothing to copy yet.</p>
  return (
    <form onSubmit={submit}>
      <FormField className="mb-4.5" label="Copy of" hint={COPIED}>
        {(described) => (
          <select
            {...described}
            className="field"
            value={code}
            onChange={(event) => {
              setCode(event.target.value)
              const chosen = known.find((one) => one.code === event.target.value)
              setTyped({ ...typed, session: chosen?.session ?? '' })
            }}
          >
            {known.map((one) => (
              <option key={one.code} value={one.code}>
                {nameOfAssessment(one)} ({one.code}, {countOf(one.questionCount, 'question')})
              </option>
            ))}
          </select>
        )}
      </FormField>
      <NamingFields typed={typed} onChange={setTyped} known={known} error={making.error} />
      <Refusal error={isAboutCode(making.error) ? null : making.error} />
      <button type="submit" className="btn mt-6" aria-disabled={making.isPending}>
        {making.isPending
          ? 'Copying…'
          : `Copy ${countOf(source.questionCount, 'question')} into a draft`}
      </button>
    </form>
  )
}
