import { lengthText } from '../../platform/durations.ts'
import { nameOfAct } from '../violations.ts'

const SUBMITTED = {
  candidate: 'You submitted the test',
  violations: 'The third violation ended the test, and it was submitted',
  // Who ended it before its time stands in the entry above.
  deadline: 'The test was submitted',
}

/** One thing that was recorded, as its candidate reads it (product 6.10.7). */
export function recordedWords(entry: {
  kind: string
  key: string | null
  awayMs: number | null
  endedBy: 'candidate' | 'violations' | 'deadline' | null
}): string {
  const length = entry.awayMs === null ? '' : ` for ${lengthText(entry.awayMs)}`
  switch (entry.kind) {
    case 'started':
      return 'You started the test'
    case 'taken_over':
      return 'The test was opened in a new page'
    case 'ready':
      return 'The page began to record'
    case 'page_hidden':
    case 'window_blur':
      return 'You left the test page'
    case 'page_visible':
      return entry.awayMs === null
        ? 'You were back'
        : `You were back, after ${lengthText(entry.awayMs)}`
    case 'reload':
      return 'The page was reloaded'
    case 'page_left':
      return 'The page was closed, reloaded or left for another one'
    case 'leave_prompt':
      return `The browser's question whether to leave stood${length}`
    case 'focus_lost':
      return `The page lost the focus${length}`
    case 'fullscreen_enter':
      return 'Fullscreen began'
    case 'fullscreen_exit':
      return 'Fullscreen ended'
    case 'drag':
      return 'Dragging text was stopped'
    case 'offline':
      return 'The connection was lost'
    case 'online':
      return 'The connection was back'
    case 'late_answer':
      return 'An answer came in after the end'
    case 'submitted':
      return SUBMITTED[entry.endedBy ?? 'deadline']
    case 'extra_time':
      return 'The society changed your extra time'
    case 'extended':
      return 'The society gave more time'
    case 'ended':
      return 'The society ended the test'
    case 'reopened':
      return 'The society opened the test again'
    case 'late_accepted':
      return 'The society counted answers that came late'
    case 'print_screen':
      return 'The print-screen key was pressed'
    default:
      return `${nameOfAct(entry.kind, entry.key ?? undefined)} was stopped`
  }
}
