import { formatMinutes, lengthText } from '../../platform/durations.ts'
import type { Mark, Return } from './marks.ts'

const BACK: Record<Return, string> = {
  reload: 'back by a reload',
  back_forward: 'back by the Back or Forward button',
  navigate: 'back with a new page',
  other_browser: 'back in another browser',
  unknown: 'back with a page that does not say how',
}

/** What to look at, in words: status and report say it alike (product 6.8.19). */
export function describeMark(mark: Mark): string {
  switch (mark.mark) {
    case 'pace':
      return `answered ${mark.questions} questions in ${lengthText(mark.ms)}, until ${formatMinutes(mark.atMs)}`
    case 'unheard':
      return `saved ${times(mark.saves)} while its page said nothing for over 90 s`
    case 'hidden_saves':
      return `answered ${mark.choices === 1 ? 'one question' : `${mark.choices} questions`} while the page said it was hidden`
    case 'hidden_beats':
      return `the page said ${times(mark.beats)} that it was hidden, and told of no absence`
    case 'unfocused_beats':
      return `the page said ${times(mark.beats)} in a row that it had no focus, and told of no absence`
    case 'take_overs':
      return [
        `${mark.takeOvers} take-overs`,
        ...(mark.accounts > 1 ? [`${mark.accounts} accounts`] : []),
        `${mark.addresses === 1 ? '1 address' : `${mark.addresses} addresses`}`,
      ].join(', ')
    case 'between_windows':
      return `${mark.hasSaidSo ? 'away' : 'not heard of for'} ${lengthText(mark.ms)} between two windows, from ${formatMinutes(mark.atMs)}, ${BACK[mark.back]}`
    case 'leave_prompt':
      return `the leave prompt stood for ${lengthText(mark.ms)}, from ${formatMinutes(mark.atMs)}`
    case 'focus_lost':
      return `lost the focus ${times(mark.times)} for ${lengthText(mark.longestMs)} at most, which fullscreen, the leave prompt or a blocked key excused`
    case 'drag':
      return `dragged text ${times(mark.times)}`
  }
}

const times = (count: number) => (count === 1 ? 'once' : `${count} times`)
