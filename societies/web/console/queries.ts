import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../platform/web/api.ts'
import { getSocietyAssessment, listMySocieties, listSocietyAssessments } from '../../contract.ts'
import { type Act, mayWith } from '../../roles.ts'

/** The societies in which one has a role. */
export const mySocietiesQuery = queryOptions({
  queryKey: ['societies'],
  queryFn: ({ signal }) => call(listMySocieties, {}, { signal }),
})
export type MySociety = Awaited<
  ReturnType<NonNullable<typeof mySocietiesQuery.queryFn>>
>['societies'][number]

/** One's roles for a test: those for the society, and those for it. */
export const rolesFor = ({ roles }: MySociety, code: string): MySociety['roles'] =>
  roles.filter(({ assessment }) => assessment === null || assessment === code)

/** Whether one of some roles allows an act at all; the server decides (societies/roles.ts). */
export const mayBy =
  (held: MySociety['roles']) =>
  (act: Act): boolean =>
    mayWith(
      held.map(({ role }) => role),
      act,
    ).length > 0

/** All keys of a society's pages begin with this. */
export const societyKey = (society: string) => ['society', society] as const

export const societyAssessmentsQuery = (society: string) =>
  queryOptions({
    queryKey: [...societyKey(society), 'assessments'],
    queryFn: ({ signal }) => call(listSocietyAssessments, { params: { society } }, { signal }),
  })
export type ListedAssessment = Awaited<
  ReturnType<NonNullable<ReturnType<typeof societyAssessmentsQuery>['queryFn']>>
>[number]

/** All keys of an assessment's pages begin with this: what changes it makes them stale. */
export const assessmentKey = (society: string, code: string) =>
  [...societyKey(society), 'assessment', code] as const

export const societyAssessmentQuery = (society: string, code: string) =>
  queryOptions({
    queryKey: assessmentKey(society, code),
    queryFn: ({ signal }) => call(getSocietyAssessment, { params: { society, code } }, { signal }),
  })
