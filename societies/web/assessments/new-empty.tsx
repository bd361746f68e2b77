import { useState } from 'react'
import { call } from '../../../platform/web/api.ts'
import { createAssessment } from '../../contract/lifecycle.ts'
import { useSociety } from '../console/console.tsx'
import { TextField } from '../kit/fields.tsx'
import type { Surveyed } from './checklist-links.ts'
import { MakingForm, useMaking } from './making.tsx'
import { NamingFields, newestSeason, orNull } from './naming.tsx'

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
    file && 'questions/import',
    file && { file },
  )
  return (
    <MakingForm
      making={making}
      button={[
        file ? 'Make the draft and read the questions' : 'Make the draft',
        'Making the draft…',
      ]}
    >
      <TextField
        className="mb-4.5"
        label="Name that candidates read"
        required
        maxLength={80}
        value={name}
        onChange={(event) => setName(event.target.value)}
        hint="It heads the test and stands on the recruitment page."
      />
      <NamingFields typed={typed} onChange={setTyped} known={known} error={making.failure} />
    </MakingForm>
  )
}
