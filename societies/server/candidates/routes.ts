import { Answer, type Api, ApiError } from '../../../platform/server/api.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import { nudgeMailQueue } from '../../../platform/server/mail-queue.ts'
import { createQuota } from '../../../platform/server/quota.ts'
import * as contract from '../../contract/candidates.ts'
import { memberOf } from '../action.ts'
import { readSheetApart } from '../exchange/read-apart.ts'
import { OrganiserRefusal } from '../refusal.ts'
import { addCandidates } from './add.ts'
import { changeCandidate, changeCandidates } from './change.ts'
import { sendCredentials, stopWaiting } from './credentials.ts'
import { exportCandidates } from './csv.ts'
import { changeLetterText, readLetterText } from './letter.ts'
import { getHistory, listCandidates, listMailsSince } from './list.ts'
import { answered } from './refused.ts'
import { removeCandidates } from './remove.ts'
import { makeSlips } from './slips.ts'

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
  const { db, now, secretKey, publicUrl } = dependencies
  const limits = {
    ofSociety: createQuota(dependencies, OF_SOCIETY),
    ofMember: createQuota(dependencies, OF_MEMBER),
  }
  const organiserOf = memberOf(dependencies)

  api.serve(contract.listCandidates, async ({ organiser, params }) => {
    const asOf = now().toISOString()
    return { candidates: await listCandidates({ db }, organiser.societyId, params.code), asOf }
  })

  api.serve(contract.listMails, async ({ organiser, params, query }) => {
    const asOf = now().toISOString()
    const since = new Date(query.since)
    const found = await listMailsSince({ db }, organiser.societyId, params.code, since)
    const changed = found.changed.map((one) => ({
      ...one,
      at: one.at.toISOString(),
      passwordMadeAt: one.passwordMadeAt?.toISOString() ?? null,
    }))
    return { changed, waiting: found.waiting, asOf }
  })

  api.serve(contract.getCandidate, async ({ organiser, params }) => {
    const found = await getHistory({ db }, organiser.societyId, params.code, params.candidate)
    if (!found) {
      throw new ApiError(404, 'not_found', 'This candidate is not on the list any more.')
    }
    const mails = found.mails.map((mail) => ({
      ...mail,
      at: mail.at.toISOString(),
      createdAt: mail.createdAt.toISOString(),
    }))
    return { ...found, mails }
  })

  api.serve(contract.addCandidates, async ({ user, params, body }) => {
    const how = { secretKey, limits }
    const organiser = organiserOf(user, body.requestId)
    const added = await answered(addCandidates(organiser, params.code, body, how))
    nudgeMailQueue(db)
    return new Answer(201, added)
  })

  api.serve(contract.readSheet, ({ body }) => readSheetApart(Buffer.from(body.file, 'base64')))

  api.serve(contract.changeCandidate, ({ user, params, body }) =>
    answered(changeCandidate(organiserOf(user), params.code, params.candidate, body)),
  )

  api.serve(contract.changeCandidates, ({ user, params, body }) =>
    answered(changeCandidates(organiserOf(user), params.code, body.candidates, body.room)),
  )

  api.serve(contract.removeCandidates, ({ user, params, body }) =>
    answered(removeCandidates(organiserOf(user), params.code, body.candidates)),
  )

  api.serve(contract.sendCredentials, async ({ user, organiser, params, body }) => {
    const { candidates } = body
    const done = await answered(
      requireOne(organiser.extent, candidates).then(() =>
        sendCredentials(organiserOf(user), params.code, candidates, limits),
      ),
    )
    nudgeMailQueue(db)
    return { ...done, untilAt: done.untilAt.toISOString() }
  })

  api.serve(contract.stopMails, async ({ user, params, body }) => {
    const stopped = stopWaiting(organiserOf(user), params.code, body.candidates ?? null)
    return { stopped: await answered(stopped) }
  })

  api.serve(contract.printSlips, async ({ user, organiser, params, body }) => {
    const { candidates } = body
    const slips = await answered(
      requireOne(organiser.extent, candidates).then(() =>
        makeSlips(organiserOf(user), params.code, candidates, { secretKey }),
      ),
    )
    return { slips }
  })

  api.serve(contract.writeCandidates, async ({ user, organiser, params, body }) => ({
    csv: await answered(
      exportCandidates(organiserOf(user), organiser.societyId, params.code, body.candidates),
    ),
  }))

  api.serve(contract.getLetter, async ({ organiser, params }) => ({
    ...(await answered(readLetterText({ db }, organiser.societyId, params.code))),
    publicUrl,
  }))

  api.serve(contract.changeLetter, async ({ user, params, body }) => ({
    version: await answered(changeLetterText(organiserOf(user), params.code, body)),
  }))
}

/** Who may reset passwords alone does it one by one. Errors: OrganiserRefusal. */
async function requireOne(
  extent: 'all' | readonly string[],
  ids: readonly string[],
): Promise<void> {
  if (extent !== 'all' && ids.length !== 1) throw new OrganiserRefusal('one_at_a_time', {})
}
