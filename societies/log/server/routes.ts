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

/** Who did what, and how long it is kept (product 7.20, 7.21). */
export function serveLog(api: Api, dependencies: AppDependencies): void {
  const serve = serveMembers(api, dependencies)

  serve(contract.readSocietyLog, ({ organiser, query: { before, ...filters } }) =>
    read(organiser, async (client) => {
      const found = await listEntries(client, organiser, {
        filters,
        limit: contract.LOG_PAGE + 1,
        beforeId: before ? Number(before) : null,
      })
      return {
        entries: found.slice(0, contract.LOG_PAGE),
        hasOlder: found.length > contract.LOG_PAGE,
        isAll: organiser.extent === 'all',
        ...(await countEntries(client, organiser, filters)),
      }
    }),
  )

  serve(contract.exportSocietyLog, ({ organiser, body: filters }) =>
    actInSociety(organiser, 'export-log', organiser.societyId, async (client) => {
      const limit = contract.LOG_EXPORT
      const entries = await listEntries(client, organiser, { filters, limit })
      return { result: { csv: csvOf(entries) }, detail: { count: entries.length, ...filters } }
    }),
  )

  serve(setKeepUntil, ({ organiser, body: { keepUntil } }) =>
    retention.setKeepUntil(organiser, keepUntil === null ? null : new Date(keepUntil)),
  )
}

const csvOf = (entries: readonly LogEntry[]): string =>
  writeCsv(
    ['id', 'at', 'by', 'via', 'assessment', 'action', 'what', 'about', 'reason', 'facts'],
    entries.map(({ id, at, by, via, assessment, action, what, about, reason, facts }) => [
      id,
      at,
      by,
      via,
      assessment,
      action,
      what,
      about.map(aboutText).join('; '),
      reason,
      facts
        .map(({ name, before, after }) => `${name}: ${before ? `${before} → ` : ''}${after}`)
        .join('; '),
    ]),
  )

/** 'candidate 021, strike 3: Away for 14 s, 2026-11-25T09:12:03.000Z' */
function aboutText({ number, incident }: LogEntry['about'][number]): string {
  const candidate = number === null ? 'a candidate' : `candidate ${blindNumber(number)}`
  if (!incident) return candidate
  const strike = incident.strike === null ? '' : `, strike ${incident.strike}`
  return `${candidate}${strike}: ${incident.lead}, ${incident.at.toISOString()}`
}
