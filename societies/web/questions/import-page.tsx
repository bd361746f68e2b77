import { useMutation } from '@tanstack/react-query'
import { useEffect, useId, useRef, useState } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import { assessmentUrl } from '../../../platform/urls.ts'
import { ApiFailure, call } from '../../../platform/web/api.ts'
import { reviewQuestionFile } from '../../contract/exchange.ts'
import { FILE_PROBLEMS, PROGRAMS, QUESTION_FILE_BYTES } from '../../questions/question-files.ts'
import { useAssessment, useSociety } from '../console/console.tsx'
import { Top } from '../console/top.tsx'
import { ChooseFile } from './import/choose-file.tsx'
import { ReviewFile } from './import/review-file.tsx'

/** …/questions/import: what can be imported, and what not (product 7.9.30 to 7.9.35). */
export function ImportQuestions() {
  const { society, may } = useSociety()
  const { code, runningCount, submittedCount } = useAssessment()
  const reading = useMutation({
    mutationFn: ({ bytes }: { bytes: Blob; name: string }) => {
      if (bytes.size > QUESTION_FILE_BYTES) throw new Error(FILE_PROBLEMS.too_large)
      return call(reviewQuestionFile, { params: { society: society.id, code }, file: bytes })
    },
  })
  const read = (bytes: Blob, name: string) => {
    if (!reading.isPending) reading.mutate({ bytes, name })
  }
  useHandedOver((file) => read(file, file.name))
  const questions = assessmentUrl(society.id, code, 'questions')
  const started = runningCount + submittedCount
  if (!may('write_questions') || started > 0) {
    return (
      <Top
        title="Import questions"
        headline={started > 0 ? 'The questions can’t change any more' : 'Import questions'}
        acts={
          <Link to={questions} className="btn btn-ghost">
            To the questions
          </Link>
        }
      >
        {started > 0
          ? `${started === 1 ? 'One candidate has' : `${started} candidates have`} started already, so nothing can be imported any more. A wrong key is ruled on under Analysis.`
          : 'Owners and authors import questions.'}
      </Top>
    )
  }
  if (reading.data) {
    return (
      <ReviewFile
        key={reading.submittedAt}
        name={reading.variables.name}
        review={reading.data}
        onAgain={reading.reset}
      />
    )
  }
  return (
    <>
      <Top
        title="Import questions"
        headline="Import questions"
        acts={
          <Link to={questions} className="btn btn-ghost">
            Cancel
          </Link>
        }
      >
        From another platform, a spreadsheet or a text. Nothing is stored before you say so, and the
        file is not kept.
      </Top>
      <div role="alert">
        {reading.error && (
          <p className="warning mb-6">
            <span>
              <b className="font-semibold">{reading.variables?.name} was not read.</b>{' '}
              {reading.error.message}
            </span>
          </p>
        )}
      </div>
      {reading.error instanceof ApiFailure && reading.error.code === 'question_file' && (
        <WhichProgram />
      )}
      <p role="status" className="text-ink-2">
        {reading.isPending ? `Reading ${reading.variables.name}…` : ''}
      </p>
      <ChooseFile onFile={read} />
    </>
  )
}

/** How the program that made an unreadable file writes one that can be read. */
function WhichProgram() {
  const id = useId()
  const [name, setName] = useState('')
  return (
    <div className="mb-6 flex flex-wrap items-center gap-x-4 gap-y-2">
      <label htmlFor={id} className="label mb-0!">
        Which program made this file?
      </label>
      <select
        id={id}
        className="field w-auto!"
        value={name}
        onChange={(event) => setName(event.target.value)}
      >
        <option value="">Choose a program</option>
        {PROGRAMS.map((one) => (
          <option key={one.name}>{one.name}</option>
        ))}
      </select>
      <p role="status">{PROGRAMS.find((one) => one.name === name)?.advice}</p>
    </div>
  )
}

/** The file that was chosen where the draft was made is read here at once, and once. */
function useHandedOver(read: (file: File) => void): void {
  const { state, pathname } = useLocation()
  const navigate = useNavigate()
  const latest = useRef(read)
  latest.current = read
  const file: unknown = (state as { file?: unknown } | null)?.file
  useEffect(() => {
    if (!(file instanceof File)) return
    latest.current(file)
    void navigate(pathname, { replace: true })
  }, [file, pathname, navigate])
}
