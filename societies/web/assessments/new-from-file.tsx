import { useState } from 'react'
import { ApiFailure, call } from '../../../platform/web/api.ts'
import { createAssessmentFromFile, FILE_BYTES } from '../../contract/lifecycle.ts'
import { useSociety } from '../console/console.tsx'
import { FormField } from '../kit/fields.tsx'
import type { Surveyed } from './checklist-links.ts'
import { MakingForm, useMaking } from './making.tsx'
import { CODE_HINT, NamingFields, newestSeason, orNull } from './naming.tsx'
import { NewEmpty } from './new-empty.tsx'

const isAssessmentFile = (file: File) => /\.ya?ml$/i.test(file.name)

/** A draft of an assessment's own file, or of a file of questions, which the next page reads. */
export function NewFromFile({ known }: { known: readonly Surveyed[] }) {
  const [file, setFile] = useState<File | null>(null)
  return (
    <>
      <FormField
        className="mb-6"
        label="File"
        hint="An assessment’s YAML file, as at the command line, or a file of questions from another platform or a spreadsheet."
      >
        {(described) => (
          <input
            {...described}
            type="file"
            className="field py-1.5"
            onChange={(event) => setFile(event.target.files?.[0] ?? null)}
          />
        )}
      </FormField>
      {file &&
        (isAssessmentFile(file) ? (
          <OfYaml key={file.name} file={file} known={known} />
        ) : (
          <>
            <p className="mb-5 max-w-[60ch] text-ink-2">
              This is a file of questions. The draft is made first; then you see what can be
              imported, before anything of the file is stored.
            </p>
            <NewEmpty known={known} file={file} />
          </>
        ))}
    </>
  )
}

function OfYaml({ file, known }: { file: File; known: readonly Surveyed[] }) {
  const { society } = useSociety()
  const [typed, setTyped] = useState({ code: '', session: '', season: newestSeason(known) })
  const making = useMaking(async () => {
    if (file.size > FILE_BYTES) {
      throw new ApiFailure(0, {
        code: 'too_large',
        message: `This file is larger than ${FILE_BYTES / 1000} KB. Make an empty assessment and import the questions into it.`,
      })
    }
    return call(createAssessmentFromFile, {
      params: { society: society.id },
      body: { yaml: await file.text(), code: orNull(typed.code), season: orNull(typed.season) },
    })
  })
  const problems =
    making.failure instanceof ApiFailure && Array.isArray(making.failure.details.problems)
      ? making.failure.details.problems.map(String)
      : []
  return (
    <MakingForm
      making={making}
      button={['Make the draft of this file', 'Reading the file…']}
      details={
        problems.length > 0 && (
          <ul className="mt-2 list-disc space-y-1 pl-5 text-[13.5px]">
            {problems.map((problem) => (
              <li key={problem}>{problem}</li>
            ))}
          </ul>
        )
      }
    >
      <NamingFields
        typed={typed}
        onChange={setTyped}
        known={known}
        error={making.failure}
        isCodeOptional
        isSessionHidden
        codeHint={`Left empty, it is the file’s. ${CODE_HINT}`}
      />
    </MakingForm>
  )
}
