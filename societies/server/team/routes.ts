import { Answer, type Api } from '../../../platform/server/api.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import { nudgeMailQueue } from '../../../platform/server/mail-queue.ts'
import { createQuota } from '../../../platform/server/quota.ts'
import * as contract from '../../contract.ts'
import { memberOf } from '../action.ts'
import { acceptInvitation, readInvitation } from './accept.ts'
import { foundingOf, foundSociety, listMySocieties } from './founding.ts'
import { invite, listInvitations, resendInvitation, revokeInvitation } from './invitations.ts'
import { resetMemberFactor, signMemberOut } from './member-sessions.ts'
import { changeMember, endMember, leaveSociety, listMembers, listRooms } from './members.ts'
import { answered } from './refused.ts'
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

const DONE = { done: true } as const

/** Societies, their members and invitations (product 7.7). */
export function serveTeam(api: Api, dependencies: AppDependencies): void {
  const { db, now, secretKey, foundingOpen } = dependencies
  const invitations = createQuota(dependencies, INVITATIONS_QUOTA)
  const societies = createQuota(dependencies, SOCIETIES_QUOTA)
  const organiserOf = memberOf(dependencies)

  api.serve(contract.listMySocieties, async ({ user }) => ({
    societies: await listMySocieties({ db, now: now() }, user.id),
    founding: await foundingOf(db, user.id, foundingOpen),
  }))

  api.serve(contract.foundSociety, async ({ user, body }) => {
    const founded = foundSociety(organiserOf(user), body.name, {
      isOpen: foundingOpen,
      takeOne: () => societies.take(user.id),
    })
    return new Answer(201, await answered(founded))
  })

  api.serve(contract.getSocietySettings, ({ organiser }) => readSettings(db, organiser.societyId))

  api.serve(contract.changeSocietySettings, ({ user, organiser, body }) =>
    answered(changeSettings(organiserOf(user), organiser.societyId, body)),
  )

  api.serve(contract.listMembers, async ({ organiser }) => {
    const members = await listMembers({ db, now: now() }, organiser.societyId)
    return members.map((member) => ({
      ...member,
      createdAt: member.createdAt.toISOString(),
      endedAt: member.endedAt?.toISOString() ?? null,
    }))
  })

  api.serve(contract.changeMember, async ({ user, organiser, params, body }) => {
    await answered(changeMember(organiserOf(user), organiser.societyId, params.member, body))
    return DONE
  })

  api.serve(contract.listRooms, ({ organiser }) => listRooms({ db }, organiser.societyId))

  api.serve(contract.endMember, async ({ user, organiser, params }) => {
    await answered(endMember(organiserOf(user), organiser.societyId, params.member))
    return DONE
  })

  api.serve(contract.resetMemberFactor, async ({ user, organiser, params }) => {
    await answered(resetMemberFactor(organiserOf(user), organiser.societyId, params.member))
    nudgeMailQueue(db)
    return DONE
  })

  api.serve(contract.signMemberOut, async ({ user, organiser, params }) => {
    await answered(signMemberOut(organiserOf(user), organiser.societyId, params.member))
    return DONE
  })

  api.serve(contract.leaveSociety, async ({ user, organiser }) => {
    await answered(leaveSociety(organiserOf(user), organiser.societyId))
    return DONE
  })

  api.serve(contract.listInvitations, async ({ organiser }) => {
    const found = await listInvitations({ db, now: now() }, organiser.societyId)
    return found.map((one) => ({
      ...one,
      expiresAt: one.expiresAt.toISOString(),
      createdAt: one.createdAt.toISOString(),
      lastSentAt: one.lastSentAt?.toISOString() ?? null,
      acceptedAt: one.acceptedAt?.toISOString() ?? null,
      revokedAt: one.revokedAt?.toISOString() ?? null,
    }))
  })

  api.serve(contract.inviteMembers, async ({ user, organiser, body }) => {
    const { expiresInDays = contract.INVITATION_DAYS.usual, ...asked } = body
    for (const _ of body.emails) await invitations.take(user.id)
    const invited = await answered(
      invite(organiserOf(user), organiser.societyId, { ...asked, expiresInDays }, { mail: true }),
    )
    nudgeMailQueue(db)
    return new Answer(201, invited)
  })

  api.serve(contract.resendInvitation, async ({ user, organiser, params }) => {
    await invitations.take(user.id)
    await answered(resendInvitation(organiserOf(user), organiser.societyId, params.invitation))
    nudgeMailQueue(db)
    return DONE
  })

  api.serve(contract.revokeInvitation, async ({ user, organiser, params }) => {
    await answered(revokeInvitation(organiserOf(user), organiser.societyId, params.invitation))
    return DONE
  })

  api.serve(contract.readInvitation, async ({ body }) => {
    const found = await readInvitation({ db, secretKey, now: now() }, body.token)
    const { society, invitedBy, email, roles, named, room, expiresAt } = found
    return {
      ...{ society, invitedBy, email, roles, assessment: named, room },
      expiresAt: expiresAt.toISOString(),
    }
  })

  api.serve(contract.acceptInvitation, ({ user, body }) =>
    acceptInvitation({ db, secretKey, now: now() }, user, body.token),
  )
}
