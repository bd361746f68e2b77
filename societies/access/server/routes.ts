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

/** Societies, their members and invitations (product 7.7). */
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
    sentence: 'You have founded several societies today.',
  })
  const organiserOf = memberOf(dependencies)
  const serve = serveMembers(api, dependencies)

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
  serve(contract.getSocietySettings, ({ organiser: { societyId } }) =>
    readSettings(db.$client, societyId),
  )
  serve(contract.changeSocietySettings, ({ organiser, body }) => changeSettings(organiser, body))

  serve(contract.listMembers, ({ organiser }) => listMembers(organiser))
  serve(contract.listRooms, ({ organiser }) => listRooms(organiser))
  serve(contract.changeMember, ({ organiser, params, body }) =>
    changeMember(organiser, params.member, body),
  )
  serve(contract.endMember, ({ organiser, params }) => endMember(organiser, params.member))
  serve(contract.resetMemberFactor, async ({ organiser, params }) => {
    const done = await resetMemberFactor(organiser, params.member)
    nudgeMailQueue(db)
    return done
  })
  serve(contract.signMemberOut, ({ organiser, params }) => signMemberOut(organiser, params.member))
  serve(contract.leaveSociety, ({ organiser }) => leaveSociety(organiser))

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
    const done = await resendInvitation(organiser, params.invitation)
    nudgeMailQueue(db)
    return done
  })
  serve(contract.revokeInvitation, ({ organiser, params }) =>
    revokeInvitation(organiser, params.invitation),
  )
  api.serve(contract.readInvitation, ({ body }) =>
    readInvitation({ db, secretKey, now: now() }, body.token),
  )
  api.serve(contract.acceptInvitation, ({ user, body }) =>
    acceptInvitation({ db, secretKey, now: now() }, user, body.token),
  )

  const listTests = (organiser: Member & { code?: string | null }) =>
    read(organiser, (client) => listShown(client, organiser.now, organiser))
  serve(listSocietyAssessments, ({ organiser }) => listTests(organiser))
  serve(getSocietyAssessment, async ({ organiser }) => {
    const [found] = await listTests(organiser)
    // It may have been deleted since the guard looked.
    if (!found) throw refuse(404, 'not_found', `There is no test ${organiser.code}.`)
    return found
  })
}
