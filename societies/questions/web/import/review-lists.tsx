import { type ReactNode, useState } from 'react'
import { Section } from '../../../kit/web/section.tsx'
import { fixOf, LEFT_OUT, type LeftOutReason, NOTICES } from '../../question-files.ts'
import { MendQuestion } from './mend-question.tsx'
import { type Draft, isReady, keyOf, type Mode } from './reviewed.ts'

const ROW =
  'grid items-center gap-x-3 grid-cols-[32px_minmax(0,1fr)] md:grid-cols-[32px_minmax(0,1fr)_160px_118px]'

/** What can be imported: a tick, the text that opens in place, the right answer, and what is worth a look. */
export function ImportableList(props: {
  drafts: readonly Draft[]
  onChange: (draft: Draft) => void
  onTickAll: (isTicked: boolean) => void
}) {
  const { drafts, onChange } = props
  const { openId, open, formOf } = useMending(onChange)
  const ticked = drafts.filter(({ isTicked }) => isTicked).length
  return (
    <Section
      title={<Title count={drafts.length}>What can be imported</Title>}
      hint="four options, one key"
    >
      {drafts.length === 0 && (
        <p className="py-4 text-ink-2">Nothing yet. Fix a question in the other list.</p>
      )}
      <ol>
        {drafts.length > 0 && (
          <li className={`${ROW} min-h-8 text-[12.5px] text-ink-2`}>
            <Box
              label="All of them"
              isOn={ticked === drafts.length}
              isPartly={ticked > 0 && ticked < drafts.length}
              onChange={() => props.onTickAll(ticked < drafts.length)}
            />
            <span>Question, editable</span>
            <span className="max-md:hidden">Right answer</span>
            <span className="max-md:hidden">Notice</span>
          </li>
        )}
        {drafts.map((draft) => (
          <li key={draft.id} className="border-line border-b">
            <div className={`${ROW} min-h-10.5`}>
              <Box
                label={`Import: ${draft.question}`}
                isOn={draft.isTicked}
                onChange={() => onChange({ ...draft, isTicked: !draft.isTicked })}
              />
              <button
                type="button"
                className="min-w-0 py-1.5 text-left max-md:min-h-11"
                aria-expanded={openId === draft.id}
                onClick={() => open(openId === draft.id ? null : draft.id)}
              >
                <span className="line-clamp-2 break-words">{draft.question}</span>
                <small className="block text-[12.5px] text-ink-2">
                  {draft.notices.map((notice) => NOTICES[notice].text).join(' ')}
                </small>
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
    </Section>
  )
}

const Title = ({ count, children }: { count: number; children: string }) => (
  <span className="flex items-baseline gap-2.5">
    <span className="count text-[44px]!">{count}</span> {children}
  </span>
)

function Box(props: { label: string; isOn: boolean; isPartly?: boolean; onChange: () => void }) {
  return (
    <label className="grid min-h-8 min-w-8 place-items-center justify-self-start max-md:min-h-11">
      <input
        type="checkbox"
        aria-label={props.label}
        checked={props.isOn}
        ref={(box) => {
          if (box) box.indeterminate = props.isPartly ?? false
        }}
        onChange={props.onChange}
      />
    </label>
  )
}

function Mark({ draft }: { draft: Draft }) {
  const [notice] = draft.notices
  if (draft.isMended) {
    return <span className="text-[12.5px] text-ink-2 max-md:col-start-2">fixed here</span>
  }
  if (!notice) return <span className="max-md:hidden" />
  return <b className="amber font-[550] text-[12.5px] max-md:col-start-2">{NOTICES[notice].mark}</b>
}

/** What won't be imported, by reason, with what can be done about it and the line in the file. */
export function LeftOutList(props: {
  drafts: readonly Draft[]
  mode: Mode
  onChange: (draft: Draft) => void
}) {
  const { openId, open, formOf } = useMending(props.onChange)
  const left = props.drafts.filter((one) => !isReady(one, props.mode))
  const reasons = (Object.keys(LEFT_OUT) as LeftOutReason[]).filter((reason) =>
    left.some((one) => one.reason === reason),
  )
  return (
    <Section
      title={<Title count={left.length}>What won’t be</Title>}
      hint="by reason, with what can be done"
    >
      {left.length === 0 && (
        <p className="py-4 text-ink-2">Everything in the file can be imported.</p>
      )}
      <ol>
        {reasons.map((reason) => {
          const { title, text } = LEFT_OUT[reason]
          const those = left.filter((one) => one.reason === reason)
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
                          {draft.question || 'No text'}
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
    </Section>
  )
}

/** Which question of a list is open to be changed, one at a time, and its form. */
function useMending(onChange: (draft: Draft) => void) {
  const [openId, open] = useState<number | null>(null)
  const formOf = (draft: Draft): ReactNode =>
    openId === draft.id && (
      <MendQuestion
        draft={draft}
        onCancel={() => open(null)}
        onDone={(mended) => {
          open(null)
          onChange(mended)
        }}
      />
    )
  return { openId, open, formOf }
}
