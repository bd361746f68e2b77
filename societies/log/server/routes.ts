import type { Api } from '../../../platform/server/api.ts'
import { writeCsv } from '../../../platform/server/csv/csv.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import { serveMembers } from '../../access/server/serve-members.ts'
import { blindNumber } from '../../kit/role-words.ts'
import { actInSociety, read } from '../../kit/server/action.ts'
import { setKeepUntil } from '../../setup/contract.ts'
import * as contract from '../contract.ts'
import { countEntries, type LogEntry, listEntries } from './read-log.ts'
import * as retention from './retention.ts'

/** Serves the log and its retention (product 7.20, 7.21). */
export function serveLog(api: Api, dependencies: AppDependencies): void {
  const serve = serveMembers(api, dependencies)

  serve(contract.readSocietyLog, ({ organizer, query }) =>
    read(organizer, async (client) => {
      const found = await listEntries(client, organizer, query, contract.LOG_PAGE + 1)
      return {
        entries: found.slice(0, contract.LOG_PAGE),
        hasOlder: found.length > contract.LOG_PAGE,
        isAll: organizer.extent === 'all',
        ...(await countEntries(client, organizer, query)),
      }
    }),
  )

  serve(contract.exportSocietyLog, ({ organizer, body }) =>
    actInSociety(organizer, 'export-log', organizer.societyId, async (client) => {
      const entries = await listEntries(client, organizer, body, contract.LOG_EXPORT)
      return { result: { csv: csvOf(entries) }, detail: { count: entries.length, ...body } }
    }),
  )

  serve(setKeepUntil, ({ organizer, body: { keepUntil } }) =>
    retention.setKeepUntil(organizer, keepUntil === null ? null : new Date(keepUntil)),
  )
}

function csvOf(entries: readonly LogEntry[]): string {
  const columns = ['id', 'at', 'by', 'via', 'assessment', 'action', 'what'] as const
  return writeCsv(
    [...columns, 'about', 'reason', 'facts'],
    entries.map((entry) => [
      ...columns.map((column) => entry[column]),
      entry.about.map(aboutText).join('; '),
      entry.reason,
      entry.facts
        .map(({ name, before, after }) => `${name}: ${before ? `${before} → ` : ''}${after}`)
        .join('; '),
    ]),
  )
}

/** 'candidate 021, strike 3: Away for 14 s, 2026-11-25T09:12:03.000Z' */
function aboutText({ number, incident }: LogEntry['about'][number]): string {
  const candidate = number === null ? 'a candidate' : `candidate ${blindNumber(number)}`
  if (!incident) return candidate
  const strike = incident.strike === null ? '' : `, strike ${incident.strike}`
  return `${candidate}${strike}: ${incident.lead}, ${incident.at.toISOString()}`
}
