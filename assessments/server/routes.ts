import type { Api } from '../../platform/server/api.ts'
import type { AppDependencies } from '../../platform/server/dependencies.ts'
import { createTurns } from '../../platform/server/turns.ts'
import { serveAnswers } from './answers.ts'
import { serveEvents } from './events.ts'
import { createNews } from './message-store.ts'
import { servePictures } from './paper/pictures.ts'
import { serveComment, serveRecord } from './record/record.ts'
import { type FindHelper, serveRehearsals } from './rehearsal/routes.ts'
import { createSeats } from './seat.ts'
import { serveStart } from './start.ts'
import { serveStatus } from './status.ts'
import { serveSuperdayTest } from './superday/superday-test.ts'
import { serveCredentials } from './way-in/credentials.ts'
import { serveListing } from './way-in/listing.ts'

// Calls that many candidates make at the same moment run in batches (decision 016). Start, save, submit and quiet
// events are each one statement per batch. Calls that the statement skips run unbatched, in a transaction that handles
// every error. Each user's calls are answered one at a time.

/** Serves the candidates' side of assessments (product 6). @param findHelper finds the society that a user helps */
export function serveAssessments(
  api: Api,
  dependencies: AppDependencies,
  findHelper: FindHelper,
): void {
  // Only calls of a running test and its sign-in use the candidates' connections.
  const candidates = { ...dependencies, db: dependencies.candidatesDb ?? dependencies.db }
  const enterTurn = createTurns(candidates)
  const seats = createSeats(candidates)
  const news = createNews(candidates)
  serveListing(api, candidates, enterTurn)
  serveCredentials(api, candidates, dependencies, enterTurn)
  serveStart(api, candidates, enterTurn, seats)
  servePictures(api, candidates, enterTurn, seats)
  serveStatus(api, candidates, enterTurn, seats)
  serveAnswers(api, candidates, enterTurn, seats, news)
  serveEvents(api, candidates, enterTurn, seats, news)
  serveRecord(api, dependencies)
  serveComment(api, dependencies)
  serveRehearsals(api, dependencies, seats, findHelper)
  serveSuperdayTest(api, dependencies)
}
