import type { KeyboardEvent } from 'react'
import { OPTION_LETTERS, type OptionLetter } from '../../option-letters.ts'
import { useKeysEnabled } from '../preferences.ts'

/** Focuses a new question's heading, so that screen readers read it. */
export function focusWhenShown(heading: HTMLElement | null): void {
  heading?.focus({ preventScroll: true })
}

function letterOfKey(key: string): OptionLetter | undefined {
  return OPTION_LETTERS.find(
    (letter, index) => key.toUpperCase() === letter || key === `${index + 1}`,
  )
}

/** Scrolls to an option that was chosen by key, because it may be out of view. */
function showOption(question: Element, letter: OptionLetter): void {
  question
    .querySelector(`input[value="${letter}"]`)
    ?.closest('label')
    ?.scrollIntoView({ block: 'nearest' })
}

/** Keys that work while the focus is in a question: letters, Enter and arrows. */
export function useQuestionKeys(props: {
  onChoose: (letter: OptionLetter) => void
  onGoOn?: () => void
  /** replaces Enter's default, which is to continue */
  onEnter?: () => void
  onGoBack?: () => void
  /** G: 'I guessed' */
  onGuess?: () => void
}): (event: KeyboardEvent) => void {
  const [areKeysEnabled] = useKeysEnabled()
  const onEnter = props.onEnter ?? props.onGoOn
  return (event) => {
    // A held Enter must not run through the test. Ctrl+C and similar keys belong to the browser.
    if (!areKeysEnabled || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return
    const letter = letterOfKey(event.key)
    // Inside the group, arrows move the choice, as with native radio buttons.
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
