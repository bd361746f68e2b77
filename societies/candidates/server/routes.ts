import { Answer, type Api } from '../../../platform/server/api.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import { nudgeMailQueue } from '../../../platform/server/mail-queue.ts'
import { type Member, serveMembers } from '../../access/server/serve-members.ts'
import { read } from '../../kit/server/action.ts'
import { refuse } from '../../kit/server/refuse.ts'
import { createFileTurns, readFileApart } from '../../questions/server/exchange/read-apart.ts'
import * as contract from '../contract.ts'
import { addCandidates, changeCandidate, changeCandidates, removeCandidates } from './change.ts'
import { createMailLimits, printSlips, sendCredentials, stopWaiting } from './credentials.ts'
import { listMailsSince, readCandidates, readHistory, writeCandidates } from './list.ts'
import { changeLetter, readLetter } from './mails.ts'

/** Serves an assessment's candidates and how they get their credentials (product 7.10). */
export function serveCandidates(api: Api, dependencies: AppDependencies): void {
  const { db, secretKey, publicUrl } = dependencies
  const limits = createMailLimits(dependencies)
  const serve = serveMembers(api, dependencies)
  const inTurn = createFileTurns(dependencies)

  serve(contract.listCandidates, async ({ organizer }) => ({
    candidates: await read(organizer, (client) => readCandidates(client, organizer)),
    asOf: organizer.now,
  }))
  serve(contract.getCandidate, ({ organizer, params }) => readHistory(organizer, params.candidate))
  serve(contract.listMails, ({ organizer, query }) =>
    listMailsSince(organizer, new Date(query.since)),
  )

  serve(contract.addCandidates, async ({ organizer, body }) => {
    const added = await addCandidates(organizer, body, { secretKey, limits })
    nudgeMailQueue(db)
    return new Answer(201, added)
  })
  serve(contract.readSheet, ({ organizer: { userId, societyId }, body, context }) =>
    inTurn(userId, () =>
      readFileApart('sheet', Buffer.from(body.file, 'base64'), {
        ...{ society: societyId, signal: context.req.raw.signal },
      }),
    ),
  )
  serve(contract.changeCandidate, ({ organizer, params, body }) =>
    changeCandidate(organizer, params.candidate, body),
  )
  serve(contract.changeCandidates, ({ organizer, body }) => changeCandidates(organizer, body))
  serve(contract.removeCandidates, ({ organizer, body }) =>
    removeCandidates(organizer, body.candidates),
  )

  serve(contract.sendCredentials, async ({ organizer, body: { candidates } }) => {
    requireOne(organizer, candidates)
    const queued = await sendCredentials(organizer, candidates, limits)
    nudgeMailQueue(db)
    return queued
  })
  serve(contract.stopMails, ({ organizer }) => stopWaiting(organizer))
  serve(contract.printSlips, async ({ organizer, body: { candidates } }) => {
    requireOne(organizer, candidates)
    return printSlips(organizer, candidates, secretKey)
  })
  serve(contract.writeCandidates, ({ organizer, body }) =>
    writeCandidates(organizer, body.candidates),
  )

  serve(contract.getLetter, async ({ organizer }) => ({
    ...(await readLetter(organizer)),
    publicUrl,
  }))
  serve(contract.changeLetter, ({ organizer, body }) => changeLetter(organizer, body))
}

/** A member who can only reset passwords can reset one per request. */
function requireOne({ extent }: Member, ids: readonly string[]): void {
  if (extent === 'all' || ids.length === 1) return
  throw refuse(403, 'one_at_a_time', 'You can give one candidate at a time a new password.')
}
