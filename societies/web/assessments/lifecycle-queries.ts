import { queryOptions } from '@tanstack/react-query'
import { assessmentUrl, societyUrl } from '../../../platform/urls.ts'
import { call } from '../../../platform/web/api.ts'
import type { ChecklistLink, ChecklistPage } from '../../checklist.ts'
import {
  getOverview,
  getPublication,
  getSettings,
  listChecklists,
} from '../../contract/lifecycle.ts'
import type { Act } from '../../roles.ts'
import { assessmentKey, societyKey } from '../console/queries.ts'

/** What runs or opens changes by itself: looked at again while the page is in sight. */
const REFRESH_MS = 10_000

export const checklistsQuery = (society: string) =>
  queryOptions({
    queryKey: [...societyKey(society), 'checklists'],
    queryFn: ({ signal }) => call(listChecklists, { params: { society } }, { signal }),
    staleTime: 0,
    refetchInterval: REFRESH_MS,
  })
type Checklists = Awaited<ReturnType<NonNullable<ReturnType<typeof checklistsQuery>['queryFn']>>>
export type Surveyed = Checklists['assessments'][number]

export const overviewQuery = (society: string, code: string) =>
  queryOptions({
    queryKey: [...assessmentKey(society, code), 'overview'],
    queryFn: ({ signal }) => call(getOverview, { params: { society, code } }, { signal }),
    staleTime: 0,
    refetchInterval: REFRESH_MS,
  })
export type OverviewFacts = Awaited<
  ReturnType<NonNullable<ReturnType<typeof overviewQuery>['queryFn']>>
>

export const publicationQuery = (society: string, code: string) =>
  queryOptions({
    queryKey: [...assessmentKey(society, code), 'publication'],
    queryFn: ({ signal }) => call(getPublication, { params: { society, code } }, { signal }),
    staleTime: 0,
  })

export const settingsQuery = (society: string, code: string) =>
  queryOptions({
    queryKey: [...assessmentKey(society, code), 'settings'],
    queryFn: ({ signal }) => call(getSettings, { params: { society, code } }, { signal }),
    staleTime: 0,
    refetchInterval: REFRESH_MS,
  })
export type ReadSettings = Awaited<
  ReturnType<NonNullable<ReturnType<typeof settingsQuery>['queryFn']>>
>

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
