import { fixOf, LEFT_OUT } from '../../../questions/question-files.ts'
import { useMending } from './mend-question.tsx'
import { byReason, type Draft, type Mode } from './reviewed.ts'

/** What won't be imported, by reason, with what can be done about it and the line in the file. */
export function LeftOutList(props: {
  drafts: readonly Draft[]
  mode: Mode
  onChange: (draft: Draft) => void
}) {
  const { openId, open, formOf } = useMending(props.onChange)
  const groups = byReason(props.drafts, props.mode)
  const count = groups.reduce((sum, [, those]) => sum + those.length, 0)
  return (
    <section aria-labelledby="wont-be">
      <div className="head">
        <h2 id="wont-be" className="flex items-baseline gap-2.5">
          <span className="count text-[44px]!">{count}</span> What won’t be
        </h2>
        <span className="hint">by reason, with what can be done</span>
      </div>
      {count === 0 && <p className="py-4 text-ink-2">Everything in the file can be imported.</p>}
      <ol>
        {groups.map(([reason, those]) => {
          const { title, text } = LEFT_OUT[reason]
          return (
            <li key={reason} className="border-line border-b py-3.5">
              <h3 className="flex items-baseline justify-between gap-3">
                {title}
                <span className="font-sans text-[13px] text-ink-2">{those.length}</span>
              </h3>
              <p className="mt-0.5 text-[13.5px] text-ink-2">{text}</p>
              <ul className="mt-1.5">
                {those.map((draft) => {
                  const fix = fixOf(reason, draft.options)
                  return (
                    <li key={draft.id} className="py-1">
                      <div className="grid grid-cols-[minmax(58px,max-content)_minmax(0,1fr)_auto] items-baseline gap-x-3">
                        <span className="max-w-28 truncate text-ink-2" title={draft.place}>
                          {draft.place}
                        </span>
                        <span className="line-clamp-2 break-words font-medium">
                          {draft.question || 'without a text'}
                        </span>
                        {fix && openId !== draft.id && (
                          <button
                            type="button"
                            className="link min-h-8 whitespace-nowrap text-accent max-md:min-h-11"
                            aria-label={`${fix}: ${draft.question}`}
                            onClick={() => open(draft.id)}
                          >
                            {fix}
                          </button>
                        )}
                      </div>
                      {formOf(draft)}
                    </li>
                  )
                })}
              </ul>
            </li>
          )
        })}
      </ol>
    </section>
  )
}
