import sql from 'sql-template-tag'
import { describeDuration } from '../../../platform/durations.ts'
import type { OptionLetter } from '../../../platform/options.ts'
import { countOf, listOf, numberWord } from '../../../platform/words.ts'
import { type Kept, WARNING_DAYS } from '../../access/server/assessments.ts'
import { inForce, REACHES } from '../../access/server/guard.ts'
import { describePublicationError, type PublicationError } from '../../kit/assessment-state.ts'
import { mayWith, type Role } from '../../kit/roles.ts'
import type { Client } from '../../kit/server/action.ts'
import { zoneDay, zoneMoment, zoneName, zoneTime } from '../../kit/zone-time.ts'
import { EMPTY_DRAFT } from '../../questions/question-content.ts'
import { isFlawed } from '../../questions/question-marks.ts'
import type { CheckedKey } from '../../questions/server/key-checks.ts'
import {
  countForms,
  describeForms,
  type Form,
  type FormCounts,
  isUneven,
} from '../../questions/two-forms.ts'
import type { Row, RowState } from '../../setup/contract-overview.ts'

export interface About {
  isDraft: boolean
  opensAt: Date | null
  closesAt: Date | null
  lastStartAt: Date | null
  timeZone: string
  durationSeconds: number
  now: Date
}

/** Open items are normal for a draft, but amber once candidates can see the test. */
export const gapOf = ({ isDraft }: About): RowState => (isDraft ? 'todo' : 'attention')

/** Formats a time for mid-sentence in the test's zone: 'today at 09:00', 'on Wednesday', 'on 25 November'. */
export function whenWords(at: Date, timeZone: string, now: Date): string {
  const words = (one: Date, options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en-GB', { ...options, timeZone }).format(one)
  const dateOf = (one: Date) => words(one, { dateStyle: 'short' })
  if (dateOf(at) === dateOf(now)) return `today at ${zoneTime(at, timeZone)}`
  const days = (at.getTime() - now.getTime()) / 86_400_000
  if (days > 0 && days < 6) return `on ${words(at, { weekday: 'long' })}`
  const isThisYear = words(at, { year: 'numeric' }) === words(now, { year: 'numeric' })
  return `on ${words(at, { day: 'numeric', month: 'long', ...(!isThisYear && { year: 'numeric' }) })}`
}

export interface QuestionFacts {
  count: number
  /** problems that block publishing: an empty text, duplicate options or questions, or forms of different length */
  errors: Extract<PublicationError, { kind: 'wrong_questions' | 'uneven_forms' }>[]
  /** null: one form */
  forms: FormCounts | null
}

/** Number of tests whose questions are read together. Reading all could exceed a node's memory. */
const TESTS_AT_ONCE = 10

export async function readQuestionFacts(
  client: Client,
  codes: readonly string[],
): Promise<Map<string, QuestionFacts>> {
  const found = new Map<string, QuestionFacts>()
  for (let at = 0; at < codes.length; at += TESTS_AT_ONCE) {
    const some = codes.slice(at, at + TESTS_AT_ONCE)
    const { rows } = await client.query<{
      code: string
      position: number
      question: string
      options: Record<OptionLetter, string>
      answer: OptionLetter
      isTwice: boolean
      form: Form | null
    }>(
      `select assessment as code, position, question, correct_option as answer, form,
         json_build_object('A', answer_a, 'B', answer_b, 'C', answer_c, 'D', answer_d) as options,
         count(*) over (partition by assessment,
           lower(regexp_replace(btrim(question), '\\s+', ' ', 'g'))) > 1 as "isTwice"
       from assessment_items where assessment = any($1::text[]) order by assessment, position`,
      [some],
    )
    for (const code of some) {
      const questions = rows.filter((row) => row.code === code)
      const positions = questions
        .filter((one) => one.isTwice || isFlawed({ ...EMPTY_DRAFT, ...one }))
        .map(({ position }) => position)
      const forms = countForms(questions)
      const errors: QuestionFacts['errors'] = []
      if (positions.length > 0) errors.push({ kind: 'wrong_questions', positions })
      if (isUneven(forms)) errors.push({ kind: 'uneven_forms', A: forms.A, B: forms.B })
      found.set(code, { count: questions.length, errors, forms })
    }
  }
  return found
}

export function questionsRow({ count, errors, forms }: QuestionFacts, about: About): Row {
  if (count === 0) {
    return {
      state: gapOf(about),
      word: 'None',
      finding: 'It has no questions yet.',
      rest: 'Import a file, or write one here.',
      link: { page: 'questions/import', label: 'Import questions' },
    }
  }
  if (errors.length > 0) {
    const sizes = errors.map((one) => (one.kind === 'wrong_questions' ? one.positions.length : 1))
    const isWrong = errors.some(({ kind }) => kind === 'wrong_questions')
    return {
      state: 'attention',
      word: countOf(
        sizes.reduce((sum, size) => sum + size),
        'error',
      ),
      finding: errors.map(describePublicationError).join(' '),
      rest: `${isWrong ? 'A text is empty, or two are the same. ' : ''}${countOf(count, 'question')} in all.`,
      link: { page: 'questions', label: 'Fix them' },
    }
  }
  return {
    state: 'ready',
    word: 'Ready',
    finding: `${describeForms(forms) ?? countOf(count, 'question')}.`,
    rest: 'Each has a text, a key and four different options.',
    link: { page: 'questions', label: 'Read the questions' },
  }
}

/** Above this number, questions are counted instead of listed. */
const LISTED = 20

/** Row 2 of the checklist (product 7.8.7). Invigilators read it too, so it reveals no key. */
export function keyCheckRow(
  keys: readonly CheckedKey[],
  about: About,
  roles: readonly Role[],
  corrected: readonly Pick<CheckedKey, 'position' | 'questionId'>[],
): Row {
  const [elsewhere] = corrected
  if (elsewhere) {
    const { position, questionId } = elsewhere
    const which = questions(corrected.map((one) => one.position)).replace(/^q/, 'Q')
    return {
      state: 'attention',
      word: `${corrected.length} corrected`,
      finding: `${which} ${corrected.length === 1 ? 'was' : 'were'} corrected in another test.`,
      rest: 'A ruling there replaced the key. Use the new key here?',
      link: { page: 'questions', label: `Open question ${position}`, question: questionId },
    }
  }
  const open = keys.filter(({ checks }) => checks.length === 0)
  const disputes = keys.flatMap((one) =>
    one.checks.filter(({ choice }) => choice !== one.key).map((check) => ({ ...one, ...check })),
  )
  const [first] = disputes
  if (first) {
    const disputed = [...new Set(disputes.map(({ position }) => position))]
    const isOne = disputed.length === 1
    const comments = disputes.map(({ name, position, comment }) => {
      const text = `${name} disputes ${isOne ? 'it' : `question ${position}`}${comment && `: ${comment}`}`
      return /[.!?]$/.test(text) ? text : `${text}.`
    })
    const shown =
      mayWith(roles, 'read_keys') === 'all'
        ? comments
        : ['Someone who didn’t see the key chose another option.']
    return {
      state: 'attention',
      word: `${disputed.length} disputed`,
      finding: `The ${isOne ? 'key' : 'keys'} of ${questions(disputed)} ${isOne ? 'is' : 'are'} disputed.`,
      rest: [...shown, ...(open.length > 0 ? [openWords(open)] : [])].join(' '),
      link: {
        page: 'questions',
        label: `Open question ${first.position}`,
        question: first.questionId,
      },
    }
  }
  if (open.length > 0 || keys.length === 0) {
    const isNone = open.length === keys.length
    return {
      state: gapOf(about),
      word: isNone ? 'Not yet' : `${keys.length - open.length} of ${keys.length}`,
      finding: isNone ? 'No key has a second answer yet.' : openWords(open),
      rest: 'Someone who answers without seeing the keys can find a wrong key before candidates do.',
      link: { page: 'questions', label: 'Answer the questions' },
    }
  }
  return {
    state: 'ready',
    word: 'Ready',
    finding: `All ${countOf(keys.length, 'key')} have a second answer.`,
    rest: 'Members answered without seeing the keys, and agreed with them.',
    link: { page: 'questions', label: 'Read the questions' },
  }
}

/** 'question 14', 'questions 3 and 14' */
const questions = (positions: readonly number[]) =>
  `${positions.length === 1 ? 'question' : 'questions'} ${listOf(positions)}`

/** 'Questions 8 and 12 have no second answer.' */
function openWords(open: readonly CheckedKey[]): string {
  const listed = questions(open.map(({ position }) => position)).replace(/^q/, 'Q')
  const which = open.length > LISTED ? `${open.length} questions` : listed
  return `${which} ${open.length === 1 ? 'has' : 'have'} no second answer.`
}

export function windowRow(about: About): Row {
  const { opensAt, closesAt, lastStartAt, timeZone, durationSeconds, now } = about
  const isLater =
    lastStartAt !== null && closesAt !== null && lastStartAt > closesAt && lastStartAt > now
  const later = isLater
    ? `A candidate with a different start time can start until ${zoneMoment(lastStartAt, timeZone, now.getTime())}.`
    : null
  const dayOf = (at: Date) => zoneDay(at, timeZone, now.getTime())
  const timeOf = (at: Date) => zoneTime(at, timeZone)
  const momentOf = (at: Date) => `${dayOf(at)}, ${timeOf(at)}`
  if (closesAt === null) {
    return {
      state: gapOf(about),
      word: opensAt ? 'No end' : 'Not set',
      finding: opensAt ? 'It has no start deadline.' : 'It has no window yet.',
      rest: `Anyone with credentials can start at any time${opensAt ? ` from ${momentOf(opensAt)}` : ''}, and it never closes.`,
      link: { page: 'settings', label: 'Set the window' },
    }
  }
  const link = { page: 'settings', label: 'Change the window' } as const
  if (closesAt <= now) {
    return {
      state: later ? 'ready' : 'attention',
      word: later ? 'Set' : 'Past',
      finding: `The start deadline was ${momentOf(closesAt)}.`,
      rest: later ?? 'No one can start anymore.',
      link,
    }
  }
  const isOneDay = opensAt && dayOf(opensAt) === dayOf(closesAt)
  const until = isOneDay ? timeOf(closesAt) : momentOf(closesAt)
  return {
    state: 'ready',
    word: 'Set',
    finding: `${opensAt ? `${momentOf(opensAt)} to` : 'Until'} ${until}, ${zoneName(timeZone)}.`,
    rest: `${timeOf(closesAt)} is the start deadline. Everyone who starts gets the full ${describeDuration(durationSeconds)}.${later ? ` ${later}` : ''}`,
    link,
  }
}

/** Says how long answers and names are kept (product 7.21.1). Only samples have no retention. */
export function retentionRow(kept: Kept | null | undefined, { timeZone, now }: About): Row {
  if (!kept) {
    return {
      state: 'ready',
      word: 'Kept',
      finding: 'Sample tests have no deletion date.',
      rest: 'Their answers and names are never deleted automatically.',
      link: { page: 'settings', label: 'See the settings' },
    }
  }
  const { until } = kept
  return {
    state: 'ready',
    word: until ? 'Set' : 'Kept',
    finding: until
      ? `Answers and names are deleted on ${zoneDay(until, timeZone, now.getTime())}.`
      : 'Answers and names are kept until an owner deletes the test.',
    rest: until
      ? `Owners are notified ${WARNING_DAYS} days before. Statistics without names and the log are kept.`
      : 'Retention counts from the start deadline, which isn’t set.',
    link: { page: 'settings', label: 'Change the day' },
  }
}

/** Most important first. Authors have no duty on the day. */
const ON_DUTY: readonly Role[] = ['owner', 'invigilator', 'reviewer']

export async function readHelperFacts(client: Client, codes: readonly string[], now: Date) {
  const { rows } = await client.query<{ code: string; role: Role; count: number }>(
    sql`select code, role, count(*)::int as count from (
       select distinct on (a.code, m.user_id) a.code, m.user_id, m.role
       from assessments a join memberships m on ${REACHES} join users u on u.id = m.user_id
       where a.code = any(${codes}::text[]) and not u.is_anonymous and m.role = any(${ON_DUTY}::text[])
         and ${inForce(now)}
       order by a.code, m.user_id, array_position(${ON_DUTY}::text[], m.role)
     ) helper group by code, role order by array_position(${ON_DUTY}::text[], role)`,
  )
  return rows
}

/** Row 5 of the checklist (product 7.8.7). It asks for at least two people, because one may be ill. */
export function helpersRow(facts: readonly { role: Role; count: number }[], about: About): Row {
  const total = facts.reduce((sum, { count }) => sum + count, 0)
  if (total < 2) {
    return {
      state: gapOf(about),
      word: total === 1 ? 'One person' : 'No one',
      finding: total === 1 ? 'Only one person is on duty.' : 'No one is on duty.',
      rest: 'One person can’t watch a room and fix problems at the same time. Invite an invigilator or another owner.',
      link: { page: 'team', label: 'Invite someone' },
    }
  }
  const when = about.opensAt ? ` ${whenWords(about.opensAt, about.timeZone, about.now)}` : ''
  const parts = facts.map(({ role, count }) =>
    count === 1 ? `${/^[aeiou]/.test(role) ? 'an' : 'a'} ${role}` : `${count} ${role}s`,
  )
  return {
    state: 'ready',
    word: 'Ready',
    finding: `${numberWord(total)}${when}: ${listOf(parts)}.`,
    rest: 'Their roles apply during the test.',
    link: { page: 'team', label: 'See the team' },
  }
}
