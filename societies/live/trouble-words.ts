import { isAbsence, nameOfAct } from '../../assessments/violations.ts'
import { wholeLength } from '../../platform/durations.ts'
import { inWords } from '../../platform/words.ts'
import { nameRoom } from '../kit/role-words.ts'
import type { LiveTrouble, Trouble } from './contract.ts'

export const TROUBLE_WORDS: Readonly<Record<Trouble, string>> = {
  help: 'needs help',
  unmonitored: 'unmonitored',
  no_save: 'no save',
  overdue: 'time is up',
  third_strike: 'ended by the third strike',
  second_strike: 'second strike',
  accounts: 'accounts',
}

type Told = Omit<LiveTrouble, 'candidate' | 'name' | 'username'>

/**
 * Describes an alert in a sentence: what happened and why it matters (product 7.14.4).
 * @param line.linked display names of the other candidates
 * @param timeOf formats a time with seconds in the assessment's zone
 */
export function troubleSentence(
  line: Told,
  nowMs: number,
  timeOf: (ms: number) => string,
): { what: string; why: string } {
  const { trouble, heardMs, kind } = line
  const far = `${line.answered} of ${line.total} answered`
  // The candidate's report shows which key it was.
  const name = kind === 'shortcut' ? 'a blocked shortcut' : lower(nameOfAct(kind ?? ''))
  const act = kind === null || isAbsence(kind) ? null : name
  switch (trouble) {
    case 'help':
      return { what: 'Asked for help.', why: `${line.text ? `“${line.text}” ` : ''}${far}.` }
    case 'unmonitored':
      return {
        what: 'Unmonitored now.',
        why: `Answers are saved, but the page ${heardMs === null ? 'sends no monitoring reports' : `has sent no monitoring reports since ${timeOf(heardMs)}`}. The cause is often a browser extension.`,
      }
    case 'no_save':
      return {
        what: `No save for ${wholeLength(nowMs - line.sinceMs)},`,
        why: `${far}. ${heardMs === null ? 'The page has sent no requests.' : `The page sent its last request at ${timeOf(heardMs)}.`}`,
      }
    case 'overdue':
      return {
        what: 'Time is up,',
        why: `but the test is still open, ${far}. The server closes it automatically. If this alert stays for a minute, tell the server operator.`,
      }
    case 'third_strike': {
      const last = act === null ? othersWords(line) : `Last strike: ${act}.`
      return { what: 'The third strike ended the test,', why: `${far}. ${last}` }
    }
    case 'second_strike': {
      const away =
        line.awayMs === null
          ? 'left the page and hasn’t returned'
          : `away for ${wholeLength(line.awayMs)}`
      return {
        what: 'Second strike:',
        why: `${act ?? away}, ${far}. ${othersWords(line)}`.trim(),
      }
    }
    case 'accounts':
      return accountWords(line)
  }
}

/** Says what others did in that minute, which is the fairest context for an absence. */
function othersWords({ others, room }: Told): string {
  if (others === null) return ''
  const where = room === null ? '' : ` in ${nameRoom(room)}`
  if (others === 0) return `No one else${where} was away in that minute.`
  return `${others === 1 ? 'One other candidate' : `${others} other candidates`}${where} ${others === 1 ? 'was' : 'were'} away in that minute.`
}

function accountWords({ accounts, addresses, linked }: Told): { what: string; why: string } {
  const more = linked.length > 3 ? ` and ${linked.length - 3} others` : ''
  const beside =
    linked.length === 0
      ? 'This is often a phone next to a laptop.'
      : `${linked.slice(0, 3).join(', ')}${more} signed in from the same account or address.`
  if (accounts < 2) return { what: 'Others use the same account.', why: beside }
  return {
    what: `Signed in from ${inWords(accounts)} accounts`,
    why: `and ${inWords(addresses)} ${addresses === 1 ? 'address' : 'addresses'}. ${beside}`,
  }
}

const lower = (text: string) => text.charAt(0).toLowerCase() + text.slice(1)
