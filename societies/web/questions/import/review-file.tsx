import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { call } from '../../../../platform/web/api.ts'
import { Question } from '../../../../platform/web/ui/dialog.tsx'
import { importReviewed } from '../../../contract/exchange.ts'
import { numberWord } from '../../../number-words.ts'
import { isMendable } from '../../../questions/question-files.ts'
import { useAssessment, useSociety } from '../../console/console.tsx'
import { Top } from '../../console/top.tsx'
import { Added } from './added.tsx'
import { FileLine, type Told } from './file-line.tsx'
import { ImportableList } from './importable-list.tsx'
import { LeftOutList } from './left-out-list.tsx'
import { useRefreshQuestions } from './refresh.ts'
import {
  type Draft,
  draftsOf,
  type FileReview,
  isReady,
  type Mode,
  topicsAtFirst,
  writtenOf,
} from './reviewed.ts'

/** A file that was read: what can be imported beside what won't be, and the button that says how many. */
export function ReviewFile(props: {
  name: string
  review: FileReview
  isBusy: boolean
  /** why reading it again did not work */
  problem: string | null
  onTold: (told: Told) => void
  onAgain: () => void
}) {
  const { review } = props
  const { society } = useSociety()
  const { code } = useAssessment()
  const refresh = useRefreshQuestions()
  const [drafts, setDrafts] = useState(() => draftsOf(review.questions ?? []))
  const [topics, setTopics] = useState(() => topicsAtFirst(drafts, review.topics))
  const [mode, setMode] = useState<Mode>('append')
  const [isAsking, setIsAsking] = useState(false)
  // One for what is on this page, however often somebody presses.
  const importId = useRef(crypto.randomUUID())
  const ready = drafts.filter((one) => isReady(one, mode))
  const chosen = ready.filter(({ isTicked }) => isTicked)
  const storing = useMutation({
    mutationFn: () =>
      call(importReviewed, {
        params: { society: society.id, code },
        body: {
          id: importId.current,
          mode,
          fingerprint: review.standing.fingerprint,
          questions: chosen.map((one) => writtenOf(one, topics)),
        },
      }),
    onSuccess: refresh,
  })
  if (storing.data) {
    return (
      <Added
        importId={importId.current}
        {...storing.data}
        isReplaced={mode === 'replace'}
        onAgain={props.onAgain}
      />
    )
  }
  const change = (draft: Draft) =>
    setDrafts(drafts.map((one) => (one.id === draft.id ? draft : one)))
  const mendable = drafts.filter(
    ({ reason, options }) => reason !== null && isMendable(reason, options),
  ).length
  const standing = review.standing.count
  const press = () => {
    if (chosen.length === 0 || storing.isPending) return
    if (mode === 'replace') setIsAsking(true)
    else storing.mutate()
  }
  const cancel = (
    <button type="button" className="btn btn-ghost" onClick={props.onAgain}>
      Cancel
    </button>
  )
  const acts = (
    <>
      {cancel}
      <button
        type="button"
        className="btn"
        aria-disabled={chosen.length === 0 || storing.isPending}
        onClick={press}
      >
        {storing.isPending ? 'Importing…' : `Import ${chosen.length} of ${drafts.length}`}
      </button>
    </>
  )
  return (
    <>
      <Top
        title="Import questions"
        headline={
          review.questions
            ? `${ready.length} of ${drafts.length} can be imported`
            : 'Which column is what?'
        }
        // Nothing can be imported before it is known what the columns are.
        acts={review.questions ? acts : cancel}
      >
        {!review.questions
          ? 'The headings do not say it. This is guessed from what stands in the columns: change what is wrong, then read the table.'
          : `${mendable > 0 ? `${mendable === 1 ? 'One more' : `${numberWord(mendable)} more`} can be mended on this page. ` : ''}Nothing is stored before you press the button, and the file is not kept.`}
      </Top>
      <div role="alert">
        {(props.problem ?? storing.error) && (
          <p className="warning mb-6">{props.problem ?? storing.error?.message}</p>
        )}
      </div>
      <FileLine
        name={props.name}
        review={review}
        drafts={drafts}
        topics={topics}
        isBusy={props.isBusy}
        onTold={props.onTold}
        onTopic={(category, topic) => setTopics({ ...topics, [category]: topic })}
      />
      {review.questions && (
        <>
          <div className="grid gap-x-14 gap-y-10 lg:grid-cols-[minmax(0,1fr)_minmax(0,496px)]">
            <ImportableList
              drafts={ready}
              topics={topics}
              onChange={change}
              onTickAll={(isTicked) =>
                setDrafts(drafts.map((one) => (isReady(one, mode) ? { ...one, isTicked } : one)))
              }
            />
            <LeftOutList drafts={drafts} mode={mode} onChange={change} />
          </div>
          <div className="mt-8.5 flex flex-wrap items-center gap-3.5 border-ink border-t pt-4">
            {standing > 0 && (
              <fieldset className="flex flex-wrap items-center gap-x-5">
                <legend className="sr-only">Where to</legend>
                {(['append', 'replace'] as const).map((one) => (
                  <label key={one} className="flex min-h-11 items-center gap-2">
                    <input
                      type="radio"
                      name="import-mode"
                      checked={mode === one}
                      onChange={() => setMode(one)}
                    />
                    {one === 'append'
                      ? `Behind the ${standing === 1 ? 'one' : standing} that ${standing === 1 ? 'is' : 'are'} there`
                      : 'In their place'}
                  </label>
                ))}
              </fieldset>
            )}
            <div className="acts">{acts}</div>
          </div>
        </>
      )}
      <Question
        open={isAsking}
        onOpenChange={setIsAsking}
        title={standing === 1 ? 'Replace the question?' : `Replace all ${standing} questions?`}
        description={`${standing === 1 ? 'It is' : 'They are'} deleted for good, with the answers that members gave to check them, and ${chosen.length} ${chosen.length === 1 ? 'takes' : 'take'} their place. This can not be undone: export them first if you may need them again.`}
      >
        <button type="button" className="btn btn-ghost" onClick={() => setIsAsking(false)}>
          Keep them
        </button>
        <button
          type="button"
          className="btn"
          onClick={() => {
            setIsAsking(false)
            storing.mutate()
          }}
        >
          Replace {standing} by {chosen.length}
        </button>
      </Question>
    </>
  )
}
