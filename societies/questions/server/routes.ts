import { answerPicture } from '../../../assessments/server/picture-store.ts'
import { PICTURE_LIMITS } from '../../../platform/exhibit.ts'
import { Answer, type Api } from '../../../platform/server/api.ts'
import { readFile } from '../../../platform/server/body/read-body.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import { createQuota } from '../../../platform/server/quota.ts'
import {
  type AssessmentRow,
  countAttempts,
  requireAssessment,
} from '../../access/server/assessments.ts'
import { type MemberInTest, serveMembers } from '../../access/server/serve-members.ts'
import { stateOf } from '../../kit/assessment-state.ts'
import { type Client, read } from '../../kit/server/action.ts'
import { refuse } from '../../kit/server/refuse.ts'
import * as contract from '../contract.ts'
import { contentOf } from '../question-content.ts'
import { readCorrections } from './corrections.ts'
import { noteOnceAnHour, readKeyChecks, storeKeyCheck } from './key-checks.ts'
import { addPicture, readPictureIn } from './pictures.ts'
import { readBank, readLastTimes, readSharedWith } from './read-questions.ts'
import { listVersionOf, listVersions, readStored } from './stored.ts'
import { serveWriting } from './write-questions.ts'

/** Serves the questions of an assessment, their versions and images, and the society's bank (product 7.9). */
export function serveQuestions(api: Api, dependencies: AppDependencies): void {
  serveWriting(api, dependencies)
  const serve = serveMembers(api, dependencies)
  const pictures = createQuota(dependencies, {
    name: 'pictures',
    limit: 200,
    sentence: 'You have added too many images today.',
  })

  serve(contract.listQuestions, async ({ organizer }) => {
    const found = await read(organizer, (client) => readList(client, organizer))
    await noteOnceAnHour(organizer, organizer, 'read-keys')
    return found
  })
  serve(contract.listQuestionVersions, ({ organizer, params }) =>
    read(organizer, async (client) => {
      await requireReadable(client, organizer)
      return listVersions(client, organizer, params.question)
    }),
  )
  serve(contract.checkKey, async ({ organizer, params, body }) => {
    await storeKeyCheck(organizer, { questionId: params.question, ...body })
    return { done: true as const }
  })
  serve(contract.addPicture, async ({ organizer, context }) => {
    const bytes = await readFile(context.req.raw, PICTURE_LIMITS.bytes)
    await pictures.take(organizer.userId)
    return new Answer(201, await addPicture(organizer, bytes))
  })
  serve(contract.getPicture, async ({ organizer, params }) => {
    await requireReadable(organizer.db.$client, organizer)
    const picture = await readPictureIn(organizer, params.picture)
    if (!picture) throw refuse(404, 'no_picture', 'This image was removed.')
    return answerPicture(picture)
  })
  serve(contract.listBank, ({ organizer }) =>
    read(organizer, async (client) => {
      const bank = await readBank(client, organizer)
      const lastTimes = await readLastTimes(client, organizer, bank)
      const correctionOf = await correctionsIn(client, [...new Set(bank.map(({ code }) => code))])
      return bank.map(({ questionId, question, topic, code, name }) => {
        const lastTime = lastTimes.get(questionId) ?? null
        const correctedAt = correctionOf(code, questionId)?.at ?? null
        return { questionId, question, topic, code, name, lastTime, correctedAt }
      })
    }),
  )
}

/** Finds a question's replaced key in one of some tests. */
async function correctionsIn(client: Client, codes: readonly string[]) {
  const found = new Map(
    (await readCorrections(client, codes)).map(
      ({ code, questionId, position, ...one }) => [`${code} ${questionId}`, one] as const,
    ),
  )
  return (code: string, questionId: string) => found.get(`${code} ${questionId}`) ?? null
}

async function readList(client: Client, organizer: MemberInTest) {
  const { code, userId } = organizer
  const { isSample } = await requireReadable(client, organizer)
  const questions = await readStored(client, code)
  const lastTimes = await readLastTimes(client, organizer, questions)
  const sharedWith = await readSharedWith(client, organizer, questions)
  const checked = new Map(
    (await readKeyChecks(client, [code])).map(({ questionId, checks }) => [questionId, checks]),
  )
  const correctionOf = await correctionsIn(client, [code])
  const isStarted = (await countAttempts(client, code)) > 0
  return {
    listVersion: listVersionOf(questions),
    lockedBy: isStarted ? ('started' as const) : null,
    isSample,
    items: questions.map(({ questionId, version, form, ...question }) => ({
      questionId,
      version,
      form,
      ...contentOf(question),
      lastTime: lastTimes.get(questionId) ?? null,
      correction: correctionOf(code, questionId),
      checks: (checked.get(questionId) ?? []).map(({ userId: by, ...check }) => ({
        ...check,
        isYou: by === userId,
      })),
      sharedWith: sharedWith.get(questionId) ?? [],
    })),
  }
}

/** Members who can read keys only afterward have to wait. Errors: those of requireAssessment, 403 not_closed. */
async function requireReadable(client: Client, organizer: MemberInTest): Promise<AssessmentRow> {
  const assessment = await requireAssessment(client, organizer)
  if (organizer.extent === 'all') return assessment
  const { rowCount } = await client.query(
    'select from attempts where assessment = $1 and not is_demo and submitted_at is null limit 1',
    [organizer.code],
  )
  const state = stateOf({ ...assessment, runningCount: rowCount ?? 0 }, organizer.now)
  if (state === 'closed') return assessment
  throw refuse(403, 'not_closed', 'You can read the questions once the test is over.')
}
