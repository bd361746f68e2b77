import { countOf } from '../../checklist.ts'
import { listed } from '../../publication.ts'
import { TROUBLE_WORDS } from '../../trouble-words.ts'
import { TROUBLES } from '../../troubles.ts'

type Detail = Record<string, unknown>

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')
const numberOf = (value: unknown) => (typeof value === 'number' ? value : null)

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
    case 'publish':
      return 'published it'
    case 'take-back':
      return 'took it back to a draft'
    case 'settings': {
      const fields = Array.isArray(detail.fields)
        ? detail.fields.map((one) => FIELDS[one] ?? '')
        : []
      const known = fields.filter(Boolean)
      return known.length === 0 ? 'saved the settings' : `changed ${listed(known)}`
    }
    case 'window':
      return 'changed the window'
    case 'import':
      return `imported ${numberOf(detail.added) === null ? 'questions' : countOf(numberOf(detail.added) ?? 0, 'question')}`
    case 'export':
      return 'exported the questions'
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
    case 'extend':
      return 'gave everybody more time'
    case 'reopen':
      return `opened the test of ${whom} again`
    case 'seen':
      return `pressed Seen on ${whom}${troubleOf(detail)}`
    case 'unseen':
      return `took Seen back on ${whom}${troubleOf(detail)}`
    case 'export-live':
      return 'took out who stands where'
    case 'void-event':
      return `took back a strike of ${whom}`
    case 'regrade':
      return 'ruled on a question'
    case 'accept-late':
      return 'counted late answers'
    case 'results':
      return 'took the results out'
    case 'answers':
      return 'took the answers out'
    case 'events':
      return 'took the events out'
    case 'dossier':
      return `took out the dossier of ${whom}`
    case 'ask-to-delete':
      return 'asked to delete it'
    case 'keep':
      return 'decided to keep it'
    case 'delete-demo':
      return 'removed demo candidates'
    case 'delete':
      return 'deleted it'
    default:
      return action.replaceAll('-', ' ')
  }
}
