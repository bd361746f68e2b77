import type { ResponseOf } from '../../../../platform/endpoint.ts'
import { endpointQuery } from '../../../../platform/web/use-endpoint.ts'
import { type getSocietyAssessment, listMySocieties } from '../../contract.ts'
import { type Act, extentOf } from '../../roles.ts'

export const mySocietiesQuery = endpointQuery(listMySocieties, {})
export type MySociety = ResponseOf<typeof listMySocieties>['societies'][number]
export type ListedAssessment = ResponseOf<typeof getSocietyAssessment>

/** The keys of everything that is read of societies begin with this. */
export const SOCIETIES_KEY = ['api', 'societies']

/** The moments of an assessment's window, milliseconds since 1970. */
export const windowOf = ({
  opensAt,
  closesAt,
  lastStartAt,
}: Pick<ListedAssessment, 'opensAt' | 'closesAt' | 'lastStartAt'>) => ({
  opensAtMs: opensAt ? Date.parse(opensAt) : null,
  closesAtMs: closesAt ? Date.parse(closesAt) : null,
  /** of a candidate who starts after the others; else as closesAtMs */
  lastStartAtMs: lastStartAt ? Date.parse(lastStartAt) : null,
})

/** One's roles for a test: those for the society, and those for it. */
export const rolesFor = ({ roles }: MySociety, code: string): MySociety['roles'] =>
  roles.filter(({ assessment }) => assessment === null || assessment === code)

/** Whether one of some roles allows an act at all; the server decides (societies/kit/roles.ts). */
export const mayBy =
  (held: MySociety['roles']) =>
  (act: Act): boolean =>
    extentOf(held, act).length > 0
