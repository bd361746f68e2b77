import { countOf, listOf, numberWord } from '../../../platform/words.ts'
import type { Mark, TestMark } from '../../questions/question-marks.ts'
import { isError } from '../../questions/question-marks.ts'

/** What a mark says: a few words for the list, and a sentence that says why and what to do. */
export function wordsOfMark(mark: Mark): { title: string; sentence: string } {
  switch (mark.mark) {
    case 'no_stem':
      return { title: 'No question', sentence: 'Write what is asked.' }
    case 'empty_option':
      return {
        title: `Option ${listOf(mark.letters)} is empty`,
        sentence: 'Each question has four options.',
      }
    case 'equal_options':
      return {
        title: `Options ${listOf(mark.letters)} are the same`,
        sentence: 'One of them would be wrong for no reason.',
      }
    case 'no_key':
      return { title: 'No key', sentence: 'Tick the option that is right.' }
    case 'longest_key':
      return {
        title: 'The key is the longest option',
        sentence: 'Who does not know takes the longest. Shorten it, or lengthen another one.',
      }
    case 'numbers_out_of_order':
      return {
        title: 'Numbers are out of order',
        sentence: 'Elsewhere they rise; a key that breaks the order stands out.',
      }
    case 'refers_to_options':
      return {
        title: `Option ${listOf(mark.letters)} is about the others`,
        sentence:
          'Who knows two of them has it without knowing the third. Write an option of its own.',
      }
    case 'quiet_negative':
      return {
        title: `‘${mark.word}’ is easily read over`,
        sentence: 'Ask for what is true, or write the word in capitals.',
      }
    case 'absolute_words':
      return {
        title: `‘${mark.word}’ gives option ${listOf(mark.letters)} away`,
        sentence: 'Words like this are mostly wrong, and candidates know it.',
      }
    case 'long_stem':
      return {
        title: 'The question is twice as long as the others',
        sentence: 'Reading it costs time that the others do not. Leave out what is not needed.',
      }
    case 'nearly_the_same':
      return {
        title: `Nearly the same as ${listOf(mark.numbers.map(String))}`,
        sentence: 'One may answer the other, or count twice.',
      }
    case 'unreadable_term':
      return {
        title: 'The computed answer cannot be read',
        sentence: 'Write a term such as 1.25 / 1.10, thousands without commas.',
      }
    case 'disagrees':
      return {
        title: 'The key is not what is computed',
        sentence: mark.agreeing
          ? `The term comes to ${shownValue(mark.value)}, which is option ${mark.agreeing}.`
          : `The term comes to ${shownValue(mark.value)}, which is none of the options.`,
      }
  }
}

/** What the whole test gives away, in a sentence. */
export function wordsOfTestMark(mark: TestMark): string {
  switch (mark.mark) {
    case 'keys_uneven':
      return mark.count === 0
        ? `${mark.letter} is never the key: who guesses leaves it out.`
        : `${mark.letter} is the key of ${mark.count} of ${mark.of}: who guesses can make use of it.`
    case 'keys_in_a_row':
      return `${mark.letter} is the key from ${mark.first} to ${mark.last}: people begin to doubt what they know.`
    case 'keys_longest':
      return `The key is the longest option in ${mark.count} of ${mark.of}: who guesses takes the longest.`
  }
}

/** '1.1364', '12,500' */
export function shownValue(value: number): string {
  return value.toLocaleString('en-US', { maximumSignificantDigits: 6 })
}

/** '24 questions, no errors, four hints' */
export function headlineOf(marks: readonly (readonly Mark[])[]): string {
  const count = (of: (mark: Mark) => boolean) => marks.flat().filter(of).length
  const words = (count: number, one: string) =>
    `${numberWord(count).toLowerCase()} ${count === 1 ? one : `${one}s`}`
  const errors = count(isError)
  const hints = count((mark) => !isError(mark))
  return `${countOf(marks.length, 'question')}, ${words(errors, 'error')}, ${words(hints, 'hint')}`
}

/** '61%', or '9 of 12' where so few say nothing exact (fewer than 15). */
export function shareOf({ right, of }: { right: number; of: number }): string {
  return of < 15 ? `${right} of ${of}` : `${Math.round((100 * right) / of)}%`
}
