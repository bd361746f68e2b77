import type { ResponseOf } from '../../../platform/endpoint.ts'
import { assessmentUrl, societyUrl } from '../../../platform/urls.ts'
import type { ChecklistLink, ChecklistPage } from '../../checklist.ts'
import type { getOverview, getSettings, listChecklists } from '../../contract/lifecycle.ts'
import type { Act } from '../../roles.ts'

export type Surveyed = ResponseOf<typeof listChecklists>['assessments'][number]
export type OverviewFacts = ResponseOf<typeof getOverview>
export type ReadSettings = ResponseOf<typeof getSettings>

/** What runs or opens changes by itself: looked at again while the page is seen, milliseconds. */
export const LOOK_MS = 10_000

/** Where a sentence of the checklist leads. */
export const checklistUrl = (
  society: string,
  code: string,
  { page, question }: ChecklistLink,
): string =>
  page === 'team'
    ? societyUrl(society, page)
    : `${assessmentUrl(society, code, page)}${question ? `?question=${question}` : ''}`

const NEEDED: Readonly<Record<Exclude<ChecklistPage, ''>, Act>> = {
  questions: 'read_questions',
  'questions/import': 'write_questions',
  settings: 'set_rules_before_start',
  candidates: 'manage_candidates',
  'candidates/add': 'manage_candidates',
  team: 'manage_members',
}

/** Whether a page of the checklist is one for one's roles. */
export const mayOpen = (may: (act: Act) => boolean, page: ChecklistPage): boolean =>
  page === '' || may(NEEDED[page])
