import { FileUp } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import { assessmentUrl } from '../../../../platform/urls.ts'
import { ApiFailure, call } from '../../../../platform/web/api.ts'
import { useAssessment, useSociety } from '../../../kit/web/console/console.tsx'
import { AreaField, SelectField } from '../../../kit/web/fields.tsx'
import { Section, Top } from '../../../kit/web/section.tsx'
import { useAct, usePlace } from '../../../kit/web/use-act.tsx'
import { reviewQuestionFile } from '../../contract-exchange.ts'
import { FILE_PROBLEMS, PROGRAMS, QUESTION_FILE_BYTES } from '../../question-files.ts'
import { ReviewFile } from './review-file.tsx'

/** …/questions/import: a file is chosen, then reviewed (product 7.9.30 to 7.9.35). */
export function ImportQuestions() {
  const { may } = useSociety()
  const { runningCount, submittedCount } = useAssessment()
  const place = usePlace()
  const reading = useAct(async ({ bytes }: { bytes: Blob; name: string }) => {
    if (bytes.size > QUESTION_FILE_BYTES) {
      throw new ApiFailure(0, { code: 'too_large', message: FILE_PROBLEMS.too_large })
    }
    return call(reviewQuestionFile, { params: place, file: bytes })
  })
  const read: OnFile = (bytes, name) => reading.run({ bytes, name })
  useHandedOver(read)
  const name = reading.given?.name ?? ''
  const back = (words: string) => (
    <Link to={assessmentUrl(place.society, place.code, 'questions')} className="btn btn-ghost">
      {words}
    </Link>
  )
  const hasStarted = runningCount + submittedCount > 0
  if (hasStarted || !may('write_questions')) {
    return (
      <Top
        title="Import questions"
        headline={hasStarted ? 'The questions can’t change any more' : 'Import questions'}
        acts={back('To the questions')}
      >
        {hasStarted
          ? 'A candidate has started. A wrong key is ruled on under Analysis.'
          : 'Only owners and authors can import questions.'}
      </Top>
    )
  }
  if (reading.done) {
    return <ReviewFile name={name} review={reading.done} onAgain={reading.reset} />
  }
  return (
    <>
      <Top title="Import questions" headline="Import questions" acts={back('Cancel')}>
        From another platform, a spreadsheet or a text. You review everything before it is saved,
        and the file is not kept.
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
      {reading.failure instanceof ApiFailure && reading.failure.code === 'question_file' && (
        <WhichProgram />
      )}
      <p role="status" className="text-ink-2">
        {reading.isBusy ? `Reading ${name}…` : ''}
      </p>
      <div className="grid gap-x-14 gap-y-9 md:grid-cols-2">
        <FromFile onFile={read} />
        <FromText onFile={read} />
      </div>
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
      options={[
        ['', 'Choose a program'],
        ...Object.keys(PROGRAMS).map((one) => [one, one] as const),
      ]}
      hint={<span role="status">{PROGRAMS[name]}</span>}
      value={name}
      onChange={setName}
    />
  )
}

type OnFile = (bytes: Blob, name: string) => void

function FromFile({ onFile }: { onFile: OnFile }) {
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setIsOver] = useState(false)
  const take = ([file]: Iterable<File>) => file && onFile(file, file.name)
  return (
    <Section title="From a file" hint="5 MB at most">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the button in it does the same */}
      <div
        className={`mt-5 grid min-h-55 place-content-center justify-items-center gap-3 rounded-md border border-dashed p-6 text-center ${isOver ? 'border-accent bg-accent-soft' : 'border-line-strong'}`}
        onDragOver={(event) => {
          event.preventDefault()
          setIsOver(true)
        }}
        onDragLeave={() => setIsOver(false)}
        onDrop={(event) => {
          event.preventDefault()
          setIsOver(false)
          take(event.dataTransfer.files)
        }}
      >
        <p className="text-ink-2">Drop a file here, or</p>
        <button type="button" className="btn btn-ghost" onClick={() => input.current?.click()}>
          <FileUp size={16} aria-hidden />
          Choose a file
        </button>
        <input
          ref={input}
          type="file"
          hidden
          onChange={(event) => {
            take(event.target.files ?? [])
            // The same file again is read again.
            event.target.value = ''
          }}
        />
      </div>
      <p className="hint mt-3">
        A spreadsheet has one row per question, with headings such as Question, Answer A, Answer B,
        Answer C, Answer D and Correct Option.
      </p>
    </Section>
  )
}

const EXAMPLE =
  'What pays no coupon?\nA. A zero bond\nB. A par bond\nC. A perpetual\nD. A floater\nANSWER: A'

function FromText({ onFile }: { onFile: OnFile }) {
  const [text, setText] = useState('')
  const isEmpty = text.trim() === ''
  return (
    <Section title="From text">
      <AreaField
        className="mt-5"
        label="Paste the questions"
        isPlain
        rows={9}
        spellCheck={false}
        value={text}
        onChange={setText}
        placeholder={EXAMPLE}
      />
      <button
        type="button"
        className="btn btn-ghost mt-3"
        aria-disabled={isEmpty}
        onClick={() => !isEmpty && onFile(new Blob([text]), 'The pasted text')}
      >
        Read the text
      </button>
    </Section>
  )
}

/** The file that was chosen where the draft was made is read here at once, and once. */
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
