import { useState } from 'react'
import { call } from '../../../platform/web/api.ts'
import { copyAssessment } from '../../contract/lifecycle.ts'
import { countOf } from '../../number-words.ts'
import { nameOfAssessment, useSociety } from '../console/console.tsx'
import { SelectField } from '../kit/fields.tsx'
import type { Surveyed } from './checklist-links.ts'
import { MakingForm, useMaking } from './making.tsx'
import { NamingFields, orNull } from './naming.tsx'

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
  if (!source) return <p className="text-ink-2">There is nothing to copy yet.</p>
  return (
    <MakingForm
      making={making}
      button={[`Copy ${countOf(source.questionCount, 'question')} into a draft`, 'Copying…']}
    >
      <SelectField
        className="mb-4.5"
        label="Copy of"
        hint="Questions, rules and settings come along; candidates never do, and the window is set anew. A question stays the one it is, so that its results add up over the seasons."
        options={known.map((one) => [
          one.code,
          `${nameOfAssessment(one)} (${one.code}, ${countOf(one.questionCount, 'question')})`,
        ])}
        value={code}
        onChange={(next) => {
          setCode(next)
          const chosen = known.find((one) => one.code === next)
          setTyped({ ...typed, session: chosen?.session ?? '' })
        }}
      />
      <NamingFields typed={typed} onChange={setTyped} known={known} error={making.failure} />
    </MakingForm>
  )
}
