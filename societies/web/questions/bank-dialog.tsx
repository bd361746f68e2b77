import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { Dialog } from '../../../platform/web/ui/dialog.tsx'
import { TryAgain } from '../../../platform/web/ui/message.tsx'
import { TAKEN_AT_ONCE } from '../../contract/questions.ts'
import { shareOf } from './mark-words.ts'
import { bankQuery, type Desk, useTake } from './queries.ts'

/** How many are shown of those found: more are searched for. */
const SHOWN = 100

/** The society's questions of its other tests, to add copies of them (product 7.9.14). */
export function BankDialog(props: {
  desk: Desk
  open: boolean
  onOpenChange: (open: boolean) => void
}) {
  const found = useQuery({ ...bankQuery(props.desk), enabled: props.open })
  const take = useTake(props.desk)
  const [text, setText] = useState('')
  const [topic, setTopic] = useState('')
  const [ticked, setTicked] = useState<readonly string[]>([])
  const bank = found.data ?? []
  const topics = [...new Set(bank.flatMap((one) => one.topic ?? []))].sort()
  const shown = useMemo(() => {
    const wanted = text.trim().toLowerCase()
    return (found.data ?? []).filter(
      (one) =>
        (topic === '' || one.topic === topic) &&
        (wanted === '' || `${one.question} ${one.name}`.toLowerCase().includes(wanted)),
    )
  }, [found.data, text, topic])
  const isFull = ticked.length >= TAKEN_AT_ONCE

  function add(): void {
    if (take.isPending || ticked.length === 0) return
    take.mutate([...ticked], {
      onSuccess: () => {
        setTicked([])
        props.onOpenChange(false)
      },
    })
  }

  return (
    <Dialog
      open={props.open}
      onOpenChange={props.onOpenChange}
      title="Take from earlier tests"
      description="A copy stays the same question, so that how it does is found in both tests."
      wide
    >
      {found.isPending && <p role="status">Loading…</p>}
      {found.isError && (
        <p role="alert" className="flex flex-wrap items-center gap-3">
          The questions could not be loaded.
          <TryAgain onClick={() => void found.refetch()} isBusy={found.isFetching} />
        </p>
      )}
      {found.data && bank.length === 0 && (
        <p>The society has no question in another test that this one does not ask already.</p>
      )}
      {bank.length > 0 && (
        <>
          <div className="mb-3 flex flex-wrap gap-2">
            <input
              type="search"
              aria-label="Find in earlier tests"
              placeholder="Find"
              className="field min-w-40 flex-1"
              value={text}
              onChange={(event) => setText(event.target.value)}
            />
            {topics.length > 0 && (
              <select
                aria-label="Topic"
                className="field"
                value={topic}
                onChange={(event) => setTopic(event.target.value)}
              >
                <option value="">All topics</option>
                {topics.map((one) => (
                  <option key={one}>{one}</option>
                ))}
              </select>
            )}
          </div>
          <ul className="mb-4 border-ink border-t">
            {shown.slice(0, SHOWN).map((one) => (
              <li key={one.questionId} className="border-line border-b">
                <label className="grid min-h-11 grid-cols-[24px_minmax(0,1fr)_auto] items-center gap-x-2 py-1.5">
                  <input
                    type="checkbox"
                    checked={ticked.includes(one.questionId)}
                    disabled={isFull && !ticked.includes(one.questionId)}
                    onChange={(event) =>
                      setTicked(
                        event.target.checked
                          ? [...ticked, one.questionId]
                          : ticked.filter((id) => id !== one.questionId),
                      )
                    }
                  />
                  <span className="min-w-0">
                    <span className="line-clamp-2">{one.question}</span>
                    <small className="block text-[12.5px] text-ink-2">
                      {[one.name, one.topic].filter(Boolean).join(' · ')}
                    </small>
                  </span>
                  <span className="figures whitespace-nowrap text-[12.5px] text-ink-2">
                    {one.lastTime
                      ? `${shareOf(one.lastTime)} right, n = ${one.lastTime.of}`
                      : 'not sat yet'}
                  </span>
                </label>
              </li>
            ))}
          </ul>
          {shown.length > SHOWN && (
            <p className="hint mb-3">{shown.length - SHOWN} more: search for them.</p>
          )}
          {shown.length === 0 && <p className="mb-3">Nothing found.</p>}
          <p role="alert" className="mb-2 empty:hidden">
            {take.error?.message}
          </p>
          <button
            type="button"
            className="btn"
            aria-disabled={take.isPending || ticked.length === 0}
            onClick={add}
          >
            {take.isPending
              ? 'Adding…'
              : `Add ${ticked.length} ${ticked.length === 1 ? 'question' : 'questions'}`}
          </button>
        </>
      )}
    </Dialog>
  )
}
