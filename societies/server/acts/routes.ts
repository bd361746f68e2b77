import type { Api } from '../../../platform/server/api.ts'
import type { CurrentOrganiser } from '../../../platform/server/current-user.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import * as contract from '../../contract/acts.ts'
import { type Act, type HeldRole, roomOf } from '../../roles.ts'
import { memberOf } from '../action.ts'
import type { Place } from '../assessments.ts'
import { exemptCandidate, restoreStrikes, takeStrikesBack } from '../incidents/strikes.ts'
import { changeTime, invigilatorLimits, NO_LIMITS, previewTime, undoTime } from './change-time.ts'
import { acceptLateAnswers, previewLate } from './late.ts'
import { listMessages, sendMessage, withdrawMessage } from './messages.ts'
import { readStrikes } from './read-strikes.ts'
import { answered } from './refused.ts'

/** Time, messages, strikes: what organisers do while candidates write (product 7.15). */
export function serveActs(api: Api, dependencies: AppDependencies): void {
  const { db } = dependencies
  const organiserOf = memberOf(dependencies)
  const placeOf = ({ societyId }: CurrentOrganiser, code: string): Place => ({ code, societyId })
  const ownRoom = ({ roles }: CurrentOrganiser, act: Act) =>
    roomOf(roles as readonly HeldRole[], act)

  api.serve(contract.previewTime, ({ user, organiser, params, body }) =>
    answered(previewTime(organiserOf(user), placeOf(organiser, params.code), body, NO_LIMITS)),
  )

  api.serve(contract.changeTime, ({ user, organiser, params, body }) => {
    const { requestId, ...given } = body
    const place = placeOf(organiser, params.code)
    return answered(changeTime(organiserOf(user, requestId), place, given, NO_LIMITS))
  })

  /** Minutes to one candidate, as the time act is asked for them. */
  const minutesTo = (candidate: string, seconds: number) => ({
    to: { candidates: [candidate], room: null },
    kind: 'give' as const,
    seconds,
    reopens: false,
  })

  api.serve(contract.previewMinutes, async ({ user, organiser, params, body }) => {
    const room = ownRoom(organiser, 'give_incident_time')
    const asked = minutesTo(params.candidate, body.seconds)
    const place = placeOf(organiser, params.code)
    return answered(previewTime(organiserOf(user), place, asked, invigilatorLimits(room)))
  })

  api.serve(contract.giveMinutes, async ({ user, organiser, params, body }) => {
    const room = ownRoom(organiser, 'give_incident_time')
    const { requestId, seconds, reason } = body
    const given = { ...minutesTo(params.candidate, seconds), reason }
    const place = placeOf(organiser, params.code)
    return answered(changeTime(organiserOf(user, requestId), place, given, invigilatorLimits(room)))
  })

  api.serve(contract.undoTime, async ({ user, organiser, params, body }) => {
    const place = placeOf(organiser, params.code)
    return { undone: await answered(undoTime(organiserOf(user), place, body.requestId)) }
  })

  api.serve(contract.listMessages, async ({ organiser, params }) => {
    const room = ownRoom(organiser, 'message_candidates')
    const messages = await answered(listMessages({ db }, placeOf(organiser, params.code), room))
    return { messages: messages.map((one) => ({ ...one, at: one.at.toISOString() })) }
  })

  api.serve(contract.sendMessage, async ({ user, organiser, params, body }) => {
    const room = ownRoom(organiser, 'message_candidates')
    const place = placeOf(organiser, params.code)
    return answered(sendMessage(organiserOf(user, body.requestId), place, body, room))
  })

  api.serve(contract.withdrawMessage, async ({ user, organiser, params, body }) => {
    const room = ownRoom(organiser, 'message_candidates')
    const place = placeOf(organiser, params.code)
    return {
      withdrawn: await answered(withdrawMessage(organiserOf(user), place, body.ids, room)),
    }
  })

  api.serve(contract.readStrikes, async ({ organiser, params, body }) => {
    const found = await answered(readStrikes({ db }, placeOf(organiser, params.code), body.to))
    const strikes = found.strikes.map((one) => ({ ...one, at: one.at.toISOString() }))
    return { ...found, strikes }
  })

  api.serve(contract.takeStrikesBack, ({ user, organiser, params, body }) => {
    const { requestId, events, reason } = body
    const place = placeOf(organiser, params.code)
    return answered(takeStrikesBack({ ...organiserOf(user, requestId), ...place }, events, reason))
  })

  api.serve(contract.restoreStrikes, async ({ user, organiser, params, body }) => {
    const place = placeOf(organiser, params.code)
    const { events, reason } = body
    return {
      events: await answered(restoreStrikes({ ...organiserOf(user), ...place }, events, reason)),
    }
  })

  api.serve(contract.exemptFromKinds, ({ user, organiser, params, body }) =>
    answered(
      exemptCandidate(
        { ...organiserOf(user), ...placeOf(organiser, params.code) },
        params.candidate,
        body.kinds,
      ),
    ),
  )

  api.serve(contract.listLateAnswers, async ({ user, organiser, params }) => {
    const place = placeOf(organiser, params.code)
    const found = await answered(previewLate(organiserOf(user), place))
    const people = found.people.map((person) => ({
      ...person,
      answers: person.answers.map((one) => ({
        ...one,
        chosenAt: one.chosenAt?.toISOString() ?? null,
        receivedAt: one.receivedAt.toISOString(),
      })),
    }))
    return { ...found, people }
  })

  api.serve(contract.acceptLateAnswers, ({ user, organiser, params, body }) => {
    const place = placeOf(organiser, params.code)
    return answered(acceptLateAnswers(organiserOf(user, body.requestId), place, body))
  })
}
