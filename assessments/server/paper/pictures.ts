import { type Api, ApiError, type EnterTurn } from '../../../platform/server/api.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import { getExhibitPicture } from '../../contract.ts'
import { answerPicture, isShownIn, type Picture, readPicture } from '../picture-store.ts'
import { readSeat, type Seats } from '../seat.ts'

/** How many pictures a node caches, 10 MB at most. A whole room requests the same ones in the same minute. */
const KEPT = 20

/** GET …/attempt/pictures/:picture: a picture in a question, while the test is running (product 7.9.13). */
export function servePictures(
  api: Api,
  { db }: AppDependencies,
  enterTurn: EnterTurn,
  seats: Seats,
): void {
  const kept = new Map<string, Picture>()

  api.serveInTurn(getExhibitPicture, enterTurn, async ({ user, params, context }) => {
    const candidate = await seats.candidateOf(readSeat(params.code, user, context))
    const { picture } = params
    const isShown = await isShownIn(db.$client, candidate.id, picture)
    const found = isShown ? (kept.get(picture) ?? (await readPicture(db.$client, picture))) : null
    if (!found) throw new ApiError(404, 'no_picture', 'There is no such picture in this test.')
    keep(kept, picture, found)
    return answerPicture(found)
  })
}

/** Adds a picture and evicts the least recently used ones. */
function keep(kept: Map<string, Picture>, id: string, picture: Picture): void {
  kept.delete(id)
  kept.set(id, picture)
  const [oldest] = kept.keys()
  if (kept.size > KEPT && oldest !== undefined) kept.delete(oldest)
}
