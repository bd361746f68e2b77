import { answerPicture, getPictureOf } from '../../../assessments/server/picture-store.ts'
import { PICTURE_LIMITS } from '../../../platform/exhibit.ts'
import { Answer, type Api, ApiError, readFile } from '../../../platform/server/api.ts'
import type { CurrentOrganiser } from '../../../platform/server/current-user.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import { createQuota } from '../../../platform/server/quota.ts'
import { stateOf } from '../../assessment-state.ts'
import * as contract from '../../contract/questions.ts'
import { type Client, memberOf, read } from '../action.ts'
import { countAttempts } from '../assessments.ts'
import { assignForm } from './assign-form.ts'
import { type KeyCheck, readKeyChecks, storeKeyCheck } from './key-checks.ts'
import { noteOnceAnHour } from './keys-read.ts'
import { addPicture } from './pictures.ts'
import { readBank, readLastTimes, readSharedWith } from './read-questions.ts'
import { contentOf, type Place, readStored } from './stored.ts'
import { takeFromBank } from './take-questions.ts'
import { listVersions } from './versions.ts'
import * as writing from './write-questions.ts'

const PICTURES_QUOTA = {
  name: 'pictures',
  limit: 200,
  sentence: 'You have added many pictures today.',
}

/** The questions of an assessment, their versions and pictures, and the society's bank (product 7.9). */
export function serveEditor(api: Api, dependencies: AppDependencies): void {
  const { db, now } = dependencies
  const pictures = createQuota(dependencies, PICTURES_QUOTA)
  const organiserOf = memberOf(dependencies)

  api.serve(contract.listQuestions, async ({ user, organiser }) => {
    const place = placeOf(organiser)
    const asker = { userId: user.id, now: now() }
    const found = await read({ db }, async (client) => {
      const assessment = await requireReadable(client, place, organiser, now())
      const questions = await readStored(client, place)
      const ids = questions.map(({ questionId }) => questionId)
      const lastTimes = await readLastTimes(client, place, ids, asker)
      const sharedWith = await readSharedWith(client, place, ids, asker)
      const checks = new Map(
        (await readKeyChecks(client, [place.code])).map((one) => [one.questionId, one.checks]),
      )
      const isStarted = (await countAttempts(client, place.code)) > 0
      return { assessment, questions, lastTimes, sharedWith, checks, isStarted }
    })
    await noteOnceAnHour(organiserOf(user), place, 'read-keys')
    const { assessment, questions, lastTimes, sharedWith, checks, isStarted } = found
    return {
      listVersion: writing.listVersionOf(questions),
      lockedBy: isStarted ? ('started' as const) : null,
      isSample: assessment.isSample,
      items: questions.map((row) => ({
        ...{ questionId: row.questionId, version: row.version, ...contentOf(row) },
        form: row.form,
        lastTime: lastTimes.get(row.questionId) ?? null,
        checks: (checks.get(row.questionId) ?? []).map((check) => checkShown(check, user.id)),
        sharedWith: sharedWith.get(row.questionId) ?? [],
      })),
    }
  })

  api.serve(contract.addQuestion, async ({ user, organiser, body }) => {
    const added = await writing.addQuestion(organiserOf(user), placeOf(organiser), body)
    return new Answer(201, added)
  })

  api.serve(contract.saveQuestion, ({ user, organiser, params, body }) =>
    writing.saveQuestion(organiserOf(user), placeOf(organiser), {
      ...{ questionId: params.question, ...body },
    }),
  )

  api.serve(contract.removeQuestion, async ({ user, organiser, params, body }) => {
    const asked = { questionId: params.question, ...body }
    const listVersion = await writing.removeQuestion(organiserOf(user), placeOf(organiser), asked)
    return { listVersion }
  })

  api.serve(contract.restoreQuestion, async ({ user, organiser, params, body }) => {
    const asked = { questionId: params.question, position: body.position, form: body.form ?? null }
    const listVersion = await writing.restoreQuestion(organiserOf(user), placeOf(organiser), asked)
    return { listVersion }
  })

  api.serve(contract.orderQuestions, async ({ user, organiser, body }) => {
    const listVersion = await writing.orderQuestions(organiserOf(user), placeOf(organiser), body)
    return { listVersion }
  })

  api.serve(contract.assignForm, async ({ user, organiser, body }) => {
    const listVersion = await assignForm(organiserOf(user), placeOf(organiser), body)
    return { listVersion }
  })

  api.serve(contract.listQuestionVersions, async ({ user, organiser, params }) => {
    const place = placeOf(organiser)
    const versions = await read({ db }, async (client) => {
      await requireReadable(client, place, organiser, now())
      return listVersions(client, place, params.question)
    })
    return versions.map(({ changedBy, changedAt, ...one }) => ({
      ...one,
      changedByYou: changedBy === user.id,
      changedAt: changedAt?.toISOString() ?? null,
    }))
  })

  api.serve(contract.checkKey, async ({ user, organiser, params, body }) => {
    const asked = { questionId: params.question, ...body }
    await storeKeyCheck(organiserOf(user), placeOf(organiser), asked)
    return { done: true as const }
  })

  api.serve(contract.addPicture, async ({ user, organiser, context }) => {
    const bytes = await readFile(context.req.raw, PICTURE_LIMITS.bytes)
    await pictures.take(user.id)
    return new Answer(201, await addPicture(organiserOf(user), placeOf(organiser), bytes))
  })

  api.serve(contract.getPicture, async ({ organiser, params }) => {
    const place = placeOf(organiser)
    await requireReadable(db.$client, place, organiser, now())
    const picture = await getPictureOf(db.$client, place.societyId, params.picture)
    if (!picture) throw new ApiError(404, 'no_picture', 'There is no such picture any more.')
    return answerPicture(picture)
  })

  api.serve(contract.listBank, async ({ user, organiser }) => {
    const place = placeOf(organiser)
    const asker = { userId: user.id, now: now() }
    const { bank, lastTimes } = await read({ db }, async (client) => {
      const bank = await readBank(client, place, asker)
      const ids = bank.map(({ questionId }) => questionId)
      return { bank, lastTimes: await readLastTimes(client, place, ids, asker) }
    })
    return bank.map(({ questionId, question, topic, code, name }) => ({
      ...{ questionId, question, topic, code, name },
      lastTime: lastTimes.get(questionId) ?? null,
    }))
  })

  api.serve(contract.takeFromBank, async ({ user, organiser, body }) => {
    const added = await takeFromBank(organiserOf(user), placeOf(organiser), body.questions)
    return { added }
  })
}

/** The assessment of a call; the guard has found that it is the society's. */
function placeOf({ societyId, code }: CurrentOrganiser): Place {
  if (code === null) throw new Error('The call names no assessment.')
  return { societyId, code }
}

/**
 * Who may read keys only afterwards reads them when nobody can sit the test any more.
 * Errors: 404 not_found, 403 not_closed.
 */
async function requireReadable(
  client: Client,
  { societyId, code }: Place,
  { extent }: CurrentOrganiser,
  at: Date,
) {
  const { rows } = await client.query<{
    opensAt: Date | null
    closesAt: Date | null
    isDraft: boolean
    isSample: boolean
    runningCount: number
  }>(
    `select opens_at as "opensAt", closes_at as "closesAt", is_draft as "isDraft",
       is_sample as "isSample",
       (select count(*)::int from attempts t where t.assessment = a.code and not t.is_demo
         and t.submitted_at is null) as "runningCount"
     from assessments a where code = $1 and society_id = $2 and deleted_at is null`,
    [code, societyId],
  )
  const [found] = rows
  if (!found) throw new ApiError(404, 'not_found', 'There is no such assessment any more.')
  const state = stateOf(
    {
      isDraft: found.isDraft,
      opensAtMs: found.opensAt?.getTime() ?? null,
      closesAtMs: found.closesAt?.getTime() ?? null,
      runningCount: found.runningCount,
    },
    at.getTime(),
  )
  if (extent !== 'all' && state !== 'closed') {
    throw new ApiError(
      403,
      'not_closed',
      'You can read the questions when nobody can sit the test any more.',
    )
  }
  return found
}

const checkShown = ({ userId, ...check }: KeyCheck, viewer: string) => ({
  ...check,
  isYou: userId === viewer,
})
