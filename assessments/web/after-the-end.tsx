import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useId, useState } from 'react'
import type { ResponseOf } from '../../platform/endpoint.ts'
import { ApiFailure, call } from '../../platform/web/api.ts'
import { shortDateTime } from '../../platform/web/dates.ts'
import { COMMENT_LENGTH, type readRecord, writeComment } from '../contract.ts'
import { recordQuery } from './recorded-log.tsx'

type AttemptRecord = ResponseOf<typeof readRecord>

/** Where a whole room ends in one second, its pages ask one after the other, milliseconds. */
const SPREAD_MS = 8_000

/** The receipt of the answers, and what the candidate tells the society (product 6.10.9, 6.10.10). */
export function AfterTheEnd({ reference }: { reference: string }) {
  const [isTime, setIsTime] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setIsTime(true), Math.random() * SPREAD_MS)
    return () => clearTimeout(timer)
  }, [])
  const record = useQuery({ ...recordQuery(reference), enabled: isTime })
  // Also when the log below was opened first. Without a connection there is the reference still.
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
    <section className="mt-9 max-w-[560px]" aria-labelledby="receipt">
      <h2 id="receipt" className="border-ink border-b pb-2 text-[22px]">
        Receipt of your answers
      </h2>
      <p className="mt-4 font-mono text-[20px]">{now.code}</p>
      <p className="hint mt-2 text-pretty">
        Computed from your answers as they are stored. The society sees the same; as long as it is
        the same, no answer was changed. You may write it down.
      </p>
      {before && (
        <p className="mt-3 text-pretty">
          It was <span className="font-mono">{before.code}</span> until {shortDateTime(now.at)},
          when{' '}
          {now.why === 'late_accepted'
            ? 'the society counted answers of yours that had come late'
            : 'you had handed in once more, after the society opened the test again'}
          .
        </p>
      )}
    </section>
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
      <section className="mt-9 max-w-[560px]" aria-labelledby="comment">
        <h2 id="comment" className="border-ink border-b pb-2 text-[22px]">
          What you told the society
        </h2>
        <p className="mt-4 whitespace-pre-line">{record.comment}</p>
      </section>
    )
  }
  const isChanged = text.trim() !== (record.comment ?? '')
  return (
    <section className="mt-9 max-w-[560px]" aria-labelledby="comment">
      <h2 id="comment" className="border-ink border-b pb-2 text-[22px]">
        Tell the society something
      </h2>
      <label htmlFor={id} className="mt-4 block">
        If something happened during the test, an alarm, a crash, a call at the door: until{' '}
        {shortDateTime(record.commentUntil)} you can write it here and change it. You need not.
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
          {save.isPending ? 'Sending…' : record.comment === null ? 'Send it' : 'Change it'}
        </button>
        <span role="status" className="hint">
          {isSaved &&
            (record.comment === null ? 'It is taken away.' : 'The society can read it now.')}
        </span>
      </div>
      {save.isError && (
        <p role="alert" className="mt-3">
          {save.error instanceof ApiFailure
            ? save.error.message
            : 'It could not be sent. Please try again.'}
        </p>
      )}
    </section>
  )
}
