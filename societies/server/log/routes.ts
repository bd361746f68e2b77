import type { Api } from '../../../platform/server/api.ts'
import { writeCsv } from '../../../platform/server/csv/csv.ts'
import type { CurrentOrganiser, CurrentUser } from '../../../platform/server/current-user.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import * as contract from '../../contract/log.ts'
import { blindNumber } from '../../number-words.ts'
import { actInSociety, memberOf, read } from '../action.ts'
import { countEntries, type LogEntry, type LogOf, listEntries } from './read-log.ts'

/** Who did what (product 7.20). */
export function serveLog(api: Api, dependencies: AppDependencies): void {
  const { db, now } = dependencies
  const organiserOf = memberOf(dependencies)

  const logOf = (user: CurrentUser, organiser: CurrentOrganiser): LogOf => ({
    societyId: organiser.societyId,
    userId: user.id,
    isAll: organiser.extent === 'all',
    now: now(),
  })

  api.serve(contract.readSocietyLog, ({ user, organiser, query: { before, ...filters } }) =>
    read({ db }, async (client) => {
      const of = logOf(user, organiser)
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
        isAll: of.isAll,
        ...(await countEntries(client, of, filters)),
      }
    }),
  )

  api.serve(contract.exportSocietyLog, ({ user, organiser, body: filters }) =>
    actInSociety(organiserOf(user), 'export-log', organiser.societyId, async (client) => {
      const entries = await listEntries(
        client,
        logOf(user, organiser),
        filters,
        contract.LOG_EXPORT,
      )
      return { result: { csv: csvOf(entries) }, detail: { count: entries.length, ...filters } }
    }),
  )
}

function csvOf(entries: readonly LogEntry[]): string {
  return writeCsv(
    ['id', 'at', 'by', 'via', 'assessment', 'action', 'what', 'about', 'reason', 'facts'],
    entries.map((one) => [
      ...[one.id, one.at, one.by, one.via, one.assessment, one.action, one.what],
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
