import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../platform/web/api.ts'
import {
  acceptInvitation,
  getSocietySettings,
  listInvitations,
  listMembers,
  listRooms,
  readInvitation,
} from '../../contract.ts'
import { societyKey } from '../console/queries.ts'

export const membersQuery = (society: string) =>
  queryOptions({
    queryKey: [...societyKey(society), 'members'],
    queryFn: ({ signal }) => call(listMembers, { params: { society } }, { signal }),
  })
export type Member = Awaited<
  ReturnType<NonNullable<ReturnType<typeof membersQuery>['queryFn']>>
>[number]

/** To choose from; another one may be typed. */
export const roomsQuery = (society: string) =>
  queryOptions({
    queryKey: [...societyKey(society), 'rooms'],
    queryFn: ({ signal }) => call(listRooms, { params: { society } }, { signal }),
  })

/** Mails go out meanwhile, so it is read again and again. */
export const invitationsQuery = (society: string) =>
  queryOptions({
    queryKey: [...societyKey(society), 'invitations'],
    queryFn: ({ signal }) => call(listInvitations, { params: { society } }, { signal }),
    refetchInterval: 10_000,
  })
export type Invitation = Awaited<
  ReturnType<NonNullable<ReturnType<typeof invitationsQuery>['queryFn']>>
>[number]

export const settingsQuery = (society: string) =>
  queryOptions({
    queryKey: [...societyKey(society), 'settings'],
    queryFn: ({ signal }) => call(getSocietySettings, { params: { society } }, { signal }),
  })
export type SocietySettings = Awaited<
  ReturnType<NonNullable<ReturnType<typeof settingsQuery>['queryFn']>>
>

/** What a link invites to. The key is logged when it fails, so it holds a piece of the token alone. */
export const offerQuery = (token: string) =>
  queryOptions({
    queryKey: ['invitation', token.slice(0, 6)],
    queryFn: ({ signal }) => call(readInvitation, { body: { token } }, { signal }),
    staleTime: 0,
  })

/**
 * The society of an invitation that was used, where this account has used it: accepting again what one has accepted
 * changes nothing, and is refused to everybody else.
 */
export const acceptedQuery = (token: string, userId: string) =>
  queryOptions({
    queryKey: ['invitation', token.slice(0, 6), 'accepted', userId],
    queryFn: ({ signal }) => call(acceptInvitation, { body: { token } }, { signal }),
    staleTime: 0,
    retry: false,
  })
