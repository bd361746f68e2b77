import { isAbsence, nameOfAct } from '../../assessments/violations.ts'
import { wholeLength } from '../../platform/durations.ts'
import { numberWord } from '../../platform/words.ts'
import { nameRoom } from '../kit/role-words.ts'
import type { LiveTrouble, Trouble } from './contract.ts'

/** What a trouble is called in a row of the list. */
export const TROUBLE_WORDS: Readonly<Record<Trouble, string>> = {
  unmonitored: 'unmonitored',
  no_save: 'no save',
  overdue: 'clock ended',
  third_strike: 'ended by the third strike',
  second_strike: 'second strike',
  accounts: 'accounts',
}

type Told = Omit<LiveTrouble, 'candidate' | 'name' | 'username'>

/**
 * A line of 'To look at' in a sentence: what it is, and why somebody should look (product 7.14.4).
 * @param line.linked how the other candidates are called
 * @param timeOf a time of the day with its seconds, on the clocks of the assessment's zone
 */
export function troubleSentence(
  line: Told,
  nowMs: number,
  timeOf: (ms: number) => string,
): { what: string; why: string } {
  const far = `${line.answered} of ${line.total} answered`
  switch (line.trouble) {
    case 'unmonitored':
      return {
        what: 'Unmonitored now.',
        why: `Answers are saved, but the page ${line.heardMs === null ? 'reports nothing it sees' : `has reported nothing since ${timeOf(line.heardMs)}`}. Often a browser extension.`,
      }
    case 'no_save':
      return {
        what: `No save for ${wholeLength(nowMs - line.sinceMs)},`,
        why: `inside, ${far}. ${line.heardMs === null ? 'Nothing was heard of the page.' : `The page was last heard of at ${timeOf(line.heardMs)}.`}`,
      }
    case 'overdue':
      return {
        what: 'The clock has ended,',
        why: `and the test is still open, ${far}. The server closes it by itself; if this line stays for a minute, tell whoever runs the server.`,
      }
    case 'third_strike':
      return { what: 'The third strike ended the test,', why: `${far}. ${strikeWords(line)}` }
    case 'second_strike':
      return { what: 'Second strike:', why: `${leftWords(line)} ${othersWords(line)}`.trim() }
    case 'accounts':
      return accountWords(line)
  }
}

function strikeWords(line: Told): string {
  return line.others === null ? leftWords(line, true) : othersWords(line)
}

/** 'away for 41 s, 11 of 24 answered.' */
function leftWords({ kind, awayMs, answered, total }: Told, isLast = false): string {
  if (kind === null) return ''
  if (!isAbsence(kind)) {
    // The key itself stands in the candidate's file.
    const act = kind === 'shortcut' ? 'a blocked shortcut' : nameOfAct(kind)
    return isLast
      ? `The last one: ${lower(act)}.`
      : `${lower(act)}, ${answered} of ${total} answered.`
  }
  const away =
    awayMs === null ? 'left the page and not seen since' : `away for ${wholeLength(awayMs)}`
  return `${away}, ${answered} of ${total} answered.`
}

/** What others did in that minute: the fairest thing to know of an absence. */
function othersWords({ others, room }: Told): string {
  if (others === null) return ''
  const where = room === null ? '' : ` in ${nameRoom(room)}`
  if (others === 0) return `Nobody else${where} was away in that minute.`
  return `In the same minute ${others === 1 ? 'one other' : `${others} others`}${where} ${others === 1 ? 'was' : 'were'} away.`
}

function accountWords({ accounts, addresses, linked }: Told): { what: string; why: string } {
  const beside =
    linked.length === 0
      ? 'Often a phone beside a laptop.'
      : `${linked.slice(0, 3).join(', ')}${linked.length > 3 ? ` and ${linked.length - 3} others` : ''} came in by the same account or address.`
  if (accounts < 2) return { what: 'An account that others use too.', why: beside }
  return {
    what: `Signed in from ${lower(numberWord(accounts))} accounts`,
    why: `and ${addresses === 1 ? 'one address' : `${lower(numberWord(addresses))} addresses`}. ${beside}`,
  }
}

const lower = (text: string) => text.charAt(0).toLowerCase() + text.slice(1)
