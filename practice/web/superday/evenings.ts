import { endpointQuery } from '../../../platform/web/use-endpoint.ts'
import {
  EVENING_DRILL,
  getSuperday,
  listSuperdays,
  PART_MINUTES,
  type Part,
} from '../../contract/superday.ts'
import { getPreset } from '../../drill/presets.ts'

export const PART_WORDS: Record<Part, { name: string; about: string }> = {
  test: {
    name: 'The test',
    about:
      "Twenty questions from all five categories in 30 minutes, with the screen and rules of a society's assessment.",
  },
  case: { name: 'The case', about: 'One exhibit, five questions that build on each other.' },
  aloud: {
    name: 'Three answers aloud',
    about:
      'One technical, one about a deal or a market, and one behavioral. You have 90 seconds each, then check yourself.',
  },
  drill: {
    name: 'The drill',
    about: `${getPreset(EVENING_DRILL)?.extent ?? EVENING_DRILL}, a wrong answer costs a point.`,
  },
}

export const EVENING_MINUTES = Object.values(PART_MINUTES).reduce((sum, one) => sum + one, 0)

export const superdaysQuery = { ...endpointQuery(listSuperdays, {}), staleTime: 0 }

/** One mock superday session. Its parts are done on other screens, so each visit asks the server again. */
export const superdayQuery = (id: string) => ({
  ...endpointQuery(getSuperday, { params: { id } }),
  staleTime: 0,
})
