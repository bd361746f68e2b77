import { listOf } from '../../../platform/words.ts'
import type { Mark } from '../question-marks.ts'

/** A mark in words: a title for the list, and why it matters or what to do. */
export function wordsOfMark(mark: Mark): { title: string; sentence: string } {
  switch (mark.mark) {
    case 'no_stem':
      return { title: 'No question', sentence: 'Write the question.' }
    case 'empty_option':
      return {
        title: `Option ${listOf(mark.letters)} is empty`,
        sentence: 'Each question has four options.',
      }
    case 'equal_options':
      return {
        title: `Options ${listOf(mark.letters)} are the same`,
        sentence: 'Change one of them.',
      }
    case 'no_key':
      return { title: 'No key', sentence: 'Tick the right option.' }
    case 'longest_key':
      return {
        title: 'The key is the longest option',
        sentence: 'Candidates who guess pick the longest. Shorten it, or lengthen another one.',
      }
    case 'numbers_out_of_order':
      return {
        title: 'Numbers are out of order',
        sentence: 'Other questions list them from low to high, so this one stands out.',
      }
    case 'refers_to_options':
      return {
        title: `Option ${listOf(mark.letters)} refers to the others`,
        sentence: 'Candidates can solve it without knowing every option. Write a separate option.',
      }
    case 'quiet_negative':
      return {
        title: `‘${mark.word}’ is easily overlooked`,
        sentence: 'Ask what is true, or write the word in capitals.',
      }
    case 'absolute_words':
      return {
        title: `‘${mark.word}’ gives option ${listOf(mark.letters)} away`,
        sentence: 'Options with such words are mostly wrong, and candidates know it.',
      }
    case 'long_stem':
      return {
        title: 'The question is twice as long as the others',
        sentence: 'It takes longer to read than the others. Cut what candidates don’t need.',
      }
    case 'nearly_the_same':
      return {
        title: `Nearly the same as ${listOf(mark.numbers.map(String))}`,
        sentence: 'One may give away the other, or test the same thing twice.',
      }
    case 'unreadable_term':
      return {
        title: 'The computed answer can’t be read',
        sentence: 'Write an expression such as 1.25 / 1.10. Don’t use commas in numbers.',
      }
    case 'disagrees':
      return {
        title: 'The key differs from the computed answer',
        sentence: mark.agreeing
          ? `The term comes to ${shownValue(mark.value)}, which is option ${mark.agreeing}.`
          : `The term comes to ${shownValue(mark.value)}, which is not among the options.`,
      }
  }
}

/** '1.1364', '12,500' */
export function shownValue(value: number): string {
  return value.toLocaleString('en-US', { maximumSignificantDigits: 6 })
}

/** '61%', or '9 of 12' of fewer than 15. */
export function shareOf({ right, of }: { right: number; of: number }): string {
  return of < 15 ? `${right} of ${of}` : `${Math.round((100 * right) / of)}%`
}
