import { Laptop, Smartphone } from 'lucide-react'
import { useState } from 'react'
import type { OptionLetter } from '../../../platform/options.ts'
import { AskedQuestion } from '../../../platform/web/ui/asked-question.tsx'
import { useAssessment } from '../../kit/web/console/console.tsx'
import { Segments } from '../../kit/web/fields.tsx'
import type { Draft } from '../question-content.ts'
import { countForms, FORMS, type Form, numbersOn, type Placed } from '../two-forms.ts'
import { usePicture } from './hooks.ts'

/** Shows the draft as candidates will see it, on a phone or laptop (product 7.9.6). */
export function CandidateView(props: {
  /** without the key, like for candidates */
  shown: Pick<Draft, 'question' | 'options' | 'exhibit'>
  /** its position, from 0 */
  at: number
  questions: readonly Placed[]
}) {
  const { shown, at, questions } = props
  const hasForms = countForms(questions) !== null
  const [form, setForm] = useState<Form>('A')
  const numbers = numbersOn(hasForms ? form : null, questions)
  const number = numbers[at] ?? null
  const { society, session, durationSeconds } = useAssessment()
  const [device, setDevice] = useState<'phone' | 'laptop'>('phone')
  const isLaptop = device === 'laptop'
  const [answer, setAnswer] = useState<{ at: number; letter: OptionLetter }>()
  const chosen = answer?.at === at ? answer.letter : undefined
  const picture = usePicture(shown)
  return (
    <aside aria-labelledby="candidate-view">
      <div className="mb-3.5 flex min-h-8.5 items-center justify-between gap-3">
        <h2 id="candidate-view" className="font-[550] font-sans text-[14px]! tracking-normal">
          Candidate view
        </h2>
        <Segments
          legend="Device"
          options={[
            ['laptop', <Laptop key="laptop" size={15} aria-label="Laptop" />],
            ['phone', <Smartphone key="phone" size={15} aria-label="Phone" />],
          ]}
          value={device}
          onChange={setDevice}
        />
      </div>
      {hasForms && (
        <Segments
          legend="Form"
          className="mb-3"
          options={FORMS.map((one) => [one, `Form ${one}`] as const)}
          value={form}
          onChange={setForm}
        />
      )}
      {number === null && <p className="mb-3">Form {form} doesn’t have this question.</p>}
      <div
        hidden={number === null}
        className="overflow-hidden rounded-[10px] border border-line-strong bg-paper"
      >
        <div style={isLaptop ? { zoom: 0.46 } : undefined}>
          <div className="flex items-center justify-between gap-4 border-line border-b-2 bg-surface px-4 py-3">
            <p>
              <span className="eyebrow block">{session ?? society}</span>
              <span className="font-[550] text-[13px]">Online assessment</span>
            </p>
            <span className="figures font-medium font-serif text-[24px]">
              {Math.floor(durationSeconds / 60)}:{String(durationSeconds % 60).padStart(2, '0')}
            </span>
          </div>
          <div className={isLaptop ? 'px-10 pt-9 pb-12' : 'px-4 pt-4.5 pb-5 [&_.mt-8]:mt-4.5'}>
            <AskedQuestion
              key={at}
              as={device}
              headingId="asked-question"
              question={shown.question || 'The question'}
              options={shown.options}
              exhibit={shown.exhibit ?? undefined}
              picture={picture}
              number={number ?? 1}
              total={numbers.filter((one) => one !== null).length}
              answeredCount={chosen ? 1 : 0}
              chosen={chosen}
              isLocked={false}
              onChoose={(letter) => setAnswer({ at, letter })}
            />
          </div>
        </div>
      </div>
      <p className="hint mt-3">
        This is the real test screen on a {device}. It updates as you type and never receives the
        key.
      </p>
    </aside>
  )
}
