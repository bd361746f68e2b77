import { isReference } from '../../assessments/reference.ts'
import { COUNTED_KINDS, MAX_VIOLATIONS } from '../../assessments/violations.ts'
import { describeDuration, MAX_MINUTES } from '../minutes.ts'
import { describePublicationError } from '../publication.ts'
import { ACTS_SENTENCES } from '../server/acts/refused.ts'
import { CANDIDATE_SENTENCES } from '../server/candidates/refused.ts'
import { OrganiserRefusal, type RefusalCode, type RefusalFacts } from '../server/refusal.ts'
import { RESULT_SENTENCES } from '../server/results/refused.ts'
import { TEAM_SENTENCES } from '../server/team/refused.ts'

/** Every refusal in a sentence for the person at the keyboard, with the command that leads on. */
const SENTENCES: { [Code in RefusalCode]: (facts: RefusalFacts[Code]) => string } = {
  no_such_assessment: ({ assessment, known }) =>
    known.length === 0
      ? `There is no assessment ${assessment}, and no other: load one first (assessments load FILE).`
      : `There is no assessment ${assessment}; there are: ${known.join(', ')}.`,
  assessment_deleted: ({ assessment, at }) =>
    `${assessment} was deleted on ${at.toISOString().slice(0, 10)}; its line and the log stay, and its code with them. Please choose another code.`,
  no_such_society: ({ society, known }) =>
    known.length === 0
      ? `There is no society ${society}, and no other: make one first (societies create NAME --owner EMAIL).`
      : `There is no society ${society}; there are: ${known.join(', ')}.`,
  society_exists: ({ society }) =>
    `There is a society ${society} already; invite an owner with: societies invite "${society}" EMAIL --role owner.`,
  founded_by_others: ({ society }) =>
    `Somebody has founded a society ${society} in the browser, and would get these questions. If it is the right one, say so with --society "${society}" (its members: societies members "${society}").`,
  ...TEAM_SENTENCES,
  ...ACTS_SENTENCES,
  ...CANDIDATE_SENTENCES,
  ...RESULT_SENTENCES,
  candidate_unknown: ({ assessment, username }) =>
    isReference(username)
      ? `There is neither a candidate nor a test with the reference ${username} in ${assessment}.`
      : `There is no candidate ${username} in ${assessment}.`,
  reason_missing: () => 'Please give a reason in words: it is kept for an appeal.',
  no_such_time: ({ seconds }) => describeMinutes(String(seconds / 60)),

  has_attempts: ({ assessment, attempts }) =>
    `${attempts} ${attempts === 1 ? 'candidate has' : 'candidates have'} started ${assessment}, so its questions stay as they are; correct a wrong key with: assessments regrade ${assessment} --item N --accept X --reason "…".`,
  settled_by_starts: ({ assessment, attempts }) =>
    `${attempts} ${attempts === 1 ? 'candidate has' : 'candidates have'} started ${assessment}, so only its window, season and contact may change.`,
  stale: ({ assessment, by }) => `${by ?? 'Somebody'} has changed ${assessment} meanwhile.`,
  code_taken: ({ assessment }) =>
    `There is an assessment ${assessment} of this society already; please choose another code.`,
  of_another_society: ({ assessment, named }) =>
    `${assessment} belongs to another society than ${named}; its questions would be replaced. Choose another code, or name the society whose it is with --society "…" (societies list shows all).`,
  season_empty: ({ season }) =>
    season === null
      ? 'There is no assessment without a season.'
      : `There is no assessment in the season ${season}.`,
  season_same: ({ season }) => `These are in the season ${season} already.`,
  is_candidate_there: ({ assessment }) =>
    `Whoever asks is a candidate of ${assessment}, and has no role in it.`,
  not_publishable: ({ assessment, reasons }) =>
    `${assessment} stays a draft. ${reasons.map(describePublicationError).join(' ')}`,
  already_published: ({ assessment }) =>
    `${assessment} is published already; while nobody has started, it becomes a draft again with: assessments publish ${assessment} --back.`,
  already_draft: ({ assessment }) => `${assessment} is a draft already.`,
  nothing_to_export: ({ assessment }) => `${assessment} has no questions.`,
  window_unchanged: () => 'Nothing to set: give --opens, --closes, or both.',
  zone_unknown: ({ timeZone }) =>
    `'${timeZone}' is no named time zone such as Europe/Lisbon or America/New_York.`,
  zone_without_times: () => 'With another --zone, please give --opens and --closes too.',
  closes_before_opens: () =>
    'It would close before it opens; give both times, --opens and --closes.',

  already_revoked: ({ username }) => `${username} is revoked already.`,

  would_take_time_away: ({ username, secondsBefore }) =>
    `${username} has ${describeDuration(secondsBefore)} extra already, and this would take some away; for more, give the sum in minutes (${secondsBefore / 60} + …), or say that you mean it with --lower.`,
  would_end_at_once: ({ username }) =>
    `The test of ${username} would end at once; nothing was changed.`,
  time_has_run_out: ({ assessment, username }) =>
    `The time of ${username} has run out, and extra time no longer reaches it; give minutes from now with: assessments reopen ${assessment} ${username} --minutes N --reason "…" (for everybody after an outage: assessments extend ${assessment} N --reason "…").`,
  ended_by_strikes: ({ username }) =>
    `The test of ${username} was ended by ${MAX_VIOLATIONS} strikes; take a wrong one back with void-event, then reopen it.`,
  already_submitted: ({ assessment, username }) =>
    `${username} has submitted the test; if it has to go on, reopen it with: assessments reopen ${assessment} ${username} --minutes N --reason "…".`,
  nothing_to_add: () => 'Please give the minutes to add, such as 10.',
  nothing_from_now: () => 'Please give the minutes from now, such as --minutes 10.',
  not_started: ({ assessment, username }) => `${username} has not started ${assessment}.`,
  still_open: ({ assessment, username }) =>
    `The test of ${username} is still open; give more time with: assessments extra-time ${assessment} ${username} N.`,
  strikes_stand: ({ assessment, username }) =>
    `${username} has ${MAX_VIOLATIONS} strikes, which would end the test again at once; take a wrong one back first: assessments events ${assessment} ${username}, then void-event.`,

  nothing_to_exempt: () => `Please name what to exempt from: ${COUNTED_KINDS.join(', ')}.`,
  no_such_event: ({ assessment, event }) =>
    `There is no event ${event} in ${assessment}; assessments events ${assessment} lists them.`,
  event_not_counted: ({ event, kind }) =>
    `Event ${event} (${kind}) was not counted: nothing to take back.`,
  already_taken_back: ({ event }) => `Event ${event} was taken back already.`,

  no_such_item: ({ assessment, item }) => `${assessment} has no item ${item}.`,
  nothing_ruled: ({ item }) => `Nothing was ruled on item ${item}.`,
  already_void: ({ item }) => `Item ${item} is void already: it counts for nobody.`,
  already_right: ({ item, option }) => `${option} counts as right on item ${item} already.`,
  already_full_marks: ({ item }) =>
    `Everybody has item ${item} right already; withdraw that first to rule otherwise.`,
  already_replaced: ({ item }) =>
    `The key of item ${item} was replaced already; withdraw that first to replace it by another.`,
  // Of the browser alone.
  no_such_ruling: () => 'It was taken back, adopted or declined meanwhile.',
  pressed_twice: () => 'This was done already.',
  already_kept: ({ item }) => `The key of item ${item} was found right already.`,

  not_confirmed: ({ assessment }) =>
    `To delete ${assessment} for good, type its code a second time: --confirm ${assessment}. Nothing was deleted.`,
  still_inside: ({ assessment, username }) =>
    `${username} is still inside; wait until everybody is done (assessments status ${assessment}).`,
  can_be_started: ({ assessment }) =>
    `Candidates can start ${assessment}, now or later. Let it close first (assessments window ${assessment} --closes "…"), or while nobody has started take it back to a draft (assessments publish ${assessment} --back). Nothing was deleted.`,
  is_no_draft: ({ assessment }) => `${assessment} is no draft.`,
  is_draft: ({ assessment }) => `${assessment} is a draft.`,
  deletion_asked: ({ assessment, by }) =>
    `${by} has asked for the deletion of ${assessment} already.`,
  no_deletion_asked: ({ assessment }) => `Nobody asks for the deletion of ${assessment}.`,
  second_owner_needed: ({ assessment }) =>
    `Another owner has to confirm the deletion of ${assessment}.`,
  deletion_too_early: ({ assessment, from }) =>
    `${assessment} can be deleted from ${from.toISOString()} on.`,

  kept_too_short: ({ days }) => `The day has to be ${days} days from now or later.`,
  nobody_sat: ({ assessment }) => `${assessment} holds nobody's answers.`,

  holds_demo_data: ({ samples, demos }) =>
    [
      ...(samples.length > 0
        ? [
            `The database holds sample assessments, whose keys everybody can read: ${samples.join(', ')}. Delete them (${samples.map((code) => deletion(code)).join('; ')}), or use a database of its own.`,
          ]
        : []),
      ...(demos.length > 0
        ? [
            `The database holds demo candidates, whose passwords were printed, in ${demos.join(', ')}. Delete them: ${demos.map((code) => deletion(code, ' --demo')).join('; ')}.`,
          ]
        : []),
    ].join('\n'),
}

/** What was typed and is nothing that a command could take. */
export const MISTYPED = {
  minutes: (text: string) => describeMinutes(text),
  event: (text: string, code: string) =>
    `'${text}' is no event's number; assessments events ${code} lists them.`,
  kinds: (unknown: readonly string[]) =>
    `Nothing named ${unknown.join(', ')} is counted; what is: ${COUNTED_KINDS.join(', ')}.`,
  item: () => 'It is a number such as 7.',
  option: (text: string) => `'${text}' is none of the options A, B, C and D.`,
  ruling: () =>
    'Please give one of --accept OPTION, --replace OPTION, --void, --full-marks and --withdraw.',
}

/** The sentence of a refusal; null for any other error. */
export function explainRefusal(error: unknown): string | null {
  return error instanceof OrganiserRefusal ? sentenceOf(error) : null
}

function sentenceOf<Code extends RefusalCode>({ code, facts }: OrganiserRefusal<Code>): string {
  return SENTENCES[code](facts)
}

function describeMinutes(text: string): string {
  return `'${text}' is no number of minutes between 0 and ${MAX_MINUTES}, such as 10 or 7.5.`
}

function deletion(code: string, option = ''): string {
  return `npm run admin -- assessments delete ${code}${option} --confirm ${code}`
}
