import { OPTION_LETTERS, type OptionLetter } from '../../../platform/options.ts'

/**
 * The options once they are judged (product 3.10.6): ruled lines, of which only the two that matter are
 * tinted and say what they are.
 */
export function JudgedOptions(props: {
  options: Record<OptionLetter, string>
  correctOption: OptionLetter
  /** undefined where it is not known */
  chosen: OptionLetter | undefined
}) {
  return (
    <ul className="judged">
      {OPTION_LETTERS.map((letter) => {
        const isRight = letter === props.correctOption
        const isChosen = letter === props.chosen
        const mark = isRight ? 'CORRECT' : isChosen ? 'YOUR ANSWER' : null
        return (
          <li
            key={letter}
            className={isRight ? 'judged-right' : isChosen ? 'judged-wrong' : undefined}
          >
            <span className="judged-letter">{letter}</span>
            <span className="whitespace-pre-line">{props.options[letter]}</span>
            {mark && <span className="judged-mark">{mark}</span>}
          </li>
        )
      })}
    </ul>
  )
}
