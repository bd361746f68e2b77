import { Answer, type Api } from '../../../platform/server/api.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import { nudgeMailQueue } from '../../../platform/server/mail-queue.ts'
import { createQuota } from '../../../platform/server/quota.ts'
import { type Member, serveMembers } from '../../access/server/serve-members.ts'
import { read } from '../../kit/server/action.ts'
import { refuse } from '../../kit/server/refuse.ts'
import { createFileTurns, readFileApart } from '../../questions/server/exchange/read-apart.ts'
import * as contract from '../contract.ts'
import { addCandidates, changeCandidate, changeCandidates, removeCandidates } from './change.ts'
import { printSlips, sendCredentials, stopWaiting } from './credentials.ts'
import { listMailsSince, readCandidates, readHistory, writeCandidates } from './list.ts'
import { changeLetter, readLetter } from './mails.ts'

/** An assessment's list of candidates and how their credentials reach them (product 7.10). */
export function serveCandidates(api: Api, dependencies: AppDependencies): void {
  const { db, secretKey, publicUrl, supportEmail } = dependencies
  const quotaOf = (name: string, limit: number, sentence: string) =>
    createQuota(dependencies, { name, limit, sentence })
  const toSupport = `A new society can send 200 passwords a day. For more, write to ${supportEmail}.`
  const limits = {
    ofSociety: quotaOf(
      'credentialsOfSociety',
      5_000,
      'Your society has sent many passwords today.',
    ),
    ofMember: quotaOf('credentialsOfMember', 5_000, 'You have sent many passwords today.'),
    ofNewcomer: quotaOf('credentialsOfNewcomer', 200, toSupport),
  }
  const serve = serveMembers(api, dependencies)
  const inTurn = createFileTurns(dependencies)

  serve(contract.listCandidates, async ({ organiser }) => ({
    candidates: await read(organiser, (client) => readCandidates(client, organiser)),
    asOf: organiser.now,
  }))
  serve(contract.getCandidate, ({ organiser, params }) => readHistory(organiser, params.candidate))
  serve(contract.listMails, ({ organiser, query }) =>
    listMailsSince(organiser, new Date(query.since)),
  )

  serve(contract.addCandidates, async ({ organiser, body }) => {
    const added = await addCandidates(organiser, body, { secretKey, limits })
    nudgeMailQueue(db)
    return new Answer(201, added)
  })
  serve(contract.readSheet, ({ organiser, body }) =>
    inTurn(organiser.userId, () =>
      readFileApart('sheet', Buffer.from(body.file, 'base64'), { society: organiser.societyId }),
    ),
  )
  serve(contract.changeCandidate, ({ organiser, params, body }) =>
    changeCandidate(organiser, params.candidate, body),
  )
  serve(contract.changeCandidates, ({ organiser, body }) => changeCandidates(organiser, body))
  serve(contract.removeCandidates, ({ organiser, body }) =>
    removeCandidates(organiser, body.candidates),
  )

  serve(contract.sendCredentials, async ({ organiser, body: { candidates } }) => {
    requireOne(organiser, candidates)
    const queued = await sendCredentials(organiser, candidates, limits)
    nudgeMailQueue(db)
    return queued
  })
  serve(contract.stopMails, ({ organiser }) => stopWaiting(organiser))
  serve(contract.printSlips, async ({ organiser, body: { candidates } }) => {
    requireOne(organiser, candidates)
    return printSlips(organiser, candidates, secretKey)
  })
  serve(contract.writeCandidates, ({ organiser, body }) =>
    writeCandidates(organiser, body.candidates),
  )

  serve(contract.getLetter, async ({ organiser }) => ({
    ...(await readLetter(organiser)),
    publicUrl,
  }))
  serve(contract.changeLetter, ({ organiser, body }) => changeLetter(organiser, body))
}

/** A member who can only reset passwords does so one by one. */
function requireOne({ extent }: Member, ids: readonly string[]): void {
  if (extent === 'all' || ids.length === 1) return
  throw refuse(403, 'one_at_a_time', 'You can give one candidate at a time a new password.')
}
