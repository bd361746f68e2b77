import type { ResponseOf } from '../../../../platform/endpoint.ts'
import { countOf } from '../../../../platform/words.ts'
import { coefficient, decimal } from '../../../kit/statistics/figures.ts'
import type { getRulingPreview, ShownConsequences } from '../../contract-analysis.ts'

export type RulingPreview = ResponseOf<typeof getRulingPreview>

const COLUMNS =
  'md:grid-cols-[minmax(0,2.5fr)_70px_minmax(0,1fr)_minmax(0,1fr)_minmax(0,1fr)_minmax(0,1fr)]'

/** The possible rulings, each with what it would do. One is chosen. */
export function RulingChoice(props: {
  preview: RulingPreview
  rulings: readonly ShownConsequences[]
  chosen: ShownConsequences
  /** the cut score after a ruling, with who crosses it */
  acrossOf: (ruling: ShownConsequences) => ShownConsequences['lines'][number] | undefined
  onChoose: (ruling: ShownConsequences) => void
}) {
  const { preview, rulings, chosen, acrossOf, onChoose } = props
  return (
    <fieldset className="figures min-w-0 border-ink border-t">
      <legend className="sr-only">Ruling</legend>
      <div
        aria-hidden
        className={`hidden gap-x-5 border-line border-b px-4 pt-2.5 pb-2 text-end text-[12.5px] text-ink-2 md:grid ${COLUMNS}`}
      >
        <span className="text-start">Ruling</span>
        <span>KR-20</span>
        <span>A score is good to</span>
        <span>Results that change</span>
        <span>Cross the cut score{preview.line !== null && ` at ${preview.line}`}</span>
        <span>Largest move</span>
      </div>
      {rulings.map((ruling) => (
        <Row
          key={`${ruling.kind} ${ruling.option}`}
          ruling={ruling}
          preview={preview}
          isChosen={ruling === chosen}
          across={acrossOf(ruling)}
          onChoose={() => onChoose(ruling)}
        />
      ))}
    </fieldset>
  )
}

function Row(props: {
  ruling: ShownConsequences
  preview: RulingPreview
  isChosen: boolean
  across: ShownConsequences['lines'][number] | undefined
  onChoose: () => void
}) {
  const { ruling, isChosen, across } = props
  const { kind, reliability, error, up, down, largestRise, largestFall } = ruling
  const [name, meaning] = rulingWords(ruling, props.preview)
  const isLeave = kind === null
  const most = Math.max(largestRise, largestFall)
  const least = Math.min(largestRise, largestFall)
  const [way, back] = largestFall >= largestRise ? ['down', 'up'] : ['up', 'down']
  return (
    <label
      className={`grid cursor-pointer grid-cols-2 gap-x-5 gap-y-2 border-line border-b px-4 py-2 md:min-h-12.5 md:items-center ${COLUMNS} ${isChosen ? 'bg-accent-soft shadow-[inset_3px_0_0_var(--accent)]' : ''} ${isLeave ? 'md:min-h-9.5 text-ink-2' : ''}`}
    >
      <span className="col-span-2 grid grid-cols-[28px_minmax(0,1fr)] items-center max-md:min-h-11 md:col-span-1">
        <input type="radio" name="ruling" checked={isChosen} onChange={props.onChoose} />
        <span>
          <b className={isLeave ? 'font-normal' : 'font-[550]'}>{name}</b>
          {meaning && <small className="block text-[12.5px] text-ink-2">{meaning}</small>}
        </span>
      </span>
      <Figure label="KR-20" value={reliability === null ? '–' : coefficient(reliability)} />
      <Figure label="A score is good to" value={error === null ? '–' : `± ${decimal(error)}`} />
      <Figure
        label="Results that change"
        value={String(up + down)}
        small={partsOf([up, 'up'], [down, 'down'])}
      />
      <Figure
        label="Cross the cut score"
        value={across ? String(across.in + across.out) : '–'}
        small={across && partsOf([across.in, 'in'], [across.out, 'out'])}
      />
      <Figure
        label="Largest move"
        value={most > 0 ? countOf(most, 'place') : '–'}
        small={most > 0 && `${way}${least > 0 ? `, ${least} ${back}` : ''}`}
      />
    </label>
  )
}

/** '63 up, 42 down', without what is zero */
const partsOf = (...parts: [count: number, word: string][]) =>
  parts.flatMap(([count, word]) => (count > 0 ? `${count} ${word}` : [])).join(', ')

function Figure(props: { label: string; value: string; small?: string | false | undefined }) {
  const { label, value, small } = props
  return (
    <span className="md:text-end">
      <span className="block text-[12.5px] text-ink-2 md:sr-only">{label}</span>
      {value}
      {small && <small className="text-[12.5px] text-ink-2 max-md:ml-2 md:block">{small}</small>}
    </span>
  )
}

/** 'Replace the key: C instead of A', and what that means. */
function rulingWords(
  { kind, option, questions, up }: ShownConsequences,
  { keys, key, isVoid, isFullMarks }: RulingPreview,
): [name: string, meaning: string] {
  const now = keys.join(' or ')
  const count = countOf(questions, 'question counts', 'questions count')
  switch (kind) {
    case null:
      return [
        `Leave it: ${isVoid ? 'the question is left out' : isFullMarks ? 'everybody has the point' : `${now} is the key`}`,
        '',
      ]
    case 'replace':
      return [
        `Replace the key: ${option} instead of ${key}`,
        `candidates who chose ${key} lose the point`,
      ]
    case 'accept':
      return [`Accept ${option} as well as ${now}`, `nobody loses, ${up} gain`]
    case 'void':
      return ['Leave the question out', count]
    case 'full_marks':
      return ['Give everybody the point', `${count}, this one for all`]
  }
}
