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
import { listShown } from './assessments.ts'
import {
  acceptInvitation,
  invite,
  listInvitations,
  readInvitation,
  resendInvitation,
  revokeInvitation,
} from './invitations.ts'
import {
  changeMember,
  endMember,
  leaveSociety,
  listMembers,
  listRooms,
  resetMemberFactor,
  signMemberOut,
} from './members.ts'
import { type Member, serveMembers } from './serve-members.ts'
import {
  changeSettings,
  foundingOf,
  foundSociety,
  listMySocieties,
  readSettings,
} from './societies.ts'

/** Serves societies, their members and invitations (product 7.7). */
export function serveTeam(api: Api, dependencies: AppDependencies): void {
  const { db, now, secretKey, foundingOpen } = dependencies
  const invitations = createQuota(dependencies, {
    name: 'invitations',
    limit: 200,
    sentence: 'You have sent many invitations today.',
  })
  const societies = createQuota(dependencies, {
    name: 'societies',
    limit: 5,
    sentence: 'You have created several societies today.',
  })
  const organizerOf = memberOf(dependencies)
  const serve = serveMembers(api, dependencies)

  api.serve(listMine, async ({ user }) => ({
    societies: await listMySocieties({ db, now: now() }, user.id),
    founding: await foundingOf(db, user.id, foundingOpen),
  }))
  api.serve(contract.foundSociety, async ({ user, body }) => {
    const founded = await foundSociety(organizerOf(user), body.name, {
      isOpen: foundingOpen,
      takeOne: () => societies.take(user.id),
    })
    return new Answer(201, founded)
  })
  serve(contract.getSocietySettings, ({ organizer: { societyId } }) =>
    readSettings(db.$client, societyId),
  )
  serve(contract.changeSocietySettings, ({ organizer, body }) => changeSettings(organizer, body))

  serve(contract.listMembers, ({ organizer }) => listMembers(organizer))
  serve(contract.listRooms, ({ organizer }) => listRooms(organizer))
  serve(contract.changeMember, ({ organizer, params, body }) =>
    changeMember(organizer, params.member, body),
  )
  serve(contract.endMember, ({ organizer, params }) => endMember(organizer, params.member))
  serve(contract.resetMemberFactor, async ({ organizer, params }) => {
    const done = await resetMemberFactor(organizer, params.member)
    nudgeMailQueue(db)
    return done
  })
  serve(contract.signMemberOut, ({ organizer, params }) => signMemberOut(organizer, params.member))
  serve(contract.leaveSociety, ({ organizer }) => leaveSociety(organizer))

  serve(contract.listInvitations, ({ organizer }) => listInvitations(organizer))
  serve(contract.inviteMembers, async ({ organizer, body }) => {
    const { expiresInDays = contract.INVITATION_DAYS.usual } = body
    for (const _ of body.emails) await invitations.take(organizer.userId)
    const invited = await invite(organizer, { ...body, expiresInDays }, { mail: true })
    nudgeMailQueue(db)
    return new Answer(201, invited)
  })
  serve(contract.resendInvitation, async ({ organizer, params }) => {
    await invitations.take(organizer.userId)
    const done = await resendInvitation(organizer, params.invitation)
    nudgeMailQueue(db)
    return done
  })
  serve(contract.revokeInvitation, ({ organizer, params }) =>
    revokeInvitation(organizer, params.invitation),
  )
  api.serve(contract.readInvitation, ({ body }) =>
    readInvitation({ db, secretKey, now: now() }, body.token),
  )
  api.serve(contract.acceptInvitation, ({ user, body }) =>
    acceptInvitation({ db, secretKey, now: now() }, user, body.token),
  )

  const listTests = (organizer: Member & { code?: string | null }) =>
    read(organizer, (client) => listShown(client, organizer.now, organizer))
  serve(listSocietyAssessments, ({ organizer }) => listTests(organizer))
  serve(getSocietyAssessment, async ({ organizer }) => {
    const [found] = await listTests(organizer)
    // The test may have been deleted since the guard checked.
    if (!found) throw refuse(404, 'not_found', `There is no test with the code ${organizer.code}.`)
    return found
  })
}
