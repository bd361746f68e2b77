import sql from 'sql-template-tag'
import { nameOf } from '../../../accounts/email.ts'
import type { Api } from '../../../platform/server/api.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import { inForce, REACHES } from '../../access/server/guard.ts'
import { type MemberInTest, serveMembers } from '../../access/server/serve-members.ts'
import { extentOf, mayWith, type Role } from '../../kit/roles.ts'
import { read } from '../../kit/server/action.ts'
import { describeAction } from '../../kit/server/action-words.ts'
import { refuse } from '../../kit/server/refuse.ts'
import * as contract from '../../setup/contract-overview.ts'
import { mayCreate } from '../../setup/server/create.ts'
import { afterRows, createAfterFacts } from './after-rows.ts'
import { missingOf, type Surveyed, surveyAssessments } from './checklist.ts'
import { publishAssessment, readPublication, takeBackAssessment } from './publish.ts'
import { waitingCounts } from './waiting.ts'
import { afterWords, helperWords, listHeadline, nextAfter, nextOf, overviewWords } from './words.ts'

const ROWS = [...contract.CHECKLIST_ROWS, ...contract.SELF_KEEPING_ROWS] as const

/** Serves the list of tests, the overview of one with its checklist, and publishing (product 7.8). */
export function serveOverview(api: Api, dependencies: AppDependencies): void {
  const serve = serveMembers(api, dependencies)
  const countWaiting = waitingCounts()
  const readAfter = createAfterFacts()

  serve(contract.listChecklists, async ({ organizer }) => {
    const all = await surveyAssessments(organizer, countWaiting)
    return {
      headline: listHeadline(all, organizer.now),
      mayCreate: await mayCreate(organizer),
      assessments: all.map(shownInList),
    }
  })

  serve(contract.getOverview, async ({ organizer }) => {
    const [test] = await surveyAssessments(organizer, countWaiting)
    if (!test) throw refuse(404, 'not_found', `There is no test with the code ${organizer.code}.`)
    const { isHelper, room, ...people } = await readPeopleAndChanges(organizer)
    const extraSeconds = test.checklist?.facts.mostExtraSeconds ?? 0
    // Invigilators can't fix open items, so they get no checklist.
    const checklist = isHelper ? null : test.checklist
    const { counts } = test
    const after =
      counts && test.submittedCount > 0 && extentOf(organizer.roles, 'see_scores') === 'all'
        ? afterRows(
            await read(organizer, (client) =>
              readAfter(client, organizer.code, organizer.now, counts),
            ),
            test,
            organizer.now,
          )
        : null
    return {
      version: test.version,
      isDraft: test.isDraft,
      isSample: test.isSample,
      ...(isHelper
        ? helperWords(test, room, extraSeconds, organizer.now)
        : after
          ? afterWords(after, test)
          : overviewWords(test, organizer.now)),
      isHelper,
      waiting: test.waiting,
      next: after
        ? (nextAfter(after)?.link ?? null)
        : checklist && (missingOf(checklist)[0]?.link ?? null),
      rows: after ?? (checklist ? ROWS.map((row) => ({ row, ...checklist[row] })) : []),
      day: {
        durationSeconds: test.durationSeconds,
        extraSeconds,
        candidateCount: test.candidateCount,
        extraCount: test.checklist?.facts.extraCount ?? 0,
      },
      startedCount: test.runningCount + test.submittedCount,
      ...people,
    }
  })

  serve(contract.getPublication, ({ organizer }) => readPublication(organizer))
  serve(contract.publishAssessment, ({ organizer, body }) =>
    publishAssessment(organizer, body.version),
  )
  serve(contract.takeBackAssessment, ({ organizer, body }) =>
    takeBackAssessment(organizer, body.version),
  )
}

function shownInList(test: Surveyed) {
  const { checklist } = test
  return {
    code: test.code,
    society: test.society,
    session: test.session,
    season: test.season,
    isDraft: test.isDraft,
    durationSeconds: test.durationSeconds,
    opensAt: test.opensAt,
    closesAt: test.closesAt,
    lastStartAt: test.lastStartAt,
    timeZone: test.timeZone,
    itemCount: test.itemCount,
    candidateCount: test.candidateCount,
    runningCount: test.runningCount,
    submittedCount: test.submittedCount,
    candidateNote: candidateNote(test),
    checklist: checklist && contract.CHECKLIST_ROWS.map((row) => checklist[row].state),
    next: nextOf(test),
    waiting: test.waiting,
    kept: test.kept,
    fairnessReport: test.fairnessReport,
  }
}

function candidateNote({ runningCount, submittedCount, checklist }: Surveyed): string {
  if (runningCount > 0) return `${runningCount} in progress`
  if (!checklist || submittedCount > 0) return `${submittedCount} finished`
  const { count, withPassword } = checklist.facts
  if (count === 0) return ''
  if (withPassword === 0) return 'no candidate has a password'
  return withPassword === count ? 'all have a password' : `${withPassword} have a password`
}

const CHANGES = 6

/** What each role can do on the day, most important role first. */
const MAY: Readonly<Record<Role, string>> = {
  owner: 'can add time, reopen and end tests',
  invigilator: 'can add up to 15 min for a candidate',
  reviewer: 'sees incidents, and names on request',
  author: 'writes questions, sees counts during the test',
}
const FOREMOST = Object.keys(MAY) as Role[]

/** Reads a test's members, last change and contact, and an invigilator's room (product 7.8.7, 7.8.10). */
function readPeopleAndChanges(organizer: MemberInTest) {
  const { code, societyId, userId, now } = organizer
  return read(organizer, async (client) => {
    const { rows: members } = await client.query<{
      userId: string
      email: string
      roles: Role[]
      room: string | null
    }>(
      sql`select u.id as "userId", u.email, array_agg(distinct m.role) as roles,
         (array_agg(m.room order by m.room is not null, m.assessment is null)
           filter (where m.role = 'invigilator'))[1] as room
       from assessments a join memberships m on ${REACHES} join users u on u.id = m.user_id
       where a.code = ${code} and a.society_id = ${societyId} and ${inForce(now)} and not u.is_anonymous
       group by u.id order by u.email`,
    )
    const me = members.find((one) => one.userId === userId)
    const mine = me?.roles ?? []
    const { rows: lines } = await client.query<{
      at: Date
      by: string
      action: string
      detail: Record<string, unknown>
    }>(
      `select at, case when user_id = $4 then 'You' else actor end as by, action, detail
       from admin_actions where assessment = $1 and society_id = $2 and ($3 or user_id = $4)
       order by id desc limit ${CHANGES}`,
      [code, societyId, mayWith(mine, 'read_log') === 'all', userId],
    )
    const { rows: contacts } = await client.query<{ contact: string | null }>(
      sql`select coalesce(nullif(a.rules->>'contact', ''), s.contact) as contact
       from assessments a join societies s on s.id = a.society_id where a.code = ${code}`,
    )
    const mayName = mayWith(mine, 'see_names') === 'all'
    const duty = members
      .map((one) => ({ ...one, held: FOREMOST.filter((role) => one.roles.includes(role)) }))
      .sort((a, b) => FOREMOST.indexOf(a.held[0] as Role) - FOREMOST.indexOf(b.held[0] as Role))
    return {
      duty: duty.map(({ userId: id, email, held }) => ({
        name: nameOf(email),
        isYou: id === userId,
        role: held.join(' and '),
        may: MAY[held[0] as Role],
      })),
      changes: lines.map(({ at, by, action, detail }) => ({
        at,
        by,
        what: describeAction(action, detail, mayName),
      })),
      contact: contacts[0]?.contact ?? null,
      isHelper: mine.length > 0 && mine.every((role) => role === 'invigilator'),
      room: me?.room ?? null,
    }
  })
}
