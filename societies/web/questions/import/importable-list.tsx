import { NOTICES } from '../../../questions/question-files.ts'
import { useMending } from './mend-question.tsx'
import { type Draft, keyOf } from './reviewed.ts'

/** What can be imported: a tick, the text that opens in place, the right answer, and what is worth a look. */
export function ImportableList(props: {
  drafts: readonly Draft[]
  onChange: (draft: Draft) => void
  onTickAll: (isTicked: boolean) => void
}) {
  const { openId, open, formOf } = useMending(props.onChange)
  const { drafts } = props
  const ticked = drafts.filter(({ isTicked }) => isTicked).length
  return (
    <section aria-labelledby="can-be">
      <div className="head">
        <h2 id="can-be" className="flex items-baseline gap-2.5">
          <span className="count text-[44px]!">{drafts.length}</span> What can be imported
        </h2>
        <span className="hint">four options, one key</span>
      </div>
      {drafts.length === 0 && (
        <p className="py-4 text-ink-2">Nothing yet. Fix a question in the other list.</p>
      )}
      <ol>
        {drafts.length > 0 && (
          <li className={`${ROW} min-h-8 text-[12.5px] text-ink-2`}>
            <label className="grid min-h-8 min-w-8 place-items-center justify-self-start">
              <input
                type="checkbox"
                aria-label="All of them"
                checked={ticked === drafts.length}
                ref={(box) => {
                  if (box) box.indeterminate = ticked > 0 && ticked < drafts.length
                }}
                onChange={() => props.onTickAll(ticked < drafts.length)}
              />
            </label>
            <span>Question, editable</span>
            <span className="max-md:hidden">Right answer</span>
            <span className="max-md:hidden">Notice</span>
          </li>
        )}
        {drafts.map((draft) => (
          <li key={draft.id} className="border-line border-b">
            <div className={`${ROW} min-h-10.5`}>
              <label className="grid min-h-8 min-w-8 place-items-center justify-self-start max-md:min-h-11">
                <input
                  type="checkbox"
                  aria-label={`Import: ${draft.question}`}
                  checked={draft.isTicked}
                  onChange={() => props.onChange({ ...draft, isTicked: !draft.isTicked })}
                />
              </label>
              <button
                type="button"
                className="min-w-0 py-1.5 text-left max-md:min-h-11"
                aria-expanded={openId === draft.id}
                onClick={() => open(openId === draft.id ? null : draft.id)}
              >
                <span className="line-clamp-2 break-words">{draft.question}</span>
                <Sentences draft={draft} />
              </button>
              <span className="line-clamp-2 break-words max-md:col-start-2">
                <b className="font-semibold">{keyOf(draft)}</b>{' '}
                {draft.options.find(({ isKey }) => isKey)?.text}
              </span>
              <Mark draft={draft} />
            </div>
            {formOf(draft)}
          </li>
        ))}
      </ol>
    </section>
  )
}

const ROW =
  'grid items-center gap-x-3 grid-cols-[32px_minmax(0,1fr)] md:grid-cols-[32px_minmax(0,1fr)_160px_118px]'

/** What a mark means. */
function Sentences({ draft }: { draft: Draft }) {
  if (draft.notices.length === 0) return null
  const sentences = draft.notices.map((notice) => NOTICES[notice].text)
  return <small className="block text-[12.5px] text-ink-2">{sentences.join(' ')}</small>
}

function Mark({ draft }: { draft: Draft }) {
  const place = 'text-[12.5px] max-md:col-start-2'
  if (draft.isMended) return <span className={`text-ink-2 ${place}`}>fixed here</span>
  const [notice] = draft.notices
  if (!notice) return <span className="max-md:hidden" />
  return <b className={`amber font-[550] ${place}`}>{NOTICES[notice].mark}</b>
}
