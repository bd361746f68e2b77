import { ApiError } from '../../../platform/server/api.ts'
import { OrganiserRefusal, type RefusalFacts } from '../refusal.ts'

type TeamRefusal =
  | 'bad_addresses'
  | 'owner_is_unlimited'
  | 'not_of_society'
  | 'room_without_role'
  | 'no_such_invitation'
  | 'invitation_closed'
  | 'no_such_member'
  | 'role_held'
  | 'last_owner'
  | 'own_factor'
  | 'no_factor'
  | 'roles_elsewhere'

/** What is refused of members and invitations, in the same words in the browser and at the command line. */
export const TEAM_SENTENCES: { [Code in TeamRefusal]: (facts: RefusalFacts[Code]) => string } = {
  bad_addresses: ({ addresses }) =>
    `${addresses.length === 1 ? 'This is no e-mail address' : 'These are no e-mail addresses'}: ${addresses.join(', ')}. Nobody was invited.`,
  owner_is_unlimited: () => 'An owner has the whole society. Choose another role for one test.',
  not_of_society: ({ assessment }) => `The society has no test ${assessment}.`,
  room_without_role: () => 'Only an invigilator has a room.',
  no_such_invitation: () => 'There is no such invitation.',
  invitation_closed: ({ email, state }) =>
    state === 'accepted'
      ? `${email} has accepted this invitation; change or end the role instead.`
      : `The invitation of ${email} was revoked; please make a new one.`,
  no_such_member: () => 'There is no such role, or it has ended.',
  role_held: ({ role }) => `This member is ${role} there already; change that role instead.`,
  last_owner: () =>
    'A society keeps at least one owner, so that somebody can let others in. Please invite another owner first.',
  own_factor: () => 'Your own second factor is in your Personal Hub; remove it there.',
  no_factor: ({ email }) => `${email} has no second factor.`,
  roles_elsewhere: ({ email }) =>
    `${email} helps another society too, whose questions the second factor guards as well. Please ask whoever runs Superday here to reset it.`,
}

const STATUS: { [Code in TeamRefusal | 'society_exists']: 400 | 404 | 409 } = {
  bad_addresses: 400,
  owner_is_unlimited: 400,
  not_of_society: 400,
  room_without_role: 400,
  no_such_invitation: 404,
  invitation_closed: 409,
  no_such_member: 404,
  role_held: 409,
  last_owner: 409,
  own_factor: 409,
  no_factor: 409,
  roles_elsewhere: 409,
  society_exists: 409,
}

/** What an act returns, or its refusal as the API says it. Errors: ApiError. */
export async function answered<T>(act: Promise<T>): Promise<T> {
  try {
    return await act
  } catch (error) {
    if (!(error instanceof OrganiserRefusal) || !(error.code in STATUS)) throw error
    const code = error.code as keyof typeof STATUS
    const sentence =
      code === 'society_exists'
        ? 'There is a society of this name already. If it is yours, ask one of its owners to invite you.'
        : (TEAM_SENTENCES[code] as (facts: unknown) => string)(error.facts)
    throw new ApiError(STATUS[code], code, sentence)
  }
}
