import { useEffect, useRef, useState } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import { ApiFailure, call } from '../../../../platform/web/api.ts'
import { BroughtText } from '../../../kit/web/brought-list.tsx'
import { useAssessment, useSociety } from '../../../kit/web/console/console.tsx'
import { Top } from '../../../kit/web/section.tsx'
import { useAct, usePlace, useUrlOf } from '../../../kit/web/use-act.tsx'
import { reviewQuestionFile } from '../../contract-exchange.ts'
import { FILE_PROBLEMS, QUESTION_FILE_BYTES } from '../../question-files.ts'
import { ReviewFile } from './review-file.tsx'

/** …/questions/import lets a member choose a file and review it (product 7.9.30 to 7.9.35). */
export function ImportQuestions() {
  const { may } = useSociety()
  const { runningCount, submittedCount } = useAssessment()
  const place = usePlace()
  const urlOf = useUrlOf()
  const reading = useAct(async ({ bytes }: { bytes: Blob; name: string }) => {
    if (bytes.size > QUESTION_FILE_BYTES) {
      throw new ApiFailure(0, { code: 'too_large', message: FILE_PROBLEMS.too_large })
    }
    return call(reviewQuestionFile, { params: place, file: bytes, query: {} })
  })
  const read: OnFile = (bytes, name) => reading.run({ bytes, name })
  useHandedOver(read)
  const [text, setText] = useState('')
  const isEmpty = text.trim() === ''
  const name = reading.given?.name ?? ''
  const back = (words: string) => (
    <Link to={urlOf('questions')} className="btn btn-ghost">
      {words}
    </Link>
  )
  const hasStarted = runningCount + submittedCount > 0
  if (hasStarted || !may('write_questions')) {
    return (
      <Top
        title="Import questions"
        headline={hasStarted ? 'The questions can no longer change' : 'Import questions'}
        acts={back('Go to Questions')}
      >
        {hasStarted
          ? 'A candidate has started. If a key is wrong, make a ruling under Analysis.'
          : 'Only owners and authors can import questions.'}
      </Top>
    )
  }
  if (reading.done && reading.given) {
    return <ReviewFile {...reading.given} first={reading.done} onAgain={reading.reset} />
  }
  return (
    <>
      <Top title="Import questions" headline="Import questions" acts={back('Cancel')}>
        Import from another platform, a spreadsheet or plain text. You review everything before it
        is saved, and the file is not kept.
      </Top>
      <div role="alert">
        {reading.problem && (
          <p className="warning mb-6">
            <span>
              <b className="font-semibold">{name} could not be read.</b> {reading.problem}
            </span>
          </p>
        )}
      </div>
      <BroughtText
        title="Paste the questions"
        placeholder={EXAMPLE}
        text={text}
        isReading={reading.isBusy}
        onText={setText}
        onFile={(file) => read(file, file.name)}
        hint="Or choose or drop a file of at most 5 MB here. A spreadsheet has one row per question, with headings such as Question, Answer A, Answer B, Answer C, Answer D and Correct Option."
      >
        <button
          type="button"
          className="btn btn-ghost mt-3"
          aria-disabled={isEmpty}
          onClick={() => !isEmpty && read(new Blob([text]), 'The pasted text')}
        >
          Read the text
        </button>
        <p role="status" className="mt-2 text-ink-2">
          {reading.isBusy ? `Reading ${name}…` : ''}
        </p>
      </BroughtText>
    </>
  )
}

type OnFile = (bytes: Blob, name: string) => void

const EXAMPLE =
  'What pays no coupon?\nA. A zero bond\nB. A par bond\nC. A perpetual\nD. A floater\nANSWER: A'

/** Reads, once, the file that was already chosen when the draft was created. */
function useHandedOver(read: OnFile): void {
  const { state, pathname } = useLocation()
  const navigate = useNavigate()
  const latest = useRef(read)
  latest.current = read
  const file: unknown = (state as { file?: unknown } | null)?.file
  useEffect(() => {
    if (!(file instanceof File)) return
    latest.current(file, file.name)
    void navigate(pathname, { replace: true })
  }, [file, pathname, navigate])
}
