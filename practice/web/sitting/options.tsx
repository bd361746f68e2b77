import { OPTION_LETTERS, type OptionLetter } from '../../../platform/options.ts'
import { signs } from './signs.ts'

/**
 * The options once they are judged (product 3.10.6): ruled lines, of which only the two that matter are
 * tinted and say what they are.
 */
export function JudgedOptions(props: {
  options: Record<OptionLetter, string>
  correctOption: OptionLetter
  chosen: OptionLetter | undefined
  /** a right answer is 'CORRECT' alone, as the results say it (product 3.5.5) */
  saysCorrectAlone?: boolean
}) {
  return (
    <ul className="judged">
      {OPTION_LETTERS.map((letter) => {
        const isRight = letter === props.correctOption
        const isChosen = letter === props.chosen
        const mark = isRight
          ? isChosen && !props.saysCorrectAlone
            ? 'YOUR ANSWER · CORRECT'
            : 'CORRECT'
          : isChosen
            ? 'YOUR ANSWER'
            : null
        return (
          <li
            key={letter}
            className={isRight ? 'judged-right' : isChosen ? 'judged-wrong' : undefined}
          >
            <span className="judged-letter">{letter}</span>
            <span className="whitespace-pre-line">{signs(props.options[letter])}</span>
            {mark && <span className="judged-mark">{mark}</span>}
          </li>
        )
      })}
    </ul>
  )
}
