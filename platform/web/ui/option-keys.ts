import type { KeyboardEvent } from 'react'
import { OPTION_LETTERS, type OptionLetter } from '../../option-letters.ts'
import { useKeysEnabled } from '../preferences.ts'

/** A new question takes the focus with its heading, so that a screen reader reads it. */
export function focusWhenShown(heading: HTMLElement | null): void {
  heading?.focus({ preventScroll: true })
}

function letterOfKey(key: string): OptionLetter | undefined {
  return OPTION_LETTERS.find(
    (letter, index) => key.toUpperCase() === letter || key === `${index + 1}`,
  )
}

/** What a key chose may lie below the fold: then it comes into view. */
function showOption(question: Element, letter: OptionLetter): void {
  question
    .querySelector(`input[value="${letter}"]`)
    ?.closest('label')
    ?.scrollIntoView({ block: 'nearest' })
}

/** The keys that work while the focus is in a question: its letters, Enter and the arrows. */
export function useQuestionKeys(props: {
  onChoose: (letter: OptionLetter) => void
  onGoOn?: () => void
  /** where Enter does something else than going on */
  onEnter?: () => void
  onGoBack?: () => void
  /** G: 'I guessed' */
  onGuess?: () => void
}): (event: KeyboardEvent) => void {
  const [areKeysEnabled] = useKeysEnabled()
  const onEnter = props.onEnter ?? props.onGoOn
  return (event) => {
    // A held Enter must not run through the test; Ctrl+C and its like are the browser's.
    if (!areKeysEnabled || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return
    const letter = letterOfKey(event.key)
    // In the group the arrows move the choice, as native radio buttons do.
    const isInGroup = event.target instanceof HTMLInputElement
    if (letter) {
      props.onChoose(letter)
      showOption(event.currentTarget, letter)
    } else if (event.key === 'Enter' && onEnter) onEnter()
    else if (event.key.toUpperCase() === 'G' && props.onGuess) props.onGuess()
    else if (event.key === 'ArrowRight' && props.onGoOn && !isInGroup) props.onGoOn()
    else if (event.key === 'ArrowLeft' && props.onGoBack && !isInGroup) props.onGoBack()
    else return
    event.preventDefault()
  }
}
