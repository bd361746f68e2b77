import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Check } from 'lucide-react'
import { type ReactNode, useEffect, useId, useState } from 'react'
import { Link } from 'react-router'
import * as z from 'zod/mini'
import type { ResponseOf } from '../../platform/endpoint.ts'
import { URLS } from '../../platform/urls.ts'
import { ApiFailure, call } from '../../platform/web/api.ts'
import { shortDateTime, timeOfDay } from '../../platform/web/dates.ts'
import { NotLoaded } from '../../platform/web/ui/not-loaded.tsx'
import { createPart, usePart } from '../../platform/web/ui/on-demand.ts'
import { focusWhenShown } from '../../platform/web/ui/option-keys.ts'
import { StandalonePage, useTitle } from '../../platform/web/ui/page.tsx'
import { LoadingNote, Skeleton } from '../../platform/web/ui/skeleton.tsx'
import { COMMENT_LENGTH, readRecord, readReleasedResult, writeComment } from '../contract.ts'
import { releasedParagraphs, scoreShown } from '../released-result.ts'
import { nameOfAct } from '../violations.ts'
import { assessmentsQuery } from './queries.ts'

/** The completion screen, with a reference for questions but without a result (product 6.10.1, 6.10.2, 6.10.6). */
export function RecruitmentCompleted({ submitted }: { submitted: SubmittedState }) {
  useTitle('Assessment Submitted')
  const { title, reason, reference } = submitted
  const isByViolations = reason === 'violations'
  const result = useQuery(releasedQuery(reference)).data?.result ?? null
  const isReleased = result !== null
  return (
    <StandalonePage>
      {!isByViolations && <Check size={36} aria-hidden className="mb-5 grade-right" />}
      <p className="eyebrow">{title}</p>
      <h1 ref={focusWhenShown} tabIndex={-1} className="mt-2 outline-none">
        Assessment Submitted
      </h1>
      {isByViolations ? (
        <ByViolations submitted={submitted} isReleased={isReleased} />
      ) : (
        <>
          <Thanks submitted={submitted} isReleased={isReleased} />
          <Receipt submitted={submitted} contact={null} />
        </>
      )}
      {result && <Released result={result} />}
      <Link to={URLS.dashboard} className="btn mt-9">
        Return to Dashboard
      </Link>
      <AfterTheEnd reference={reference} />
      <RecordedLog reference={reference} />
    </StandalonePage>
  )
}

function Part({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section aria-labelledby={id} className="mt-9 max-w-[560px]">
      <h2 id={id} className="border-ink border-b pb-2 text-[22px]">
        {title}
      </h2>
      {children}
    </section>
  )
}

interface EndProps {
  submitted: SubmittedState
  /** Whether the result is on this page. */
  isReleased: boolean
}

/** The note that results are not displayed only appears before the release (product 6.10.1). */
const AFTER_RELEASE = 'Your answers are with the society, and your result is below.'

function Thanks({ submitted, isReleased }: EndProps) {
  const { reason, lateCount, endedBySociety } = submitted
  return (
    <>
      <p className="mt-6 max-w-[60ch] text-pretty text-[17px]">
        Thank you for taking this assessment.{' '}
        {isReleased
          ? AFTER_RELEASE
          : 'Your answers are with the society, and individual results are not displayed. The society will tell you what happens next.'}
      </p>
      {reason === 'deadline' && (
        <p className="mt-4 max-w-[60ch] text-[17px]">
          {endedBySociety
            ? 'The society ended the test before your time was over, and it was submitted with the answers you had given. If you don’t know why, ask the society and give it the reference.'
            : 'The time ran out, and the test was submitted automatically with the answers you had given.'}
        </p>
      )}
      {lateCount > 0 && (
        <p className="mt-4 max-w-[60ch] text-[17px]">
          {lateCount === 1 ? 'One answer' : `${lateCount} answers`} reached us after the end.
          {lateCount === 1 ? ' It was' : ' They were'} kept, and the society decides whether
          {lateCount === 1 ? ' it counts' : ' they count'}. Give it the reference below.
        </p>
      )}
    </>
  )
}

/** States neutrally what was recorded, when, and who decides. */
function ByViolations({ submitted, isReleased }: EndProps) {
  const { code, strikes = [] } = submitted
  const { data: assessments } = useQuery(assessmentsQuery)
  const contact = assessments?.find((process) => process.code === code)?.rules.contact ?? null
  return (
    <>
      <p className="mt-6 max-w-[60ch] text-pretty text-[17px]">
        The test was submitted automatically after the third violation, with the answers you had
        given.{' '}
        {isReleased
          ? AFTER_RELEASE
          : 'They are with the society, and individual results are not displayed.'}
      </p>
      {strikes.length > 0 && (
        <Part id="recorded" title="What counted">
          <ol>
            {strikes.map(({ kind, key, at }, index) => (
              <li
                key={`${at} ${kind}`}
                className="flex items-baseline gap-x-4 border-line border-b py-2.5"
              >
                <span className="text-ink-2">{index + 1}</span>
                <span className="flex-1">{nameOfAct(kind, key)}</span>
                <time dateTime={at} className="text-ink-2">
                  {timeOfDay(at)}
                </time>
              </li>
            ))}
          </ol>
        </Part>
      )}
      <Part id="appeal" title="If this is wrong">
        <p className="mt-4 text-pretty">
          Tell the society{contact ? '' : ' that invited you'} what happened right away, and give it
          the reference. It sees each violation with its time, can take back wrong ones, and decides
          whether you can continue.
        </p>
      </Part>
      <Receipt submitted={submitted} contact={contact} />
    </>
  )
}

function Receipt(props: { submitted: SubmittedState; contact: string | null }) {
  const { reference, submittedAt } = props.submitted
  return (
    <dl className="mt-8 grid max-w-[560px] grid-cols-[auto_1fr] gap-x-8 gap-y-3 border-ink border-t pt-5">
      <dt className="text-ink-2">Reference</dt>
      <dd className="font-medium">{reference}</dd>
      {submittedAt && (
        <>
          <dt className="text-ink-2">Submitted</dt>
          <dd>
            <time dateTime={submittedAt}>{shortDateTime(submittedAt)}</time>
          </dd>
        </>
      )}
      {props.contact && (
        <>
          <dt className="text-ink-2">Contact</dt>
          <dd>{props.contact}</dd>
        </>
      )}
    </dl>
  )
}

type AttemptRecord = ResponseOf<typeof readRecord>

/** Milliseconds over which pages spread their requests for the record, because a whole room can end together. */
const SPREAD_MS = 8_000

/** The receipt of the answers and the candidate's comment to the society (product 6.10.9, 6.10.10). */
function AfterTheEnd({ reference }: { reference: string }) {
  const [isTime, setIsTime] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setIsTime(true), Math.random() * SPREAD_MS)
    return () => clearTimeout(timer)
  }, [])
  const record = useQuery({ ...recordQuery(reference), enabled: isTime })
  // The record may already be loaded for the log below. Without it, the page still shows the reference.
  if (!record.data) return null
  return (
    <>
      <Receipts receipts={record.data.receipts} />
      <Comment reference={reference} record={record.data} />
    </>
  )
}

function Receipts({ receipts }: Pick<AttemptRecord, 'receipts'>) {
  const [now, before] = [receipts.at(-1), receipts.at(-2)]
  if (!now) return null
  return (
    <Part id="receipt" title="Receipt of your answers">
      <p className="mt-4 font-mono text-[20px]">{now.code}</p>
      <p className="hint mt-2 text-pretty">
        Calculated from your stored answers. The society sees the same code. While it stays the
        same, no answer was changed. You can write it down.
      </p>
      {before && (
        <p className="mt-3 text-pretty">
          It was <span className="font-mono">{before.code}</span> until {shortDateTime(now.at)},
          when{' '}
          {now.why === 'late_accepted'
            ? 'the society counted your late answers'
            : 'you submitted again after the society reopened the test'}
          .
        </p>
      )}
    </Part>
  )
}

function Comment({ reference, record }: { reference: string; record: AttemptRecord }) {
  const client = useQueryClient()
  const id = useId()
  const [text, setText] = useState(record.comment ?? '')
  const [isSaved, setIsSaved] = useState(false)
  const save = useMutation({
    mutationFn: () => call(writeComment, { params: { reference }, body: { text } }),
    onSuccess: ({ comment }) => {
      setIsSaved(true)
      client.setQueryData<AttemptRecord>(recordQuery(reference).queryKey, (now) =>
        now ? { ...now, comment } : now,
      )
    },
  })
  if (record.commentLeftMs <= 0) {
    if (record.comment === null) return null
    return (
      <Part id="comment" title="What you told the society">
        <p className="mt-4 whitespace-pre-line">{record.comment}</p>
      </Part>
    )
  }
  const isChanged = text.trim() !== (record.comment ?? '')
  return (
    <Part id="comment" title="Comment for the society">
      <label htmlFor={id} className="mt-4 block">
        If something happened during the test, such as an alarm or a crash, you can describe it here
        until {shortDateTime(record.commentUntil)}. This is optional.
      </label>
      <textarea
        id={id}
        rows={4}
        className="field mt-3 w-full py-2.5"
        maxLength={COMMENT_LENGTH}
        value={text}
        onChange={(event) => {
          setText(event.target.value.replace(/[^\P{Cc}\n]/gu, ' '))
          setIsSaved(false)
        }}
      />
      <div className="mt-3 flex flex-wrap items-center gap-4">
        <button
          type="button"
          className="btn btn-ghost"
          aria-disabled={!isChanged || save.isPending}
          onClick={() => isChanged && !save.isPending && save.mutate()}
        >
          {save.isPending
            ? 'Sending…'
            : record.comment === null
              ? 'Send comment'
              : 'Change comment'}
        </button>
        <span role="status" className="hint">
          {isSaved &&
            (record.comment === null ? 'Comment removed.' : 'The society can read it now.')}
        </span>
      </div>
      {save.isError && (
        <p role="alert" className="mt-3">
          {save.error instanceof ApiFailure
            ? save.error.message
            : 'Your comment could not be sent. Please try again.'}
        </p>
      )}
    </Part>
  )
}

const entriesPart = createPart(async () => (await import('./recorded-entries.tsx')).RecordedEntries)

const recordQuery = (reference: string) =>
  queryOptions({
    queryKey: ['attempt-record', reference],
    queryFn: ({ signal }) => call(readRecord, { params: { reference } }, { signal }),
  })

/** 'What was recorded' in a finished attempt, collapsed until the candidate opens it (product 6.10.7). */
function RecordedLog({ reference }: { reference: string }) {
  const [isOpen, setIsOpen] = useState(false)
  const record = useQuery({ ...recordQuery(reference), enabled: isOpen })
  const RecordedEntries = usePart(entriesPart, { open: isOpen, onOpenChange: setIsOpen })
  const isAnothers = record.error instanceof ApiFailure && record.error.status === 404
  return (
    <details
      open={isOpen}
      className="mt-10 max-w-[640px] border-line border-t pt-4"
      onToggle={(event) => setIsOpen(event.currentTarget.open)}
    >
      <summary className="w-fit cursor-pointer rounded-md py-1 text-ink-2 underline-offset-4 hover:underline">
        What was recorded
      </summary>
      <div className="pt-4">
        {isAnothers ? (
          <p>Only the account that took the test can read its record.</p>
        ) : record.isError ? (
          <NotLoaded title="The record could not be loaded" query={record} />
        ) : record.data && RecordedEntries ? (
          <RecordedEntries record={record.data} />
        ) : (
          isOpen && (
            <>
              <LoadingNote>Loading what was recorded</LoadingNote>
              <Skeleton className="h-24 w-full" />
            </>
          )
        )}
      </div>
    </details>
  )
}

const releasedQuery = (reference: string) =>
  queryOptions({
    queryKey: ['released-result', reference],
    queryFn: ({ signal }) => call(readReleasedResult, { params: { reference } }, { signal }),
    // Few attempts have a released result, and the page works without it.
    retry: false,
  })

/** The candidate's result, once the society has released it (product 6.10.11). */
function Released({
  result,
}: {
  result: NonNullable<ResponseOf<typeof readReleasedResult>['result']>
}) {
  return (
    <Part id="released" title="Your result">
      <p className="mt-4 text-pretty text-ink-2">
        {result.society} has released the results. Each candidate can see only their own.
      </p>
      <p className="mt-4 font-serif text-[40px] leading-none">{scoreShown(result)}</p>
      {releasedParagraphs(result).map((text) => (
        <p key={text} className="mt-4 text-pretty">
          {text}
        </p>
      ))}
      {result.words && (
        <blockquote className="mt-5 whitespace-pre-line text-pretty border-line-strong border-l-2 pl-4">
          {result.words}
        </blockquote>
      )}
    </Part>
  )
}

/** The completion screen's data in the browser history, so that a reload shows it again. */
export const submittedStateSchema = z.object({
  /** The user it belongs to, because the history outlives a sign-out. */
  userId: z.string(),
  /** The assessment's code. Like the strikes, it is missing in entries from older versions. */
  code: z.optional(z.string()),
  title: z.string(),
  reference: z.string(),
  submittedAt: z.string(),
  reason: z.enum(['candidate', 'violations', 'deadline']),
  /** Whether the society ended the test before its deadline. */
  endedBySociety: z.optional(z.literal(true)),
  lateCount: z.int(),
  strikes: z.optional(
    z.array(z.object({ kind: z.string(), key: z.optional(z.string()), at: z.string() })),
  ),
})
export type SubmittedState = z.infer<typeof submittedStateSchema>
