import { type DragEvent, useDeferredValue, useId, useMemo, useRef, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { assessmentUrl } from '../../../platform/urls.ts'
import { ApiFailure, call } from '../../../platform/web/api.ts'
import { useSession } from '../../../platform/web/session.tsx'
import { toast } from '../../../platform/web/ui/toast.tsx'
import { useEndpoint } from '../../../platform/web/use-endpoint.ts'
import { countOf, numberWord } from '../../../platform/words.ts'
import { MOST_LINES, TEXT_LENGTH } from '../../candidate-limits.ts'
import {
  type CandidateField,
  type JudgedLine,
  judgeLines,
  type WrittenLine,
} from '../../candidate-lines.ts'
import {
  addCandidates,
  type CandidateFacts,
  listCandidates,
  readSheet,
  SHEET_BYTES,
} from '../../contract/candidates.ts'
import { type Column, givesNames, guessColumns, linesOf, splitText } from '../../pasted-list.ts'
import { useAssessment } from '../console/console.tsx'
import { Top } from '../console/top.tsx'
import { Tick } from '../kit/fields.tsx'
import { Loaded, sentenceOf } from '../kit/loaded.tsx'
import { ActButton, type Place, useAct, usePlace } from '../kit/use-act.tsx'
import { ReadLines } from './read-lines.tsx'

/** …/candidates/add: what was pasted, line by line (product 7.10.4, 7.10.5). */
export function AddCandidates() {
  const list = useEndpoint(listCandidates, { params: usePlace() })
  return (
    <Loaded of={list} name="list">
      {({ candidates }) => <Add listed={candidates} />}
    </Loaded>
  )
}

const EXAMPLE = 'name; e-mail; room; extra\nInes Ardal; i.ardal@student.example; 1.04; 0'

function Add({ listed }: { listed: readonly CandidateFacts[] }) {
  const place = usePlace()
  const navigate = useNavigate()
  const { user } = useSession()
  const { isDraft, durationSeconds } = useAssessment()
  const [text, setText] = useState('')
  const [toldColumns, setToldColumns] = useState<readonly Column[] | null>(null)
  const [toldHeading, setToldHeading] = useState<boolean | null>(null)
  const [mended, setMended] = useState<ReadonlyMap<number, Partial<WrittenLine>>>(new Map())
  const [isMailed, setIsMailed] = useState(!isDraft)
  const read = useDeferredValue(text)
  const rows = useMemo(() => splitText(read), [read])
  const guessed = useMemo(() => guessColumns(rows), [rows])
  const columns = toldColumns ?? guessed.columns
  const hasHeading = toldHeading ?? guessed.hasHeading
  const hasNames = givesNames(columns)
  const lines = useMemo(
    () => linesOf(rows, columns, hasHeading).map((line) => ({ ...line, ...mended.get(line.line) })),
    [rows, columns, hasHeading, mended],
  )
  const judged = useMemo(
    () => judgeLines(lines, listed, hasNames, durationSeconds),
    [lines, listed, hasNames, durationSeconds],
  )
  const of = (state: JudgedLine['state']) => judged.filter((one) => one.state === state)
  const [fresh, there, wrong] = [of('new'), of('there'), of('problem')]
  const mails = isMailed ? fresh.filter(({ email }) => email !== null).length : 0
  const list = assessmentUrl(place.society, place.code, 'candidates')

  const add = useAct(
    (_: undefined, requestId) => {
      const good = new Set(fresh.map(({ line }) => line))
      return call(addCandidates, {
        params: place,
        body: {
          requestId,
          hasNames,
          mail: isMailed,
          lines: lines.filter(({ line }) => good.has(line)),
        },
      })
    },
    ({ added, mailed }) => {
      toast.success(
        `${countOf(added, 'candidate')} added`,
        mailed > 0 ? `${countOf(mailed, 'mail')} on the way.` : undefined,
      )
      void navigate(list)
    },
  )

  function takeText(next: string) {
    setText(next.slice(0, TEXT_LENGTH))
    setToldColumns(null)
    setToldHeading(null)
    setMended(new Map())
    // Another list is another addition.
    add.reset()
  }
  const mend = (line: number, field: CandidateField, value: string) =>
    setMended((now) => new Map(now).set(line, { ...now.get(line), [field]: value }))
  const isMyself = fresh.some(({ email }) => email !== null && email === user?.email)
  const isTooLong = lines.length > MOST_LINES

  return (
    <>
      <Top title="Add candidates" headline={headlineOf(fresh.length, judged.length)}>
        {judged.length === 0
          ? 'Paste names and addresses, or drop a CSV or a spreadsheet.'
          : leftWords(there.length, wrong.length)}{' '}
        Nobody is added and nothing is sent before you press.
      </Top>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-x-11 gap-y-8 xl:grid-cols-[440px_minmax(0,1fr)]">
        <Pasted text={text} onText={takeText} hasHeading={hasHeading} />
        {judged.length > 0 && (
          <ReadLines
            judged={judged}
            written={lines}
            columns={columns}
            hasHeading={hasHeading}
            onColumns={setToldColumns}
            onHeading={setToldHeading}
            onMend={mend}
          />
        )}
      </div>
      <div className="mt-8 flex flex-wrap items-end justify-between gap-6 border-ink border-t pt-4.5">
        <fieldset>
          <legend className="label">Their passwords</legend>
          <div className="flex flex-wrap gap-x-7 gap-y-3">
            <Tick
              kind="radio"
              name="when"
              label="By mail, now"
              hint={
                isDraft
                  ? 'later: the assessment is published first'
                  : `${countOf(fresh.filter(({ email }) => email).length, 'mail')}, ${spanOf(mails)}`
              }
              checked={isMailed}
              disabled={isDraft}
              onChange={() => setIsMailed(true)}
            />
            <Tick
              kind="radio"
              name="when"
              label="Not yet"
              hint="from the list, whenever you like"
              checked={!isMailed}
              onChange={() => setIsMailed(false)}
            />
          </div>
        </fieldset>
        <div className="flex flex-wrap items-center gap-2">
          {isMyself && (
            <p className="amber max-w-[46ch] text-[13px]">
              Your own address is among them: as a candidate you have no role in this assessment any
              more.
            </p>
          )}
          {isTooLong && (
            <p className="amber text-[13px]">At most {MOST_LINES} lines at once, please.</p>
          )}
          <ActButton act={add} className="btn" busy="Adding…" can={fresh.length > 0 && !isTooLong}>
            Add {fresh.length}
            {mails > 0 && ` and send ${countOf(mails, 'mail')}`}
          </ActButton>
          <Link to={list} className="btn btn-ghost">
            Cancel
          </Link>
        </div>
      </div>
    </>
  )
}

/** 'Nine of twelve lines can be added' */
function headlineOf(fresh: number, all: number): string {
  if (all === 0) return 'Add candidates'
  const whole = numberWord(all).toLowerCase()
  if (fresh === all) return `${all === 1 ? 'The line' : `All ${whole} lines`} can be added`
  return `${numberWord(fresh)} of ${whole} ${all === 1 ? 'line' : 'lines'} can be added`
}

function leftWords(there: number, wrong: number): string {
  const parts = [
    there > 0 && `${numberWord(there)} ${there === 1 ? 'is' : 'are'} on the list already`,
    wrong > 0 && `${numberWord(wrong)} ${wrong === 1 ? 'line has' : 'lines have'} a problem`,
  ].filter((part) => part !== false)
  if (parts.length === 0) return 'Every line is understood.'
  return `${parts[0]}${parts[1] ? ` and ${parts[1].toLowerCase()}` : ''}.`
}

const spanOf = (mails: number) =>
  mails < 300 ? 'less than a minute' : `about ${countOf(Math.ceil(mails / 600), 'minute')}`

function Pasted(props: { text: string; onText: (text: string) => void; hasHeading: boolean }) {
  const { text, onText, hasHeading } = props
  const place = usePlace()
  const id = useId()
  const chooser = useRef<HTMLInputElement>(null)
  const [note, setNote] = useState<{ text: string; isProblem: boolean } | null>(null)
  const [isReading, setIsReading] = useState(false)

  async function take(file: File | undefined) {
    if (!file) return
    setIsReading(true)
    setNote(null)
    try {
      const read = await readFile(place, file)
      onText(read.text)
      setNote({ text: `${file.name} was read. ${read.note}`, isProblem: read.note !== '' })
    } catch (error) {
      setNote({ text: sentenceOf(error), isProblem: true })
    } finally {
      setIsReading(false)
    }
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    void take(event.dataTransfer.files[0])
  }
  return (
    <section>
      <div className="head">
        <h2>
          <label htmlFor={id}>What you pasted</label>
        </h2>
        <span className="hint">
          <button type="button" className="quiet-link" onClick={() => chooser.current?.click()}>
            {isReading ? 'Reading…' : 'Choose a file'}
          </button>
          {text !== '' && (
            <>
              {' · '}
              <button type="button" className="quiet-link" onClick={() => onText('')}>
                Empty
              </button>
            </>
          )}
        </span>
      </div>
      <input
        ref={chooser}
        type="file"
        hidden
        accept=".csv,.txt,.tsv,.xlsx"
        onChange={(event) => {
          void take(event.target.files?.[0])
          event.target.value = ''
        }}
      />
      <textarea
        id={id}
        className="field mt-3.5 min-h-72 w-full font-mono text-[13px] leading-[26px]!"
        spellCheck={false}
        wrap="off"
        placeholder={EXAMPLE}
        value={text}
        onChange={(event) => onText(event.target.value)}
        onDrop={drop}
        onDragOver={(event) => event.preventDefault()}
      />
      <p className="hint mt-2.5 text-ink-2">
        Tabs, commas and semicolons are all understood, and ‘Name &lt;address&gt;’. A CSV or .xlsx
        can be dropped here.
        {text !== '' && hasHeading && ' The first line looks like a heading and is not a person.'}
      </p>
      <p role="status" className={`hint mt-1 ${note?.isProblem ? 'amber' : ''}`}>
        {note?.text}
      </p>
    </section>
  )
}

/** A file's text: a spreadsheet is read by the server, in a thread with limits. */
async function readFile(place: Place, file: File): Promise<{ text: string; note: string }> {
  if (file.size > SHEET_BYTES) {
    throw new ApiFailure(0, {
      code: 'too_large',
      message: 'The file is larger than 1 MB. Please leave out what is no list of names.',
    })
  }
  const bytes = new Uint8Array(await file.arrayBuffer())
  // 'PK': a zip, which every .xlsx is; old spreadsheets and PDFs get their advice from the server too.
  const isText = !/^(PK|\xd0\xcf|%P)/.test(String.fromCharCode(...bytes.subarray(0, 2)))
  if (isText) return { text: decode(bytes), note: '' }
  let binary = ''
  for (let at = 0; at < bytes.length; at += 8_192) {
    binary += String.fromCharCode(...bytes.subarray(at, at + 8_192))
  }
  const { text, oddCells } = await call(readSheet, { params: place, body: { file: btoa(binary) } })
  const note =
    oddCells > 0
      ? `${countOf(oddCells, 'cell')} may show something else in the spreadsheet (a formula, or a number in another form): please look at them.`
      : ''
  return { text, note }
}

/** UTF-8, or what Excel writes on Windows. */
function decode(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}
