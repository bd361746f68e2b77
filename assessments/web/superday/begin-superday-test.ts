import { useNavigate } from 'react-router'
import { URLS } from '../../../platform/urls.ts'
import { call } from '../../../platform/web/api.ts'
import { tabStore } from '../../../platform/web/storage.ts'
import { verifyCandidate } from '../../contract.ts'
import { openSuperdayTest } from '../../superday-contract.ts'
import { storeCandidate } from '../attempt/candidate.ts'
import { storeSuperdayTest } from './superday-state.ts'

/** Opens the test of an evening, shows its credentials like anybody's, and leads into the runner. */
export function useBeginSuperdayTest(): (evening: string) => Promise<void> {
  const navigate = useNavigate()
  return async (evening) => {
    const { code, username, password } = await call(openSuperdayTest, { params: { id: evening } })
    const { candidateToken } = await call(verifyCandidate, {
      params: { code },
      body: { username, password },
    })
    storeSuperdayTest(tabStore, { code, evening })
    storeCandidate(tabStore, { code, username, token: candidateToken })
    await navigate(URLS.recruitmentTest)
  }
}
