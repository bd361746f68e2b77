import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import { assessmentUrl } from '../../../platform/urls.ts'
import { call } from '../../../platform/web/api.ts'
import { reviewQuestionFile } from '../../contract/exchange.ts'
import {
  FILE_PROBLEMS,
  QUESTION_FILE_BYTES,
  type TableLayout,
} from '../../questions/question-files.ts'
import { useAssessment, useSociety } from '../console/console.tsx'
import { Top } from '../console/top.tsx'
import { ChooseFile } from './import/choose-file.tsx'
import type { Told } from './import/file-line.tsx'
import { ReviewFile } from './import/review-file.tsx'
import type { FileReview } from './import/reviewed.ts'

/** …/questions/import: what can be imported, and what not (product 7.9.30 to 7.9.35). */
export function ImportQuestions() {
  const { society, may } = useSociety()
  const { code, runningCount, submittedCount } = useAssessment()
  // Kept beside the call: while the file is read again, what it said before stays.
  const [done, setDone] = useState<Done | null>(null)
  const reading = useMutation({
    mutationFn: ({ bytes, told }: { bytes: Blob; name: string; told: Told }) => {
      if (bytes.size > QUESTION_FILE_BYTES) throw new Error(FILE_PROBLEMS.too_large)
      const { format, encoding, layout } = told
      return call(reviewQuestionFile, {
        params: { society: society.id, code },
        query: { format, encoding, ...(layout ? columnsOf(layout) : {}) },
        file: bytes,
      })
    },
    onSuccess: (review, { bytes, name }) =>
      setDone({ bytes, name, review, count: (done?.count ?? 0) + 1 }),
  })
  useHandedOver((file) => reading.mutate({ bytes: file, name: file.name, told: {} }))
  const questions = assessmentUrl(society.id, code, 'questions')
  const started = runningCount + submittedCount
  if (!may('write_questions') || started > 0) {
    return (
      <Top
        title="Import questions"
        headline={started > 0 ? 'The questions stay as they are' : 'Import questions'}
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
  const read = (bytes: Blob, name: string, told: Told = {}) => {
    if (!reading.isPending) reading.mutate({ bytes, name, told })
  }
  if (done) {
    return (
      <ReviewFile
        key={done.count}
        name={done.name}
        review={done.review}
        isBusy={reading.isPending}
        problem={reading.error?.message ?? null}
        onTold={(told) => read(done.bytes, done.name, told)}
        onAgain={() => {
          setDone(null)
          reading.reset()
        }}
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
        From Moodle, Canvas, Kahoot, Quizizz, a spreadsheet or a text. You look through everything
        first; nothing is stored before you say so, and the file is not kept.
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
      <p role="status" className="text-ink-2">
        {reading.isPending ? `Reading ${reading.variables.name}…` : ''}
      </p>
      <ChooseFile onFile={(bytes, name) => read(bytes, name)} />
    </>
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

interface Done {
  bytes: Blob
  name: string
  review: FileReview
  /** files read so far */
  count: number
}

function columnsOf({ columns, skip }: TableLayout) {
  const pairs = Object.entries(columns).map(([role, column]) => `${role}:${column}`)
  return { columns: pairs.join(','), skip: String(skip) }
}
