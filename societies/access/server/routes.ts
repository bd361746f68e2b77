import { Answer, type Api } from '../../../platform/server/api.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import { nudgeMailQueue } from '../../../platform/server/mail-queue.ts'
import { createQuota } from '../../../platform/server/quota.ts'
import {
  getSocietyAssessment,
  listMySocieties as listMine,
  listSocietyAssessments,
} from '../../kit/contract.ts'
import { memberOf, read } from '../../kit/server/action.ts'
import { refuse } from '../../kit/server/refuse.ts'
import * as contract from '../contract.ts'
import { acceptInvitation, readInvitation } from './accept.ts'
import { type ListedAssessment, listReachedWith } from './assessments.ts'
import { foundingOf, foundSociety, listMySocieties } from './founding.ts'
import { invite, listInvitations, resendInvitation, revokeInvitation } from './invitations.ts'
import { resetMemberFactor, signMemberOut } from './member-sessions.ts'
import { changeMember, endMember, leaveSociety, listMembers, listRooms } from './members.ts'
import { serveMembers } from './serve-members.ts'
import { changeSettings, readSettings } from './settings.ts'

const INVITATIONS_QUOTA = {
  name: 'invitations',
  limit: 200,
  sentence: 'You have sent many invitations today.',
}
const SOCIETIES_QUOTA = {
  name: 'societies',
  limit: 5,
  sentence: 'You have founded several societies today.',
}

/** Societies, their members and invitations (product 7.7). */
export function serveTeam(api: Api, dependencies: AppDependencies): void {
  const { db, now, secretKey, foundingOpen } = dependencies
  const invitations = createQuota(dependencies, INVITATIONS_QUOTA)
  const societies = createQuota(dependencies, SOCIETIES_QUOTA)
  const organiserOf = memberOf(dependencies)
  const serve = serveMembers(api, dependencies)
  const done = () => ({ done: true }) as const

  api.serve(listMine, async ({ user }) => ({
    societies: await listMySocieties({ db, now: now() }, user.id),
    founding: await foundingOf(db, user.id, foundingOpen),
  }))
  api.serve(contract.foundSociety, async ({ user, body }) => {
    const founded = await foundSociety(organiserOf(user), body.name, {
      isOpen: foundingOpen,
      takeOne: () => societies.take(user.id),
    })
    return new Answer(201, founded)
  })
  serve(contract.getSocietySettings, ({ organiser }) => readSettings(organiser))
  serve(contract.changeSocietySettings, ({ organiser, body }) => changeSettings(organiser, body))

  serve(contract.listMembers, ({ organiser }) => listMembers(organiser))
  serve(contract.listRooms, ({ organiser }) => listRooms(organiser))
  serve(contract.changeMember, ({ organiser, params, body }) =>
    changeMember(organiser, params.member, body).then(done),
  )
  serve(contract.endMember, ({ organiser, params }) =>
    endMember(organiser, params.member).then(done),
  )
  serve(contract.resetMemberFactor, async ({ organiser, params }) => {
    await resetMemberFactor(organiser, params.member)
    nudgeMailQueue(db)
    return done()
  })
  serve(contract.signMemberOut, ({ organiser, params }) =>
    signMemberOut(organiser, params.member).then(done),
  )
  serve(contract.leaveSociety, ({ organiser }) => leaveSociety(organiser).then(done))

  serve(contract.listInvitations, ({ organiser }) => listInvitations(organiser))
  serve(contract.inviteMembers, async ({ organiser, body }) => {
    const { expiresInDays = contract.INVITATION_DAYS.usual } = body
    for (const _ of body.emails) await invitations.take(organiser.userId)
    const invited = await invite(organiser, { ...body, expiresInDays }, { mail: true })
    nudgeMailQueue(db)
    return new Answer(201, invited)
  })
  serve(contract.resendInvitation, async ({ organiser, params }) => {
    await invitations.take(organiser.userId)
    await resendInvitation(organiser, params.invitation)
    nudgeMailQueue(db)
    return done()
  })
  serve(contract.revokeInvitation, ({ organiser, params }) =>
    revokeInvitation(organiser, params.invitation).then(done),
  )
  api.serve(contract.readInvitation, ({ body }) =>
    readInvitation({ db, secretKey, now: now() }, body.token),
  )
  api.serve(contract.acceptInvitation, ({ user, body }) =>
    acceptInvitation({ db, secretKey, now: now() }, user, body.token),
  )

  serve(listSocietyAssessments, async ({ organiser }) => {
    const found = await read(organiser, (client) =>
      listReachedWith(client, organiser.now, organiser),
    )
    return found.map(shown)
  })

  serve(getSocietyAssessment, async ({ organiser }) => {
    const [found] = await read(organiser, (client) =>
      listReachedWith(client, organiser.now, organiser),
    )
    // It may have been deleted since the guard looked.
    if (!found) throw refuse(404, 'not_found', `There is no test ${organiser.code}.`)
    return shown(found)
  })
}

const shown = (row: ListedAssessment) => ({
  code: row.code,
  society: row.society,
  session: row.session,
  season: row.season,
  isDraft: row.isDraft,
  durationSeconds: row.durationSeconds,
  opensAt: row.opensAt,
  closesAt: row.closesAt,
  timeZone: row.timeZone,
  itemCount: row.itemCount,
  candidateCount: row.candidateCount,
  runningCount: row.runningCount,
  submittedCount: row.submittedCount,
})
