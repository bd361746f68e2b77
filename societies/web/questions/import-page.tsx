import { useEffect, useRef, useState } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import { assessmentUrl } from '../../../platform/urls.ts'
import { ApiFailure, call } from '../../../platform/web/api.ts'
import { reviewQuestionFile } from '../../contract/exchange.ts'
import { FILE_PROBLEMS, PROGRAMS, QUESTION_FILE_BYTES } from '../../questions/question-files.ts'
import { useAssessment, useSociety } from '../console/console.tsx'
import { Top } from '../console/top.tsx'
import { SelectField } from '../kit/fields.tsx'
import { useAct, usePlace } from '../kit/use-act.tsx'
import { ChooseFile } from './import/choose-file.tsx'
import { ReviewFile } from './import/review-file.tsx'

/** …/questions/import: what can be imported, and what not (product 7.9.30 to 7.9.35). */
export function ImportQuestions() {
  const { may } = useSociety()
  const { runningCount, submittedCount } = useAssessment()
  const place = usePlace()
  const reading = useAct(({ bytes }: { bytes: Blob; name: string }) => {
    if (bytes.size > QUESTION_FILE_BYTES) {
      const message = FILE_PROBLEMS.too_large
      return Promise.reject(new ApiFailure(0, { code: 'too_large', message }))
    }
    return call(reviewQuestionFile, { params: place, file: bytes })
  })
  const read = (bytes: Blob, name: string) => reading.run({ bytes, name })
  useHandedOver((file) => read(file, file.name))
  const questions = assessmentUrl(place.society, place.code, 'questions')
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
  if (reading.done) {
    return (
      <ReviewFile name={reading.given?.name ?? ''} review={reading.done} onAgain={reading.reset} />
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
        {reading.problem && (
          <p className="warning mb-6">
            <span>
              <b className="font-semibold">{reading.given?.name} was not read.</b> {reading.problem}
            </span>
          </p>
        )}
      </div>
      {reading.failure instanceof ApiFailure && reading.failure.code === 'question_file' && (
        <WhichProgram />
      )}
      <p role="status" className="text-ink-2">
        {reading.isBusy ? `Reading ${reading.given?.name}…` : ''}
      </p>
      <ChooseFile onFile={read} />
    </>
  )
}

/** How the program that made an unreadable file writes one that can be read. */
function WhichProgram() {
  const [name, setName] = useState('')
  return (
    <SelectField
      className="mb-6 max-w-105"
      label="Which program made this file?"
      options={[['', 'Choose a program'], ...PROGRAMS.map((one) => [one.name, one.name] as const)]}
      hint={<span role="status">{PROGRAMS.find((one) => one.name === name)?.advice}</span>}
      value={name}
      onChange={setName}
    />
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
