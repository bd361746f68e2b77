import { OPTION_LETTERS, type OptionLetter } from '../../options.ts'

/** Figures use tabular digits. A hyphenated word means running text. */
function textClass(text: string): string {
  return `whitespace-pre-line ${/[a-z]-[a-z]/i.test(text) ? 'running' : ''}`
}

/** An answer option: a native radio button that fills its row. */
function RadioOption(props: {
  name: string
  letter: OptionLetter
  text: string
  isChosen: boolean
  onChoose: (letter: OptionLetter) => void
}) {
  return (
    <label className={`opt opt-radio ${props.isChosen ? 'opt-chosen' : ''}`}>
      <input
        type="radio"
        // Keeps a focused option above the bottom bar when it scrolls into view (WCAG 2.4.11).
        className="sr-only scroll-mt-36 scroll-mb-40"
        name={props.name}
        value={props.letter}
        checked={props.isChosen}
        onChange={() => props.onChoose(props.letter)}
      />
      <span className="opt-letter">{props.letter}</span>
      <span className={textClass(props.text)}>{props.text}</span>
    </label>
  )
}

export function RadioOptions(props: {
  /** the heading's id; it also names the radio group */
  labelledBy: string
  options: Record<OptionLetter, string>
  chosen: OptionLetter | undefined
  onChoose: (letter: OptionLetter) => void
  className: string
}) {
  return (
    <div role="radiogroup" aria-labelledby={props.labelledBy} className={`grid ${props.className}`}>
      {OPTION_LETTERS.map((letter) => (
        <RadioOption
          key={letter}
          name={props.labelledBy}
          letter={letter}
          text={props.options[letter]}
          isChosen={props.chosen === letter}
          onChoose={props.onChoose}
        />
      ))}
    </div>
  )
}
