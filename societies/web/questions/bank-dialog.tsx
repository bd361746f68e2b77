import { useState } from 'react'
import type { ResponseOf } from '../../../platform/endpoint.ts'
import { call } from '../../../platform/web/api.ts'
import { useEndpoint } from '../../../platform/web/use-endpoint.ts'
import { countOf } from '../../../platform/words.ts'
import { listBank, TAKEN_AT_ONCE, takeFromBank } from '../../contract/questions.ts'
import { DialogFrame } from '../kit/dialog-frame.tsx'
import { SelectField, TextField, Tick } from '../kit/fields.tsx'
import { isFound } from '../kit/list-bar.tsx'
import { Loaded } from '../kit/loaded.tsx'
import { useMore } from '../kit/more.tsx'
import { useAct, usePlace } from '../kit/use-act.tsx'
import { shareOf } from './mark-words.ts'

type BankQuestion = ResponseOf<typeof listBank>[number]

/** The society's questions of its other tests, to add copies of them (product 7.9.14). */
export function BankDialog({ onClose }: { onClose: () => void }) {
  const place = usePlace()
  const found = useEndpoint(listBank, { params: place }, { staleTime: 0 })
  const [ticked, setTicked] = useState<readonly string[]>([])
  const take = useAct(
    () => call(takeFromBank, { params: place, body: { questions: [...ticked] } }),
    onClose,
  )
  return (
    <DialogFrame
      title="Take from earlier tests"
      text="A copy stays the same question, so that how it does is found in both tests."
      wide
      button={found.data?.length ? [`Add ${countOf(ticked.length, 'question')}`, 'Adding…'] : null}
      problem={take.problem}
      isReady={ticked.length > 0}
      isBusy={take.isBusy}
      onAct={() => ticked.length > 0 && take.run()}
      onClose={onClose}
    >
      <Loaded of={found} name="questions" isPart>
        {(bank) =>
          bank.length === 0 ? (
            <p>The society has no question in another test that this one does not ask already.</p>
          ) : (
            <Bank bank={bank} ticked={ticked} onTick={setTicked} />
          )
        }
      </Loaded>
    </DialogFrame>
  )
}

function Bank(props: {
  bank: readonly BankQuestion[]
  ticked: readonly string[]
  onTick: (ticked: readonly string[]) => void
}) {
  const { bank, ticked, onTick } = props
  const [text, setText] = useState('')
  const [topic, setTopic] = useState('')
  const topics = [...new Set(bank.flatMap((one) => one.topic ?? []))].sort()
  const fitting = bank.filter(
    (one) => (topic === '' || one.topic === topic) && isFound(`${one.question} ${one.name}`, text),
  )
  const { shown, more } = useMore(fitting, `${topic} ${text}`)
  const isFull = ticked.length >= TAKEN_AT_ONCE
  return (
    <>
      <div className="flex flex-wrap gap-2">
        <TextField
          className="min-w-40 flex-1"
          label="Find in earlier tests"
          isLabelHidden
          type="search"
          placeholder="Find"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        {topics.length > 0 && (
          <SelectField
            label="Topic"
            isLabelHidden
            options={[['', 'All topics'], ...topics.map((one) => [one, one] as const)]}
            value={topic}
            onChange={setTopic}
          />
        )}
      </div>
      <ul className="border-ink border-t">
        {shown.map(({ questionId, question, name, topic: of, lastTime }) => (
          <li
            key={questionId}
            className="grid min-h-11 grid-cols-[minmax(0,1fr)_auto] items-center gap-x-2 border-line border-b py-1.5"
          >
            <Tick
              checked={ticked.includes(questionId)}
              disabled={isFull && !ticked.includes(questionId)}
              onChange={(isOn) =>
                onTick(isOn ? [...ticked, questionId] : ticked.filter((id) => id !== questionId))
              }
              label={<span className="line-clamp-2">{question}</span>}
              hint={[name, of].filter(Boolean).join(' · ')}
            />
            <span className="figures whitespace-nowrap text-[12.5px] text-ink-2">
              {lastTime ? `${shareOf(lastTime)} right, n = ${lastTime.of}` : 'not sat yet'}
            </span>
          </li>
        ))}
      </ul>
      {more}
      {shown.length === 0 && <p>No questions match.</p>}
    </>
  )
}
