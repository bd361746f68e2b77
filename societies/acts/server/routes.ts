import type { Api } from '../../../platform/server/api.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import { type Member, serveMembers } from '../../access/server/serve-members.ts'
import { roomOf } from '../../kit/roles.ts'
import * as contract from '../contract.ts'
import { changeTime } from './change-time.ts'
import { listMessages, sendMessage, withdrawMessage } from './messages.ts'
import { previewTime } from './preview-time.ts'
import { readStrikes } from './read-strikes.ts'
import { undoTime } from './undo-time.ts'

/** Time and messages: what organizers change during the test (product 7.15). */
export function serveActs(api: Api, dependencies: AppDependencies): void {
  const serve = serveMembers(api, dependencies)

  serve(contract.previewTime, ({ organiser, body }) => previewTime(organiser, body))
  serve(contract.changeTime, ({ organiser, body }) => changeTime(organiser, body))
  serve(contract.undoTime, ({ organiser, body }) => undoTime(organiser, body.requestId))

  const minutesTo = (candidate: string, seconds: number) => ({
    to: { candidates: [candidate], room: null },
    kind: 'give' as const,
    seconds,
    reopens: false,
  })
  const invigilatorLimits = ({ roles }: Member) => ({
    mostSeconds: contract.INVIGILATOR_SECONDS,
    room: roomOf(roles, 'give_incident_time'),
  })
  serve(contract.previewMinutes, ({ organiser, params, body }) =>
    previewTime(organiser, minutesTo(params.candidate, body.seconds), invigilatorLimits(organiser)),
  )
  serve(contract.giveMinutes, ({ organiser, params, body: { seconds, reason } }) =>
    changeTime(
      organiser,
      { ...minutesTo(params.candidate, seconds), reason },
      invigilatorLimits(organiser),
    ),
  )

  serve(contract.listMessages, ({ organiser }) => listMessages(organiser))
  serve(contract.sendMessage, ({ organiser, body }) => sendMessage(organiser, body))
  serve(contract.withdrawMessage, ({ organiser, body }) => withdrawMessage(organiser, body.ids))

  serve(contract.readStrikes, ({ organiser, body }) => readStrikes(organiser, body.to))
}
