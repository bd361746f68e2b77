import { useEffect, useRef } from 'react'
import { OPTION_LETTERS, type OptionLetter } from '../../../platform/options.ts'
import { useKeysEnabled } from '../../../platform/web/preferences.ts'
import { type Sum, withUnit } from '../../drill/sum.ts'

/** Four answers; choosing is answering, by a touch or by the keys 1 to 4 and A to D. */
export function ChosenAnswer(props: {
  sum: Sum
  /** from 0 */
  place: number
  onAnswer: (text: string) => void
}) {
  const { sum, onAnswer } = props
  const [areKeysEnabled] = useKeysEnabled()
  const answer = useRef(onAnswer)
  answer.current = onAnswer
  useEffect(() => {
    if (!areKeysEnabled) return
    const choose = (event: KeyboardEvent) => {
      // A key that is held down must not answer the next sum.
      if (event.repeat || event.ctrlKey || event.metaKey || event.altKey) return
      const letter = OPTION_LETTERS.indexOf(event.key.toUpperCase() as OptionLetter)
      const option = sum.options[letter === -1 ? Number(event.key) - 1 : letter]
      if (option !== undefined) answer.current(option)
    }
    document.addEventListener('keydown', choose)
    return () => document.removeEventListener('keydown', choose)
  }, [sum, areKeysEnabled])
  return (
    <ol aria-label="Answers" className="drill-options">
      {sum.options.map((option, index) => (
        // A button of its own for each sum: a second touch in the same place is meant for the next one.
        <li key={`${props.place} ${option}`}>
          <button type="button" onClick={() => onAnswer(option)}>
            <span aria-hidden className="drill-option-key">
              {index + 1}
            </span>
            {withUnit(sum, option)}
          </button>
        </li>
      ))}
    </ol>
  )
}
