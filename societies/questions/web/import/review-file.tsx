import { FileText } from 'lucide-react'
import { useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { assessmentUrl } from '../../../../platform/urls.ts'
import { call } from '../../../../platform/web/api.ts'
import { toast } from '../../../../platform/web/ui/toast.tsx'
import { countOf, numberWord } from '../../../../platform/words.ts'
import { Top } from '../../../kit/web/section.tsx'
import { DialogFrame } from '../../../kit/web/dialog-frame.tsx'
import { Tick } from '../../../kit/web/fields.tsx'
import { useAct, usePlace } from '../../../kit/web/use-act.tsx'
import { importReviewed, undoImport } from '../../contract-exchange.ts'
import { FILE_NOTICES, FORMAT_NAMES, fixOf } from '../../question-files.ts'
import { ImportableList, LeftOutList } from './review-lists.tsx'
import { type Draft, type FileReview, isReady, type Mode, writtenOf } from './reviewed.ts'

/** A file that was read: what can be imported next to what won't be, and the button that says how many. */
export function ReviewFile(props: { name: string; review: FileReview; onAgain: () => void }) {
  const { review } = props
  const [drafts, setDrafts] = useState(() =>
    review.questions.map((one, id): Draft => ({ ...one, id, isTicked: true, isMended: false })),
  )
  const [mode, setMode] = useState<Mode>('append')
  const [isAsking, setIsAsking] = useState(false)
  const ready = drafts.filter((one) => isReady(one, mode))
  const chosen = ready.filter(({ isTicked }) => isTicked)
  const store = useImporting(mode, review.standing.fingerprint)
  const change = (draft: Draft) =>
    setDrafts(drafts.map((one) => (one.id === draft.id ? draft : one)))
  const mendable = drafts.filter(
    ({ reason, options }) => reason !== null && fixOf(reason, options) !== null,
  ).length
  const standing = review.standing.count
  const press = () => (mode === 'replace' ? setIsAsking(true) : store.run(chosen))
  const acts = (
    <>
      <button type="button" className="btn btn-ghost" onClick={props.onAgain}>
        Cancel
      </button>
      <button
        type="button"
        className="btn"
        aria-disabled={chosen.length === 0 || store.isBusy}
        onClick={() => chosen.length > 0 && press()}
      >
        {store.isBusy ? 'Importing…' : `Import ${chosen.length} of ${drafts.length}`}
      </button>
    </>
  )
  return (
    <>
      <Top
        title="Import questions"
        headline={`${ready.length} of ${drafts.length} can be imported`}
        acts={acts}
      >
        {mendable > 0 && `${numberWord(mendable)} more can be fixed on this page. `}
        Nothing is saved before you press the button, and the file is not kept.
      </Top>
      <div role="alert">{store.problem && <p className="warning mb-6">{store.problem}</p>}</div>
      <div className="mb-7.5">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-2 border-ink border-t border-b border-b-line py-2.5">
          <FileText size={18} aria-hidden className="flex-none" />
          <b className="min-w-0 truncate font-semibold">{props.name}</b>
          <span className="text-ink-2">
            read as {FORMAT_NAMES[review.format]}, {countOf(drafts.length, 'question')}
          </span>
        </p>
        {review.notices.length > 0 && (
          <p className="mt-3 text-[13.5px] text-ink-2">
            {review.notices.map((notice) => FILE_NOTICES[notice]).join(' ')}
          </p>
        )}
      </div>
      <div className="grid gap-x-14 gap-y-10 lg:grid-cols-[minmax(0,1fr)_minmax(0,496px)]">
        <ImportableList
          drafts={ready}
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
            <legend className="sr-only">Where they go</legend>
            {(['append', 'replace'] as const).map((one) => (
              <Tick
                key={one}
                kind="radio"
                name="import-mode"
                checked={mode === one}
                onChange={() => setMode(one)}
                label={`${one === 'append' ? 'Add after' : 'Replace'} the ${countOf(standing, 'question')} in this test`}
              />
            ))}
          </fieldset>
        )}
        <div className="acts">{acts}</div>
      </div>
      {isAsking && (
        <DialogFrame
          title={`Replace ${countOf(standing, 'question')}?`}
          text="They are deleted for good, with the members’ answers to them. You can’t undo this. Export them first if you may need them again."
          button={[`Replace ${standing} with ${chosen.length}`, 'Importing…']}
          problem={null}
          isBusy={false}
          onAct={() => {
            setIsAsking(false)
            store.run(chosen)
          }}
          onClose={() => setIsAsking(false)}
        />
      )}
    </>
  )
}

/** Imports questions, and undoes it from the toast. @param fingerprint of the questions that are in the test now */
function useImporting(mode: Mode, fingerprint: string) {
  const place = usePlace()
  const navigate = useNavigate()
  // The same for every press on this page.
  const importId = useRef(crypto.randomUUID())
  const undo = useAct(
    () => call(undoImport, { params: place, body: { id: importId.current } }),
    ({ removed }) => toast.success(`${countOf(removed, 'question')} taken out again`),
    // The toast outlives this page.
    (problem) => toast.error('Not undone', problem),
  )
  return useAct(
    (chosen: readonly Draft[]) =>
      call(importReviewed, {
        params: place,
        body: {
          id: importId.current,
          mode,
          fingerprint,
          questions: chosen.map(writtenOf),
        },
      }),
    ({ added, askedAlready }) => {
      void navigate(assessmentUrl(place.society, place.code, 'questions'))
      const title = `${countOf(added, 'question')} imported`
      const more = askedAlready
        ? `Someone else had already added ${countOf(askedAlready, 'question')}.`
        : undefined
      if (mode === 'replace') toast.success(title, more)
      else toast.undoable(title, () => undo.run(), more)
    },
  )
}
