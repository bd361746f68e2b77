import type { ShownConsequences } from '../../../contract/analysis.ts'
import { coefficient, decimal } from '../../../statistics/figures.ts'
import { inOut, moveWords, type RulingPreview, rulingWords, upDown } from './ruling-words.ts'

const COLUMNS =
  'md:grid-cols-[minmax(0,2.5fr)_70px_minmax(0,1fr)_minmax(0,1fr)_minmax(0,1fr)_minmax(0,1fr)]'

/** The rulings that can be made, each with what it would do; one of them is chosen. */
export function RulingChoice(props: {
  preview: RulingPreview
  rulings: readonly ShownConsequences[]
  chosen: ShownConsequences
  /** the line that stands afterwards, among those of a ruling */
  lineIndex: (ruling: ShownConsequences) => number
  onChoose: (ruling: ShownConsequences) => void
}) {
  const { preview, rulings } = props
  const line = preview.line === null ? '' : ` at ${preview.line}`
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
        <span>Cross the line{line}</span>
        <span>Largest move</span>
      </div>
      {rulings.map((ruling) => (
        <Row
          key={`${ruling.kind} ${ruling.option}`}
          ruling={ruling}
          preview={preview}
          isChosen={ruling === props.chosen}
          across={ruling.lines[props.lineIndex(ruling)]}
          onChoose={() => props.onChoose(ruling)}
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
  const { name, meaning } = rulingWords(ruling, props.preview)
  const [most, other] = moveWords(ruling)
  const isLeave = ruling.kind === null
  const { reliability, error, up, down } = ruling
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
      <Figure label="Results that change" value={String(up + down)} small={upDown(up, down)} />
      <Figure
        label="Cross the line"
        value={across ? String(across.in + across.out) : '–'}
        small={across ? inOut(across.in, across.out) : ''}
      />
      <Figure label="Largest move" value={most} small={other} />
    </label>
  )
}

function Figure({ label, value, small }: { label: string; value: string; small?: string }) {
  return (
    <span className="md:text-end">
      <span className="block text-[12.5px] text-ink-2 md:sr-only">{label}</span>
      {value}
      {small && <small className="text-[12.5px] text-ink-2 max-md:ml-2 md:block">{small}</small>}
    </span>
  )
}
