import { FileText } from 'lucide-react'
import { useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { assessmentUrl } from '../../../../platform/urls.ts'
import { call } from '../../../../platform/web/api.ts'
import { toast } from '../../../../platform/web/ui/toast.tsx'
import { countOf, numberWord } from '../../../../platform/words.ts'
import { importReviewed, undoImport } from '../../../contract/exchange.ts'
import { FILE_NOTICES, FORMAT_NAMES, fixOf } from '../../../questions/question-files.ts'
import { Top } from '../../console/top.tsx'
import { DialogFrame } from '../../kit/dialog-frame.tsx'
import { Tick } from '../../kit/fields.tsx'
import { useAct, usePlace } from '../../kit/use-act.tsx'
import { ImportableList } from './importable-list.tsx'
import { LeftOutList } from './left-out-list.tsx'
import { type Draft, draftsOf, type FileReview, isReady, type Mode, writtenOf } from './reviewed.ts'

/** A file that was read: what can be imported beside what won't be, and the button that says how many. */
export function ReviewFile(props: { name: string; review: FileReview; onAgain: () => void }) {
  const { review } = props
  const place = usePlace()
  const navigate = useNavigate()
  const [drafts, setDrafts] = useState(() => draftsOf(review.questions))
  const [mode, setMode] = useState<Mode>('append')
  const [isAsking, setIsAsking] = useState(false)
  // One for what is on this page, however often somebody presses.
  const importId = useRef(crypto.randomUUID())
  const ready = drafts.filter((one) => isReady(one, mode))
  const chosen = ready.filter(({ isTicked }) => isTicked)
  const undo = useAct(
    () => call(undoImport, { params: place, body: { id: importId.current } }),
    ({ removed }) => toast.success(`${countOf(removed, 'question')} taken out again`),
    // Pressed in a toast, when this page is gone.
    (problem) => toast.error('Not undone', problem),
  )
  const store = useAct(
    () =>
      call(importReviewed, {
        params: place,
        body: {
          id: importId.current,
          mode,
          fingerprint: review.standing.fingerprint,
          questions: chosen.map(writtenOf),
        },
      }),
    ({ added, askedAlready }) => {
      void navigate(assessmentUrl(place.society, place.code, 'questions'))
      const title = `${countOf(added, 'question')} imported`
      const more =
        askedAlready > 0
          ? `${countOf(askedAlready, 'question')} had been added by someone else.`
          : undefined
      if (mode === 'replace') toast.success(title, more)
      else toast.undoable(title, () => undo.run(), more)
    },
  )
  const change = (draft: Draft) =>
    setDrafts(drafts.map((one) => (one.id === draft.id ? draft : one)))
  const mendable = drafts.filter(
    ({ reason, options }) => reason !== null && fixOf(reason, options) !== null,
  ).length
  const standing = review.standing.count
  const press = () => {
    if (chosen.length === 0) return
    if (mode === 'replace') setIsAsking(true)
    else store.run()
  }
  const acts = (
    <>
      <button type="button" className="btn btn-ghost" onClick={props.onAgain}>
        Cancel
      </button>
      <button
        type="button"
        className="btn"
        aria-disabled={chosen.length === 0 || store.isBusy}
        onClick={press}
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
        {mendable > 0
          ? `${mendable === 1 ? 'One more' : `${numberWord(mendable)} more`} can be fixed on this page. `
          : ''}
        Nothing is stored before you press the button, and the file is not kept.
      </Top>
      <div role="alert">{store.problem && <p className="warning mb-6">{store.problem}</p>}</div>
      <div className="mb-7.5">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-2 border-ink border-t border-b border-b-line py-2.5">
          <FileText size={18} aria-hidden className="flex-none" />
          <b className="min-w-0 truncate font-semibold">{props.name}</b>
          <span className="text-ink-2">
            read as {FORMAT_NAMES[review.format]}, {drafts.length}{' '}
            {drafts.length === 1 ? 'question' : 'questions'}
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
            <legend className="sr-only">Where to</legend>
            {(['append', 'replace'] as const).map((one) => (
              <Tick
                key={one}
                kind="radio"
                name="import-mode"
                checked={mode === one}
                onChange={() => setMode(one)}
                label={
                  one === 'append'
                    ? `Behind the ${standing === 1 ? 'one' : standing} that ${standing === 1 ? 'is' : 'are'} there`
                    : 'In their place'
                }
              />
            ))}
          </fieldset>
        )}
        <div className="acts">{acts}</div>
      </div>
      {isAsking && (
        <DialogFrame
          title={standing === 1 ? 'Replace the question?' : `Replace all ${standing} questions?`}
          text={`${standing === 1 ? 'It is' : 'They are'} deleted for good, with the answers that members gave to check them, and ${chosen.length} ${chosen.length === 1 ? 'takes' : 'take'} their place. This can’t be undone. Export them first if you may need them again.`}
          button={[`Replace ${standing} by ${chosen.length}`, 'Importing…']}
          problem={null}
          isBusy={false}
          onAct={() => {
            setIsAsking(false)
            store.run()
          }}
          onClose={() => setIsAsking(false)}
        />
      )}
    </>
  )
}
