import { Answer, type Api } from '../../../platform/server/api.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import { nudgeMailQueue } from '../../../platform/server/mail-queue.ts'
import { createQuota } from '../../../platform/server/quota.ts'
import { type Member, serveMembers } from '../../access/server/serve-members.ts'
import { refuse } from '../../kit/server/refuse.ts'
import { readSheetApart } from '../../questions/server/exchange/read-apart.ts'
import * as contract from '../contract.ts'
import { addCandidates } from './add.ts'
import { changeCandidate, changeCandidates } from './change.ts'
import { sendCredentials, stopWaiting } from './credentials.ts'
import { changeLetter, readLetter } from './letter.ts'
import { listCandidates, listMailsSince, readHistory, writeCandidates } from './list.ts'
import { removeCandidates } from './remove.ts'
import { printSlips } from './slips.ts'

const OF_SOCIETY = {
  name: 'credentialsOfSociety',
  limit: 5_000,
  sentence: 'Your society has sent many passwords today.',
}
const OF_MEMBER = {
  name: 'credentialsOfMember',
  limit: 5_000,
  sentence: 'You have sent many passwords today.',
}

/** An assessment's list of candidates and how their credentials reach them (product 7.10). */
export function serveCandidates(api: Api, dependencies: AppDependencies): void {
  const { db, secretKey, publicUrl } = dependencies
  const limits = {
    ofSociety: createQuota(dependencies, OF_SOCIETY),
    ofMember: createQuota(dependencies, OF_MEMBER),
  }
  const serve = serveMembers(api, dependencies)

  serve(contract.listCandidates, async ({ organiser }) => ({
    candidates: await listCandidates(organiser),
    asOf: organiser.now,
  }))
  serve(contract.getCandidate, ({ organiser, params }) => readHistory(organiser, params.candidate))
  serve(contract.listMails, async ({ organiser, query }) => ({
    ...(await listMailsSince(organiser, new Date(query.since))),
    asOf: organiser.now,
  }))

  serve(contract.addCandidates, async ({ organiser, body }) => {
    const added = await addCandidates(organiser, body, { secretKey, limits })
    nudgeMailQueue(db)
    return new Answer(201, added)
  })
  serve(contract.readSheet, ({ body }) => readSheetApart(Buffer.from(body.file, 'base64')))
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
  serve(contract.stopMails, ({ organiser, body }) =>
    stopWaiting(organiser, body.candidates ?? null),
  )
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
