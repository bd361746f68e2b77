import type { Api } from '../../../platform/server/api.ts'
import { writeCsv } from '../../../platform/server/csv/csv.ts'
import type { CurrentOrganiser, CurrentUser } from '../../../platform/server/current-user.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import * as contract from '../../contract/log.ts'
import { blindNumber } from '../../number-words.ts'
import { act, actInSociety, type Client, memberOf, read } from '../action.ts'
import {
  checkChain,
  countEntries,
  type LogEntry,
  type LogFilters,
  type LogOf,
  listEntries,
} from './read-log.ts'

/** Who did what (product 7.20). */
export function serveLog(api: Api, dependencies: AppDependencies): void {
  const { db, now } = dependencies
  const organiserOf = memberOf(dependencies)

  const logOf = (user: CurrentUser, organiser: CurrentOrganiser): LogOf => ({
    societyId: organiser.societyId,
    userId: user.id,
    code: organiser.code,
    isAll: organiser.extent === 'all',
    now: now(),
  })

  const readLog = (
    of: LogOf,
    { before, ...filters }: Omit<LogFilters, 'before'> & { before?: string | undefined },
  ) =>
    read({ db }, async (client) => {
      const found = await listEntries(
        client,
        of,
        { ...filters, before: before ? Number(before) : undefined },
        contract.LOG_PAGE + 1,
      )
      return {
        entries: found.slice(0, contract.LOG_PAGE).map(({ at, about, ...entry }) => ({
          ...entry,
          at: at.toISOString(),
          about: about.map(({ incident, ...one }) => ({
            ...one,
            incident: incident && { ...incident, at: incident.at.toISOString() },
          })),
        })),
        hasOlder: found.length > contract.LOG_PAGE,
        ...(await countEntries(client, of)),
        // The whole log is read for it: once, with the newest entries.
        chain: of.isAll && !before ? await checkChain(client, of.societyId) : null,
      }
    })

  api.serve(contract.readSocietyLog, ({ user, organiser, query }) =>
    readLog(logOf(user, organiser), query),
  )
  api.serve(contract.readAssessmentLog, ({ user, organiser, query }) =>
    readLog(logOf(user, organiser), query),
  )

  const exported = async (client: Client, of: LogOf, filters: LogFilters) => {
    const entries = await listEntries(client, of, filters, contract.LOG_EXPORT)
    return { result: { csv: csvOf(entries) }, detail: { count: entries.length, ...filters } }
  }

  api.serve(contract.exportSocietyLog, ({ user, organiser, body }) =>
    actInSociety(organiserOf(user), 'export-log', organiser.societyId, (client) =>
      exported(client, logOf(user, organiser), body),
    ),
  )
  api.serve(contract.exportAssessmentLog, ({ user, organiser, params, body }) =>
    act(organiserOf(user), 'export-log', params.code, (client) =>
      exported(client, logOf(user, organiser), body),
    ),
  )
}

function csvOf(entries: readonly LogEntry[]): string {
  return writeCsv(
    ['number', 'at', 'by', 'via', 'assessment', 'action', 'what', 'about', 'reason', 'facts'],
    entries.map((one) => [
      ...[one.number, one.at, one.by, one.via, one.assessment, one.action, one.what],
      one.about.map(aboutText).join('; '),
      one.reason,
      one.facts
        .map(
          ({ name, before, after }) => `${name}: ${before === null ? '' : `${before} → `}${after}`,
        )
        .join('; '),
    ]),
  )
}

/** 'candidate 021, strike 3: Away for 14 s, 2026-11-25T09:12:03.000Z' */
function aboutText({ number, incident }: LogEntry['about'][number]): string {
  const whom = number === null ? 'a candidate' : `candidate ${blindNumber(number)}`
  if (!incident) return whom
  const strike = incident.strike === null ? '' : `, strike ${incident.strike}`
  return `${whom}${strike}: ${incident.lead}, ${incident.at.toISOString()}`
}
