import type { ResponseOf } from '../../../../platform/endpoint.ts'
import { endpointQuery } from '../../../../platform/web/use-endpoint.ts'
import { type getSocietyAssessment, listMySocieties } from '../../contract.ts'
import { type Act, extentOf } from '../../roles.ts'

export const mySocietiesQuery = endpointQuery(listMySocieties, {})
export type MySociety = ResponseOf<typeof listMySocieties>['societies'][number]
export type ListedAssessment = ResponseOf<typeof getSocietyAssessment>

/** The common prefix of all query keys about societies. */
export const SOCIETIES_KEY = ['api', 'societies']

/** The times of an assessment's window, in milliseconds since 1970. */
export const windowOf = ({
  opensAt,
  closesAt,
  lastStartAt,
}: Pick<ListedAssessment, 'opensAt' | 'closesAt' | 'lastStartAt'>) => ({
  opensAtMs: opensAt ? Date.parse(opensAt) : null,
  closesAtMs: closesAt ? Date.parse(closesAt) : null,
  /** The last start of any candidate with their own window; otherwise the same as closesAtMs. */
  lastStartAtMs: lastStartAt ? Date.parse(lastStartAt) : null,
})

/** Returns the member's roles for a test, including those for the whole society. */
export const rolesFor = ({ roles }: MySociety, code: string): MySociety['roles'] =>
  roles.filter(({ assessment }) => assessment === null || assessment === code)

/** Whether one of these roles allows an action at all. The server decides (societies/kit/roles.ts). */
export const mayBy =
  (held: MySociety['roles']) =>
  (act: Act): boolean =>
    extentOf(held, act).length > 0
