import { Laptop, Smartphone } from 'lucide-react'
import { useState } from 'react'
import type { OptionLetter } from '../../../platform/options.ts'
import { AskedQuestion } from '../../../platform/web/ui/asked-question.tsx'
import type { Draft } from '../../questions/question-content.ts'
import { countForms, FORMS, type Form, numbersOn, type Placed } from '../../questions/two-forms.ts'
import { useAssessment } from '../console/console.tsx'
import { Segments } from '../kit/fields.tsx'
import { usePicture } from './use-picture.ts'

/** What of a question candidates get: the key is not among it. */
type Shown = Pick<Draft, 'question' | 'options' | 'exhibit'>

/** The test's own question with this text, as wide as a phone or a laptop (product 7.9.6). */
export function CandidateView(props: {
  shown: Shown
  /** its place among them, from 0 */
  at: number
  questions: readonly Placed[]
  /** of a test in two forms, whose paper is shown */
  form: Form
  onForm: (form: Form) => void
}) {
  const { shown, questions } = props
  const hasForms = countForms(questions) !== null
  const numbers = numbersOn(hasForms ? props.form : null, questions)
  const number = numbers[props.at] ?? null
  const { society, session, durationSeconds } = useAssessment()
  const [device, setDevice] = useState<'phone' | 'laptop'>('phone')
  const [chosen, setChosen] = useState<OptionLetter>()
  const picture = usePicture(shown)
  return (
    <aside aria-labelledby="candidate-view">
      <div className="mb-3.5 flex min-h-8.5 items-center justify-between gap-3">
        <h2 id="candidate-view" className="font-[550] font-sans text-[14px]! tracking-normal">
          As the candidate sees it
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
          options={FORMS.map((form) => [form, `Form ${form}`] as const)}
          value={props.form}
          onChange={props.onForm}
        />
      )}
      {number === null && <p className="mb-3">Form {props.form} does not ask this question.</p>}
      <div
        hidden={number === null}
        className="overflow-hidden rounded-[10px] border border-line-strong bg-paper"
      >
        <div style={device === 'laptop' ? { zoom: 0.46 } : undefined}>
          <div className="flex items-center justify-between gap-4 border-line border-b-2 bg-surface px-4 py-3">
            <p>
              <span className="eyebrow block">{session ?? society}</span>
              <span className="font-[550] text-[13px]">Online assessment</span>
            </p>
            <span className="figures font-medium font-serif text-[24px]">
              {Math.floor(durationSeconds / 60)}:{String(durationSeconds % 60).padStart(2, '0')}
            </span>
          </div>
          <div
            className={
              device === 'laptop' ? 'px-10 pt-9 pb-12' : 'px-4 pt-4.5 pb-5 [&_.mt-8]:mt-4.5'
            }
          >
            <AskedQuestion
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
              onChoose={setChosen}
            />
          </div>
        </div>
      </div>
      <p className="hint mt-3">
        The real test with this text, on a {device}. It follows each letter that you type. Keys are
        never sent to it.
      </p>
    </aside>
  )
}
