import { useMutation } from '@tanstack/react-query'
import { useDeferredValue, useMemo, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { ApiFailure, call } from '../../../platform/web/api.ts'
import { useSession } from '../../../platform/web/session.tsx'
import { toast } from '../../../platform/web/ui/toast.tsx'
import { useEndpoint } from '../../../platform/web/use-endpoint.ts'
import { countOf, numberWord } from '../../../platform/words.ts'
import { MOST_LINES, TEXT_LENGTH } from '../../kit/candidate-limits.ts'
import { BroughtText } from '../../kit/web/brought-list.tsx'
import { useAssessment } from '../../kit/web/console/console.tsx'
import { Tick } from '../../kit/web/fields.tsx'
import { Loaded, sentenceOf } from '../../kit/web/loaded.tsx'
import { Top } from '../../kit/web/section.tsx'
import { ActButton, type Place, useAct, usePlace, useUrlOf } from '../../kit/web/use-act.tsx'
import {
  type CandidateField,
  type JudgedLine,
  judgeLines,
  type WrittenLine,
} from '../candidate-lines.ts'
import {
  addCandidates,
  type CandidateFacts,
  listCandidates,
  readSheet,
  SHEET_BYTES,
} from '../contract.ts'
import { type Column, givesNames, guessColumns, linesOf, splitText } from '../pasted-list.ts'
import { ReadLines } from './read-lines.tsx'

/** …/candidates/add: shows a pasted list line by line before it's added (product 7.10.4, 7.10.5). */
export function AddCandidates() {
  const list = useEndpoint(listCandidates, { params: usePlace() })
  return (
    <Loaded of={list} name="list">
      {({ candidates }) => <Add listed={candidates} />}
    </Loaded>
  )
}

const EXAMPLE = 'name; email; room; extra\nInes Ardal; i.ardal@student.example; 1.04; 0'

/** Holds a pasted text, its column mapping and manual fixes. New text resets the rest. */
function useReadList(listed: readonly CandidateFacts[]) {
  const { durationSeconds } = useAssessment()
  const [given, setGiven] = useState<{
    text: string
    columns?: readonly Column[]
    headings?: number
    fixed?: ReadonlyMap<number, Partial<WrittenLine>>
  }>({ text: '' })
  const { text, fixed } = given
  const read = useDeferredValue(text)
  const rows = useMemo(() => splitText(read), [read])
  const guessed = useMemo(() => guessColumns(rows), [rows])
  const columns = given.columns ?? guessed.columns
  const headings = given.headings ?? guessed.headings
  const hasNames = givesNames(columns)
  const written = useMemo(
    () => linesOf(rows, columns, headings).map((line) => ({ ...line, ...fixed?.get(line.line) })),
    [rows, columns, headings, fixed],
  )
  const judged = useMemo(
    () => judgeLines(written, listed, hasNames, durationSeconds),
    [written, listed, hasNames, durationSeconds],
  )
  return {
    text,
    setText: (next: string) => setGiven({ text: next.slice(0, TEXT_LENGTH) }),
    hasNames,
    reading: {
      judged,
      written,
      columns,
      heading: rows[headings - 1]?.cells ?? [],
      onColumns: (next: readonly Column[]) => setGiven({ ...given, columns: next }),
      onHeading: (isOne: boolean) =>
        setGiven({ ...given, headings: isOne ? guessed.headings || 1 : 0 }),
      onMend: (line: number, field: CandidateField, value: string) =>
        setGiven((now) => ({
          ...now,
          fixed: new Map(now.fixed).set(line, { ...now.fixed?.get(line), [field]: value }),
        })),
    },
  }
}

function Add({ listed }: { listed: readonly CandidateFacts[] }) {
  const place = usePlace()
  const urlOf = useUrlOf()
  const navigate = useNavigate()
  const { user } = useSession()
  const { isDraft } = useAssessment()
  const { text, setText, hasNames, reading } = useReadList(listed)
  const { judged, written } = reading
  const [isMailed, setIsMailed] = useState(!isDraft)
  const of = (state: JudgedLine['state']) => judged.filter((one) => one.state === state)
  const [fresh, there, wrong] = [of('new'), of('there'), of('problem')]
  const addresses = fresh.filter(({ email }) => email !== null).length
  const mails = isMailed ? addresses : 0
  const howLong =
    addresses < 300
      ? 'less than a minute'
      : `about ${countOf(Math.ceil(addresses / 600), 'minute')}`
  const mailHint = isDraft
    ? 'after the test is published'
    : `${countOf(addresses, 'email')}, ${howLong}`
  const list = urlOf('candidates')

  const add = useAct(
    (_: undefined, requestId) => {
      const good = new Set(fresh.map(({ line }) => line))
      const lines = written.filter(({ line }) => good.has(line))
      return call(addCandidates, {
        params: place,
        body: { requestId, hasNames, mail: isMailed, lines },
      })
    },
    ({ added, mailed }) => {
      toast.success(
        `${countOf(added, 'candidate')} added`,
        mailed > 0 ? `${countOf(mailed, 'email')} on the way.` : undefined,
      )
      void navigate(list)
    },
  )

  const isMyself = fresh.some(({ email }) => email !== null && email === user?.email)
  const isTooLong = written.length > MOST_LINES

  return (
    <>
      <Top title="Add candidates" headline={headlineOf(fresh.length, judged.length)}>
        {judged.length === 0
          ? 'Paste names and addresses, or drop a CSV or a spreadsheet.'
          : leftWords(there.length, wrong.length)}{' '}
        Nothing is added or sent before you press the button.
      </Top>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-x-11 gap-y-8 xl:grid-cols-[440px_minmax(0,1fr)]">
        <Pasted
          text={text}
          hasHeading={reading.heading.length > 0}
          onText={(next) => {
            setText(next)
            // A new list must not show the previous request's result.
            add.reset()
          }}
        />
        {judged.length > 0 && <ReadLines {...reading} />}
      </div>
      <div className="mt-8 flex flex-wrap items-end justify-between gap-6 border-ink border-t pt-4.5">
        <fieldset>
          <legend className="label">Their passwords</legend>
          <div className="flex flex-wrap gap-x-7 gap-y-3">
            {([true, false] as const).map((isNow) => (
              <Tick
                key={`${isNow}`}
                kind="radio"
                name="when"
                label={isNow ? 'By email, now' : 'Later'}
                hint={isNow ? mailHint : 'from the list of candidates'}
                checked={isMailed === isNow}
                disabled={isNow && isDraft}
                onChange={() => setIsMailed(isNow)}
              />
            ))}
          </div>
        </fieldset>
        <div className="flex flex-wrap items-center gap-2">
          {isMyself && (
            <p className="amber max-w-[46ch] text-[13px]">
              Your own address is on the list. As a candidate you lose your role in this test.
            </p>
          )}
          {isTooLong && (
            <p className="amber text-[13px]">Add at most {MOST_LINES} lines at once.</p>
          )}
          <ActButton act={add} className="btn" busy="Adding…" can={fresh.length > 0 && !isTooLong}>
            Add {fresh.length || 'candidates'}
            {mails > 0 && ` and send ${countOf(mails, 'email')}`}
          </ActButton>
          <Link to={list} className="btn btn-ghost">
            Cancel
          </Link>
        </div>
      </div>
    </>
  )
}

/** Example: 'Nine of twelve lines can be added'. */
function headlineOf(fresh: number, all: number): string {
  if (all === 0) return 'Add candidates'
  const lines = `${numberWord(all).toLowerCase()} ${all === 1 ? 'line' : 'lines'}`
  return `${fresh === all ? (all === 1 ? 'The line' : `All ${lines}`) : `${numberWord(fresh)} of ${lines}`} can be added`
}

function leftWords(there: number, wrong: number): string {
  const parts = [
    there > 0 && `${numberWord(there)} ${there === 1 ? 'is' : 'are'} already on the list.`,
    wrong > 0 && `${numberWord(wrong)} ${wrong === 1 ? 'line has' : 'lines have'} a problem.`,
  ]
  return parts.filter(Boolean).join(' ')
}

function Pasted(props: { text: string; onText: (text: string) => void; hasHeading: boolean }) {
  const { text, onText } = props
  const place = usePlace()
  const reading = useMutation({
    mutationFn: (file: File) => readFile(place, file),
    onSuccess: (read) => onText(read.text),
  })
  const warning = reading.error ? sentenceOf(reading.error) : reading.data?.notes.join(' ')
  return (
    <BroughtText
      title="What you pasted"
      placeholder={EXAMPLE}
      accept=".csv,.txt,.tsv,.xlsx"
      text={text}
      isReading={reading.isPending}
      onText={onText}
      onFile={(file) => reading.mutate(file)}
      hint={
        <>
          Separate cells with tabs, commas or semicolons, or write ‘Name &lt;address&gt;’. You can
          drop a CSV or .xlsx here.
          {text !== '' && props.hasHeading && ' The line that looks like a heading is left out.'}
        </>
      }
    >
      <p role="status" className={`hint mt-1 ${warning ? 'amber' : ''}`}>
        {reading.isSuccess && `${reading.variables.name} was read. `}
        {warning}
      </p>
    </BroughtText>
  )
}

/** The server reads the file in a worker thread with limits. */
async function readFile(place: Place, file: File) {
  if (file.size > SHEET_BYTES) {
    throw new ApiFailure(0, {
      code: 'too_large',
      message: 'The file is larger than 1 MB. Keep only the list of candidates.',
    })
  }
  const bytes = new Uint8Array(await file.arrayBuffer())
  let binary = ''
  for (let at = 0; at < bytes.length; at += 8_192) {
    binary += String.fromCharCode(...bytes.subarray(at, at + 8_192))
  }
  return call(readSheet, { params: place, body: { file: btoa(binary) } })
}
