import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { call } from '../../../platform/web/api.ts'
import { saveAsFile } from '../../../platform/web/save-file.ts'
import { exportLive, type LiveCandidate, type LiveView } from '../../contract/live.ts'
import { nameRoom } from '../../role-words.ts'
import { Acts } from '../acts/acts.tsx'
import { SearchField } from '../console/search-field.tsx'
import { sentenceOf } from '../kit/loaded.tsx'
import { LiveColumnWords } from './column-words.tsx'
import { filtersOf, foundBy, inOrder } from './people-order.ts'
import { PeopleTable } from './people-table.tsx'
import { type Of, refreshLive } from './queries.ts'
import { useCalmOrder } from './use-calm-order.ts'

/** The candidates: search, filters with their counts, the list, and what can be done with ticked ones. */
export function People(props: {
  of: Of
  candidates: readonly LiveCandidate[]
  rooms: LiveView['rooms']
  nowMs: number
}) {
  const { of, candidates, rooms, nowMs } = props
  const client = useQueryClient()
  const [search, setSearch] = useState('')
  const [filterId, setFilterId] = useState('all')
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [isExplained, setIsExplained] = useState(false)
  const searched = useDeferredValue(search)
  const filters = useMemo(() => filtersOf(candidates, rooms), [candidates, rooms])
  const filter = filters.find(({ id }) => id === filterId) ?? filters[0]
  const wanted = useMemo(() => {
    const isFound = foundBy(searched)
    const fitting = candidates.filter((one) => isFound(one) && (filter?.fits(one) ?? true))
    return inOrder(fitting).map(({ id }) => id)
  }, [candidates, filter, searched])
  const { ids, onPointerMove, onPointerLeave } = useCalmOrder(wanted, `${filter?.id} ${searched}`)
  const byId = useMemo(() => new Map(candidates.map((one) => [one.id, one])), [candidates])
  const shown = useMemo(() => ids.flatMap((id) => byId.get(id) ?? []), [ids, byId])
  const ticked = shown.filter(({ id }) => chosen.has(id))
  useEscape(() => setChosen(new Set()))
  return (
    <section
      aria-labelledby="people-title"
      onPointerMove={onPointerMove}
      onPointerLeave={onPointerLeave}
    >
      <div className="head">
        <h2 id="people-title">Candidates</h2>
        <span className="hint max-md:hidden">
          Sorted by: to look at, then oldest save ·{' '}
          <button type="button" className="quiet-link" onClick={() => setIsExplained(true)}>
            What the columns mean
          </button>
          {!of.isSimulation && (
            <>
              {' '}
              · <CsvButton of={of} shown={shown} />
            </>
          )}
        </span>
      </div>
      <div className="flex flex-wrap items-center gap-x-5.5 gap-y-2 pt-3 pb-1">
        <SearchField
          by="Name, username or room"
          className="w-55"
          value={search}
          onChange={setSearch}
        />
        <fieldset className="filters max-md:gap-y-0! max-md:[&_button]:min-h-11">
          <legend className="sr-only">Show</legend>
          {filters.map(({ id, label, count }) => (
            <button
              key={id}
              type="button"
              aria-pressed={id === filter?.id}
              onClick={() => setFilterId(id)}
            >
              {label} <small>{count}</small>
            </button>
          ))}
        </fieldset>
      </div>
      <PeopleTable
        people={shown}
        nowMs={nowMs}
        chosen={chosen}
        onChoose={setChosen}
        isSimulation={of.isSimulation}
      />
      {ticked.length > 0 && (
        <section className="chosen-bar" aria-label="With the ticked candidates">
          <b className="mr-1.5 font-semibold">{ticked.length} ticked</b>
          <span className="mr-3 opacity-70">{roomOf(ticked)}</span>
          <Acts
            chosen={ticked.map(({ id, username, name, room, where }) => ({
              ...{ id, username, name, room, where },
            }))}
            onDone={() => {
              setChosen(new Set())
              void refreshLive(client, of)
            }}
          />
          <button type="button" onClick={() => setChosen(new Set())}>
            Untick
          </button>
        </section>
      )}
      {isExplained && <LiveColumnWords onClose={() => setIsExplained(false)} />}
    </section>
  )
}

/** 'room 2.11' where all of them are there */
function roomOf(ticked: readonly LiveCandidate[]): string {
  const rooms = new Set(ticked.map(({ room }) => room))
  const [room] = rooms
  return rooms.size === 1 && room ? nameRoom(room) : ''
}

/** Esc, unless somebody is in a field or a dialog, which have their own. */
function useEscape(act: () => void): void {
  const latest = useRef(act)
  latest.current = act
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const isElsewhere = (event.target as HTMLElement).closest('input[type=search], [role=dialog]')
      if (event.key === 'Escape' && !isElsewhere) latest.current()
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
}

function CsvButton({ of, shown }: { of: Of; shown: readonly LiveCandidate[] }) {
  const { society, code } = of
  const write = useMutation({
    mutationFn: () =>
      call(exportLive, {
        params: { society, code },
        body: { candidates: shown.map(({ id }) => id) },
      }),
    onSuccess: ({ csv }) => saveAsFile(`${code}-live.csv`, csv, 'text/csv;charset=utf-8'),
  })
  return (
    <>
      <button
        type="button"
        className="quiet-link"
        aria-disabled={write.isPending || shown.length === 0}
        onClick={() => shown.length > 0 && !write.isPending && write.mutate()}
      >
        {write.isPending ? 'Writing it…' : 'CSV of what is shown'}
      </button>
      {write.error && (
        <span role="alert" className="amber">
          {' '}
          {sentenceOf(write.error)}
        </span>
      )}
    </>
  )
}
