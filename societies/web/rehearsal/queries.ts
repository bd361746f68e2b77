import { queryOptions } from '@tanstack/react-query'
import type { ResponseOf } from '../../../platform/endpoint.ts'
import { call } from '../../../platform/web/api.ts'
import { listRehearsed, readRehearsal, readSimulation } from '../../contract/rehearsal.ts'
import { assessmentKey } from '../console/queries.ts'

export interface Of {
  society: string
  code: string
}

export type Rehearsed = ResponseOf<typeof readRehearsal>
export type RehearsedPeople = ResponseOf<typeof listRehearsed>
export type SimulationNow = ResponseOf<typeof readSimulation>

/** How many have tried; others try while one looks. */
export const rehearsalQuery = ({ society, code }: Of) =>
  queryOptions({
    queryKey: [...assessmentKey(society, code), 'rehearsal'],
    queryFn: ({ signal }) => call(readRehearsal, { params: { society, code } }, { signal }),
    refetchInterval: 30_000,
  })

export const rehearsedPeopleQuery = ({ society, code }: Of) =>
  queryOptions({
    queryKey: [...assessmentKey(society, code), 'rehearsal', 'people'],
    queryFn: ({ signal }) => call(listRehearsed, { params: { society, code } }, { signal }),
    refetchInterval: 30_000,
  })

const LIVE_MS = 2_000
const IDLE_MS = 30_000

/** The newest simulation: every two seconds while it goes on. */
export const simulationQuery = ({ society, code }: Of) =>
  queryOptions({
    queryKey: [...assessmentKey(society, code), 'simulation'],
    queryFn: ({ signal }) => call(readSimulation, { params: { society, code } }, { signal }),
    refetchInterval: ({ state }) => (state.data?.simulation?.endedAt === null ? LIVE_MS : IDLE_MS),
  })
