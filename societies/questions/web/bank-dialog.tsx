import { useMemo, useState } from 'react'
import type { ResponseOf } from '../../../platform/endpoint.ts'
import { call } from '../../../platform/web/api.ts'
import { useEndpoint } from '../../../platform/web/use-endpoint.ts'
import { countOf } from '../../../platform/words.ts'
import { type Column, DataTable, type NameColumn } from '../../kit/web/data-table.tsx'
import { DialogFrame } from '../../kit/web/dialog-frame.tsx'
import { useListBar } from '../../kit/web/list-bar.tsx'
import { Loaded } from '../../kit/web/loaded.tsx'
import { useAct, usePlace } from '../../kit/web/use-act.tsx'
import { listBank, TAKEN_AT_ONCE, takeFromBank } from '../contract.ts'
import { shareOf } from './mark-words.ts'

type BankQuestion = ResponseOf<typeof listBank>[number] & { id: string }

/** The society's questions of its other tests, to add copies of them (product 7.9.14). */
export function BankDialog({ onClose }: { onClose: () => void }) {
  const place = usePlace()
  const found = useEndpoint(listBank, { params: place }, { staleTime: 0 })
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set())
  const isReady = ticked.size > 0 && ticked.size <= TAKEN_AT_ONCE
  const take = useAct(
    () => call(takeFromBank, { params: place, body: { questions: [...ticked] } }),
    onClose,
  )
  return (
    <DialogFrame
      title="Take from earlier tests"
      text="A copy stays the same question, so its results count for both tests."
      wide
      button={found.data?.length ? [`Add ${countOf(ticked.size, 'question')}`, 'Adding…'] : null}
      problem={ticked.size > TAKEN_AT_ONCE ? `Add at most ${TAKEN_AT_ONCE} at once.` : take.problem}
      isReady={isReady}
      isBusy={take.isBusy}
      onAct={() => isReady && take.run()}
      onClose={onClose}
    >
      <Loaded of={found} name="questions" isPart>
        {(bank) =>
          bank.length === 0 ? (
            <p>This test already has every question of the society’s other tests.</p>
          ) : (
            <Bank bank={bank} ticked={ticked} onTick={setTicked} />
          )
        }
      </Loaded>
    </DialogFrame>
  )
}

const NAME: NameColumn<BankQuestion> = {
  id: 'question',
  head: 'Question',
  className: 'w-full py-1.5!',
  text: ({ question }) => question,
  cell: ({ name, topic }) => (
    <small className="hint block text-ink-2">{[name, topic].filter(Boolean).join(' · ')}</small>
  ),
}
const COLUMNS: readonly Column<BankQuestion>[] = [
  {
    id: 'last',
    head: 'Last time',
    className: 'whitespace-nowrap text-end text-ink-2',
    cell: ({ lastTime }) =>
      lastTime ? `${shareOf(lastTime)} right, n = ${lastTime.of}` : 'not used yet',
  },
]
const textOf = ({ question, name, topic }: BankQuestion) => `${question} ${name} ${topic ?? ''}`

function Bank(props: {
  bank: readonly Omit<BankQuestion, 'id'>[]
  ticked: ReadonlySet<string>
  onTick: (ticked: ReadonlySet<string>) => void
}) {
  const { bank } = props
  const rows = useMemo(() => bank.map((one) => ({ ...one, id: one.questionId })), [bank])
  const filters = useMemo(() => {
    const topics = [...new Set(bank.flatMap(({ topic }) => topic ?? []))].sort()
    const fits = (topic: string) => (one: BankQuestion) => one.topic === topic
    return [
      { id: '', label: 'All topics', fits: () => true },
      ...topics.map((topic) => ({ id: topic, label: topic, fits: fits(topic) })),
    ]
  }, [bank])
  const list = useListBar(rows, { by: 'Question, test or topic', textOf, filters })
  return (
    <div>
      {list.bar}
      <DataTable
        label="Questions of earlier tests"
        rows={list.shown}
        view={list.view}
        name={NAME}
        columns={COLUMNS}
        empty="No questions match."
        ticked={props.ticked}
        onTick={props.onTick}
      />
    </div>
  )
}
