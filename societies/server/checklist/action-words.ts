import { TROUBLES } from '../../contract/live.ts'
import { TROUBLE_WORDS } from '../../day/trouble-words.ts'
import { blindNumber, countOf } from '../../number-words.ts'
import { listed } from '../../publication.ts'
import { nameRoom } from '../../role-words.ts'

type Detail = Record<string, unknown>

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')
const numberOf = (value: unknown) => (typeof value === 'number' ? value : null)

const listOfTexts = (value: unknown) =>
  Array.isArray(value) && value.every((one) => typeof one === 'string') ? value.join(', ') : ''

const TIME_VERBS = {
  'give-time': 'gave time to',
  'plan-time': 'changed the planned time of',
  'end-at': 'set the end of',
  'end-now': 'ended the test of',
} as const

/** Whom an act was for: one by name where the reader may know it, else a room, or how many. */
function peopleOf(detail: Detail, mayName: boolean): string {
  const { to, room, username, usernames, moved, reopened } = detail
  if (to === 'all') return 'everybody'
  if (textOf(room)) return nameRoom(textOf(room))
  const one =
    textOf(username) || (Array.isArray(usernames) && usernames.length === 1 && usernames[0])
  if (one) return mayName ? textOf(one) : 'a candidate'
  const lists = [usernames, moved, reopened].filter((list) => Array.isArray(list))
  const count = lists.reduce((sum, list) => sum + list.length, 0)
  return count === 0 ? 'candidates' : countOf(count, 'candidate')
}

/** ': upheld' */
const verdictOf = ({ verdict }: Detail): string =>
  textOf(verdict) && `: ${verdict === 'needs_talk' ? 'needs a talk' : textOf(verdict)}`

/** 'candidate 021', as the pages call who is covered. */
const numberedOf = (number: unknown): string =>
  typeof number === 'number' ? `candidate ${blindNumber(number)}` : 'a candidate'

/** ' of candidate 021', ' of 8 candidates'; nothing where names were given in place of numbers */
const numbersOf = ({ candidates }: Detail): string =>
  !Array.isArray(candidates)
    ? ''
    : candidates.length === 1
      ? ` of ${numberedOf(candidates[0])}`
      : ` of ${countOf(candidates.length, 'candidate')}`

/** ': C is the key instead' */
function ruledOf(detail: Detail): string {
  if (textOf(detail.replace)) return `: ${textOf(detail.replace)} is the key instead`
  if (textOf(detail.accept)) return `: ${textOf(detail.accept)} counts too`
  if (detail.void === true) return ': it is left out'
  return detail.fullMarks === true ? ': everybody has the point' : ''
}

/** How a field of the settings is called in a sentence. */
const FIELDS: Record<string, string> = {
  society: 'the name',
  session: 'the session',
  season: 'the season',
  durationSeconds: 'the duration',
  opens: 'the opening',
  closes: 'the last start',
  timeZone: 'the time zone',
  shuffle: 'the order',
  navigator: 'the navigator',
  timing: 'the rules on timing',
  allowed: 'what is allowed',
  forbidden: 'what is forbidden',
  contact: 'the contact',
}

/** What needs no detail to be said. */
const SENTENCES: Readonly<Record<string, string>> = {
  publish: 'published it',
  'take-back': 'took it back to a draft',
  window: 'changed the window',
  export: 'exported the questions',
  extend: 'gave everybody more time',
  'accept-late': 'counted late answers',
  results: 'took the results out',
  answers: 'took the answers out',
  events: 'took the events out',
  'ask-to-delete': 'asked to delete it',
  keep: 'decided to keep it',
  'keep-until': 'changed the day on which it deletes itself',
  'change-candidates': 'changed several candidates',
  'remove-candidates': 'removed candidates',
  'export-candidates': 'took the list of candidates out',
  'send-credentials': 'mailed usernames and passwords',
  'stop-credentials': 'stopped mails that waited',
  'change-letter': 'changed the words of the mail',
  slips: 'printed slips with passwords',
  'add-question': 'added a question',
  'save-question': 'changed a question',
  'remove-question': 'removed a question',
  'restore-question': 'brought a question back',
  'order-questions': 'changed the order of the questions',
  'take-questions': "took questions from the society's bank",
  'undo-import': 'took an import back',
  'add-picture': 'added a picture',
  'read-keys': 'read the keys',
  'check-keys': 'answered questions without seeing the key',
  'start-key-check': 'began to sit the questions without keys',
  'finish-key-check': 'sat the questions without keys',
  'overrule-key-check': 'upheld a disputed key',
  'withdraw-key-check-ruling': 'took back that a disputed key stands',
  simulate: 'let a simulated crowd play it',
  'stop-simulation': 'stopped the simulated crowd',
  found: 'founded the society',
  'make-society': 'made the society',
  'edit-society': 'changed what the society says of itself',
  'resend-invitation': 'sent an invitation again',
  'revoke-invitation': 'took an invitation back',
  'accept-invitation': 'accepted an invitation',
  'change-role': "changed a member's role",
  'end-role': "ended a member's role",
  leave: 'left the society',
  'reset-second-factor': 'took the second factor of a member away',
  'sign-member-out': 'ended all sessions of a member',
  'export-log': 'took the log out',
  'publish-report': 'published the fairness report',
  'publish-card': 'published the fairness card',
  'delete-demo': 'removed demo candidates',
  delete: 'deleted it',
  restore: 'restored it',
  purge: 'deleted for good what it held',
  'undo-time': 'took back the time just given',
  'withdraw-message': 'took a message back',
  'rooms-until': 'changed when the rooms are given back',
  'withdraw-verdict': 'took a verdict back',
  'second-review': 'changed whether two people decide',
  'withdraw-report': 'took a report back',
  'show-score': 'looked at the score of a candidate',
  'propose-ruling': 'proposed a ruling on a question',
  'decline-ruling': 'declined a proposed ruling',
  'keep-key': 'confirmed a key that looked wrong',
  'doubt-key': 'took the confirmation of a key back',
  'apply-shift': 'gave a session points for its harder questions',
  'withdraw-shift': 'took those points back',
  'check-similarity': 'compared answers',
  'compare-candidates': 'compared the answers of two candidates',
  'export-results-without-names': 'took the results out, without names',
  'show-names': 'showed the names beside the results',
  'release-results': 'released the results to candidates',
  'withdraw-release': 'took the release of the results back',
}
const troubleOf = ({ trouble }: Detail) =>
  TROUBLES.flatMap((one) => (one === trouble ? [`: ${TROUBLE_WORDS[one]}`] : [])).join('')

/**
 * What a line of the audit log says, behind its actor's name: 'changed the window'. Details are gone after a
 * deletion, so each sentence does without them.
 * @param mayName whether the reader sees who candidates are (product 7.7.4)
 */
export function describeAction(action: string, detail: Detail, mayName: boolean): string {
  const whom = (mayName && textOf(detail.username)) || 'a candidate'
  const items = numberOf(detail.items) ?? numberOf(detail.questions)
  switch (action) {
    case 'create':
      return items === null ? 'made it' : `made it of a file, ${countOf(items, 'question')}`
    case 'copy':
      return textOf(detail.from)
        ? `made it as a copy of ${textOf(detail.from)}`
        : 'made it as a copy'
    case 'load':
      return items === null
        ? 'loaded it from a file'
        : `loaded it from a file, ${countOf(items, 'question')}`
    case 'settings': {
      const fields = Array.isArray(detail.fields)
        ? detail.fields.map((one) => FIELDS[one] ?? '')
        : []
      const known = fields.filter(Boolean)
      return known.length === 0 ? 'saved the settings' : `changed ${listed(known)}`
    }
    case 'import':
      return `imported ${numberOf(detail.added) === null ? 'questions' : countOf(numberOf(detail.added) ?? 0, 'question')}`
    case 'assign-form':
      return `gave ${items === null ? 'questions' : countOf(items, 'question')} to ${textOf(detail.form) ? `form ${textOf(detail.form)}` : 'both forms'}`
    case 'roster':
      return `added ${numberOf(detail.added) === null ? 'candidates' : countOf(numberOf(detail.added) ?? 0, 'candidate')}`
    case 'reset':
      return `made a new password for ${whom}`
    case 'revoke':
      return `shut ${whom} out`
    case 'extra-time':
      return `set the extra time of ${whom}`
    case 'exempt':
      return `set what is not counted for ${whom}`
    case 'reopen':
      return `opened the test of ${whom} again`
    case 'give-time':
    case 'plan-time':
    case 'end-at':
    case 'end-now':
      return `${TIME_VERBS[action]} ${peopleOf(detail, mayName)}`
    case 'message':
      return `wrote to ${peopleOf(detail, mayName)}${textOf(detail.text) ? `: “${textOf(detail.text)}”` : ''}`
    case 'take-strikes-back': {
      const events = Array.isArray(detail.events) ? detail.events.length : null
      const count = numberOf(detail.strikes) ?? events
      return `took back ${count === null ? 'strikes' : countOf(count, 'strike')}${numbersOf(detail)}`
    }
    case 'restore-strikes':
      return `let strikes${numbersOf(detail)} count again`
    case 'decide-incident': {
      const { incidents } = detail
      const count = Array.isArray(incidents) ? incidents.length : 1
      const which = count === 1 ? 'an incident' : countOf(count, 'incident')
      // Lines of earlier versions have one candidate's number.
      const whose = numbersOf(detail) || ` of ${numberedOf(detail.candidate)}`
      return `decided on ${which}${whose}${verdictOf(detail)}`
    }
    case 'decide-room':
      return `decided on a whole room${verdictOf(detail)}`
    case 'regrade': {
      const item = numberOf(detail.item)
      const question = item === null ? 'a question' : `question ${item}`
      const isTakenBack = detail.withdraw !== undefined && detail.withdraw !== null
      return isTakenBack
        ? `took a ruling on ${question} back`
        : `ruled on ${question}${ruledOf(detail)}`
    }
    case 'fix-line':
      return numberOf(detail.points) === null
        ? 'fixed the line'
        : `fixed the line at ${detail.points}`
    case 'report-incident':
      return `reported something${textOf(detail.room) ? ` in room ${textOf(detail.room)}` : ''}`
    case 'seen':
      return `pressed Seen on ${whom}${troubleOf(detail)}`
    case 'unseen':
      return `took Seen back on ${whom}${troubleOf(detail)}`
    case 'export-live':
      return 'took out who stands where'
    case 'void-event':
      return `took back a strike of ${whom}`
    case 'dossier':
    case 'export-report':
      return `took out the report of ${textOf(detail.username) ? whom : numberedOf(detail.candidate)}`
    case 'add-candidates':
      return `added ${numberOf(detail.added) === null ? 'candidates' : countOf(numberOf(detail.added) ?? 0, 'candidate')}`
    case 'change-candidate':
      return `changed what is known of ${whom}`
    case 'invite':
      return `invited ${listOfTexts(detail.emails) || textOf(detail.email) || 'somebody'}`
    case 'export-results':
      return textOf(detail.username)
        ? `took out the result sheet of ${whom}`
        : 'took the results out, with names'
    case 'show-name':
      return `looked at the name of ${whom}`
    case 'set-line':
      return numberOf(detail.after) === null
        ? 'moved the line'
        : `set the line to ${numberOf(detail.after)}`
    default:
      return SENTENCES[action] ?? action.replaceAll('-', ' ')
  }
}
