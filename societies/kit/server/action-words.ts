import { countOf } from '../../../platform/words.ts'
import { blindNumber, nameRoom } from '../role-words.ts'

type Detail = Readonly<Record<string, unknown>>

/** SQL for the details of log entry l. Long lists of candidates are replaced by their number. */
export const SHORT_DETAIL = `case when octet_length(l.detail::text) < 5000 then l.detail
  else l.detail - '{usernames,moved,reopened,changes,ids,events}'::text[] || jsonb_build_object('people',
    jsonb_array_length(coalesce(l.detail -> 'usernames', l.detail -> 'moved', '[]'))) end`

/** Descriptions of actions whose names don't say enough. Details are missing after a deletion. */
const SENTENCES: Readonly<
  Record<string, string | ((words: ReturnType<typeof wordsOf>) => string)>
> = {
  'accept-late': 'counted late answers',
  'add-candidates': ({ count }) => `added ${count('added', 'candidate')}`,
  'assign-form': ({ count, text }) =>
    `gave ${count('items', 'question')} to ${text('form', 'form ') || 'both forms'}`,
  'change-candidate': ({ whom }) => `changed the details of ${whom}`,
  'change-letter': 'changed the email to candidates',
  copy: ({ text }) => `made it as a copy${text('from', ' of ')}`,
  create: 'created it',
  'decide-incident': ({ count, whom, text }) =>
    `decided on ${count('incidents', 'incident')} of ${whom}${text('verdict', ': ').replace('needs_talk', 'needs follow-up')}`,
  delete: 'deleted it',
  'delete-demo': 'removed demo candidates',
  'edit-society': 'changed the settings of the society',
  'end-at': ({ whom }) => `set the end of ${whom}`,
  'end-now': ({ whom }) => `ended the test of ${whom}`,
  exclude: ({ whom }) => `excluded ${whom} from the ranking`,
  exempt: ({ whom }) => `changed what counts for ${whom}`,
  export: 'exported the questions',
  'export-live': 'exported the live list',
  'export-log': 'exported the log',
  'export-results-without-names': 'exported the results without names',
  'export-report': ({ whom }) => `exported the report of ${whom}`,
  'extra-time': ({ whom }) => `set the extra time of ${whom}`,
  'fix-line': ({ text }) => `locked the cut score${text('points', ' at ')}`,
  found: 'founded the society',
  'give-time': ({ whom }) => `gave time to ${whom}`,
  import: ({ count }) => `imported ${count('added', 'question')}`,
  include: ({ whom }) => `put ${whom} back into the ranking`,
  invite: ({ text }) => `invited ${text('emails') || text('email') || 'someone'}`,
  'keep-until': 'changed the day on which it is deleted',
  leave: 'left the society',
  load: ({ count }) => `loaded ${count('items', 'question')} from a file`,
  message: ({ whom, text }) => `wrote to ${whom}${text('text', ': “', '”')}`,
  'order-questions': 'changed the order of the questions',
  'plan-time': ({ whom }) => `changed the planned time of ${whom}`,
  publish: 'published it',
  'publish-report': 'published the fairness report',
  purge: 'deleted it for good',
  regrade: ({ text }) => {
    const question = text('item', 'question ') || 'a question'
    if (text('withdraw')) return `took back a ruling on ${question}`
    const replaced =
      text('replace', ': ', ' is the key instead') + text('accept', ': ', ' counts too')
    const left = text('void', ': it is left out') + text('fullMarks', ': everyone gets the point')
    return `ruled on ${question}${replaced}${left}`
  },
  'release-results': 'released the results',
  reopen: ({ whom }) => `opened the test of ${whom} again`,
  restore: 'restored it',
  'restore-strikes': ({ whom }) => `let strikes of ${whom} count again`,
  seen: ({ whom, text }) => `pressed Seen on ${whom}${text('trouble', ': ').replace('_', ' ')}`,
  'set-line': ({ text }) => `changed the cut score${text('after', ' to ')}`,
  settings: 'changed the settings',
  'show-names': 'showed all names',
  'show-name': ({ whom }) => `looked at the name of ${whom}`,
  'show-score': ({ whom }) => `looked at the score of ${whom}`,
  simulate: 'started a simulated crowd',
  slips: 'printed credential sheets',
  'take-back': 'took it back to a draft',
  'take-strikes-back': ({ count, whom }) =>
    `took back ${count('events', 'strike', 'strikes')} of ${whom}`,
  'undo-time': 'took back the time just given',
  unseen: ({ whom, text }) => `took back Seen on ${whom}${text('trouble', ': ').replace('_', ' ')}`,
}

/** Irregular past tenses. */
const PAST: Readonly<Record<string, string>> = {
  keep: 'kept',
  make: 'made',
  read: 'read',
  resend: 'resent',
  reset: 'reset',
  send: 'sent',
  stop: 'stopped',
  take: 'took',
  undo: 'undid',
  withdraw: 'withdrew',
}

/** Turns 'withdraw-message' into 'withdrew a message'. */
function plainWords(action: string): string {
  const [verb = '', ...rest] = action.split('-')
  if (rest.length === 0) return `did “${action}”`
  const past = PAST[verb] ?? `${verb.replace(/e$/, '')}ed`
  const object = rest.join(' ')
  if (/^\w+s\b/.test(object)) return `${past} ${object}`
  return `${past} ${/^[aeiou]/.test(object) ? 'an' : 'a'} ${object}`
}

/** Describes a log entry: 'published it'. @param mayName whether names may be shown (product 7.7.4) */
export function describeAction(action: string, detail: Detail, mayName: boolean): string {
  const sentence = SENTENCES[action] ?? plainWords(action)
  return typeof sentence === 'string' ? sentence : sentence(wordsOf(detail, mayName))
}

function wordsOf(detail: Detail, mayName: boolean) {
  const { to, room, username, usernames, moved, reopened, candidate, candidates } = detail
  const names = new Set(
    [username, usernames, moved, reopened].flat().filter((one) => typeof one === 'string'),
  )
  const numbers = [candidate, candidates].flat().filter((one) => typeof one === 'number')
  const people = Math.max(names.size, numbers.length, Number(detail.people ?? 0))
  const [name = ''] = mayName ? names : []
  const one =
    name || (numbers[0] === undefined ? 'a candidate' : `candidate ${blindNumber(numbers[0])}`)
  const inRoom = typeof room === 'string' && room !== '' ? nameRoom(room) : null
  return {
    whom:
      to === 'all' ? 'everybody' : (inRoom ?? (people > 1 ? countOf(people, 'candidate') : one)),
    /** Returns '3 questions', or 'questions' if the number is unknown. */
    count: (list: string, noun: string, number = list): string => {
      const given = detail[number] ?? detail[list]
      const count = Array.isArray(given) ? given.length : given
      return typeof count === 'number' ? countOf(count, noun) : `${noun}s`
    },
    text: (key: string, before = '', after = ''): string => {
      const value = detail[key] ?? false
      const text = value === true || value === false ? '' : [value].flat().join(', ')
      return text || value === true ? `${before}${text}${after}` : ''
    },
  }
}
