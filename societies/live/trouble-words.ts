import { isAbsence, nameOfAct } from '../../assessments/violations.ts'
import { wholeLength } from '../../platform/durations.ts'
import { inWords } from '../../platform/words.ts'
import { nameRoom } from '../kit/role-words.ts'
import type { LiveTrouble, Trouble } from './contract.ts'

export const TROUBLE_WORDS: Readonly<Record<Trouble, string>> = {
  help: 'needs help',
  unmonitored: 'unmonitored',
  no_save: 'no save',
  overdue: 'clock ended',
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
      return { what: 'Asks for help.', why: `${line.text ? `“${line.text}” ` : ''}${far}.` }
    case 'unmonitored':
      return {
        what: 'Unmonitored now.',
        why: `Answers are saved, but the page ${heardMs === null ? 'reports nothing it sees' : `has reported nothing since ${timeOf(heardMs)}`}. Often a browser extension.`,
      }
    case 'no_save':
      return {
        what: `No save for ${wholeLength(nowMs - line.sinceMs)},`,
        why: `inside, ${far}. ${heardMs === null ? 'Nothing was heard of the page.' : `The page was last heard of at ${timeOf(heardMs)}.`}`,
      }
    case 'overdue':
      return {
        what: 'The clock has ended,',
        why: `and the test is still open, ${far}. The server closes it by itself. If this line stays for a minute, tell the server operator.`,
      }
    case 'third_strike': {
      const last = act === null ? othersWords(line) : `The last one: ${act}.`
      return { what: 'The third strike ended the test,', why: `${far}. ${last}` }
    }
    case 'second_strike': {
      const away =
        line.awayMs === null
          ? 'left the page and not seen since'
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
  if (others === 0) return `Nobody else${where} was away in that minute.`
  return `In the same minute ${others === 1 ? 'one other' : `${others} others`}${where} ${others === 1 ? 'was' : 'were'} away.`
}

function accountWords({ accounts, addresses, linked }: Told): { what: string; why: string } {
  const more = linked.length > 3 ? ` and ${linked.length - 3} others` : ''
  const beside =
    linked.length === 0
      ? 'Often a phone beside a laptop.'
      : `${linked.slice(0, 3).join(', ')}${more} came in by the same account or address.`
  if (accounts < 2) return { what: 'An account that others use too.', why: beside }
  return {
    what: `Signed in from ${inWords(accounts)} accounts`,
    why: `and ${inWords(addresses)} ${addresses === 1 ? 'address' : 'addresses'}. ${beside}`,
  }
}

const lower = (text: string) => text.charAt(0).toLowerCase() + text.slice(1)
