import { type FormEvent, useState } from 'react'
import { call } from '../../../platform/web/api.ts'
import { createAssessment } from '../../contract/lifecycle.ts'
import { useSociety } from '../console/console.tsx'
import { Refusal, TextField } from '../kit/fields.tsx'
import type { Surveyed } from './lifecycle-queries.ts'
import { isAboutCode, NamingFields, newestSeason, orNull } from './naming.tsx'
import { useMaking } from './use-making.ts'

/**
 * A draft without questions.
 * @param file of questions, which are read on the next page
 */
export function NewEmpty({ known, file }: { known: readonly Surveyed[]; file?: File }) {
  const { society } = useSociety()
  const [name, setName] = useState(society.name)
  const [typed, setTyped] = useState({ code: '', session: '', season: newestSeason(known) })
  const making = useMaking(
    () =>
      call(createAssessment, {
        params: { society: society.id },
        body: {
          code: typed.code,
          society: name,
          session: orNull(typed.session),
          season: orNull(typed.season),
        },
      }),
    () => (file ? { page: 'questions/import', state: { file } } : {}),
  )
  function submit(event: FormEvent): void {
    event.preventDefault()
    if (!making.isPending) making.mutate(undefined)
  }
  return (
    <form onSubmit={submit}>
      <TextField
        className="mb-4.5"
        label="Name that candidates read"
        required
        maxLength={80}
        value={name}
        onChange={(event) => setName(event.target.value)}
        hint="It heads the test and stands on the recruitment page."
      />
      <NamingFields typed={typed} onChange={setTyped} known={known} error={making.error} />
      <Refusal error={isAboutCode(making.error) ? null : making.error} />
      <button type="submit" className="btn mt-6" aria-disabled={making.isPending}>
        {making.isPending
          ? 'Making the draft…'
          : file
            ? 'Make the draft and read the questions'
            : 'Make the draft'}
      </button>
    </form>
  )
}
