import { useNavigate } from 'react-router'
import { URLS } from '../../../platform/urls.ts'
import { ApiFailure, call } from '../../../platform/web/api.ts'
import { tabStore } from '../../../platform/web/storage.ts'
import { verifyCandidate } from '../../contract.ts'
import { openRehearsal } from '../../rehearsal-contract.ts'
import { storeCandidate } from '../attempt/candidate.ts'
import { type RehearsalState, storeRehearsal } from './rehearsal-state.ts'

/** Opens a rehearsal by its link, shows its credentials like anybody's, and leads into the test. */
export function useBeginRehearsal(): (link: RehearsalState['link']) => Promise<void> {
  const navigate = useNavigate()
  return async (link) => {
    const opened = await call(openRehearsal, { body: link })
    const { code, username, password, label, contact, navigator, keptFor } = opened
    const { candidateToken } = await call(verifyCandidate, {
      params: { code },
      body: { username, password },
    })
    storeRehearsal(tabStore, {
      ...{ code, candidateToken, link, label, contact, navigator, keptFor },
      ...{ timesLeft: 0, wasFullscreen: false, loss: 'to_come', outcome: null },
    })
    storeCandidate(tabStore, { code, username, token: candidateToken })
    await navigate(URLS.recruitmentTest)
  }
}

/** What went wrong, for people: refusals bring their own sentence. */
export function sentenceOf(error: unknown): string {
  if (error instanceof ApiFailure && error.code !== 'unknown') return error.message
  const { message } = error as { message?: unknown }
  return typeof message === 'string' && message !== '' && !(error instanceof ApiFailure)
    ? message
    : 'The rehearsal could not be opened. Please try again.'
}
