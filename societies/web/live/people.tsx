import { useMemo, useState } from 'react'
import { call } from '../../../platform/web/api.ts'
import { saveAsFile } from '../../../platform/web/save-file.ts'
import { exportLive, type LiveCandidate, type LiveView } from '../../contract/live.ts'
import { nameRoom } from '../../role-words.ts'
import { Acts } from '../acts/acts.tsx'
import { ChosenBar } from '../kit/chosen-bar.tsx'
import { ColumnWords } from '../kit/column-words.tsx'
import { useListBar } from '../kit/list-bar.tsx'
import { ActButton, useAct } from '../kit/use-act.tsx'
import { filtersOf, inOrder } from './people-order.ts'
import { PeopleTable } from './people-table.tsx'
import { useCalmOrder } from './use-calm-order.ts'
import type { Of } from './use-live.ts'

const WORDS = [
  [
    'State',
    'Not here: has not given the credentials. Signed in: has, and waits. Inside: has started. Done, or closed by the third strike or the clock, with the time.',
  ],
  ['Answered', 'One tick is one question; which answers were chosen is not shown here.'],
  ['Last save', 'How long ago an answer reached the server. Amber after three minutes.'],
  [
    'Clock left, Ends',
    "What the candidate's own clock shows, and when it ends, with extra time and minutes given.",
  ],
  [
    'Strikes',
    'A square for each that counts; struck through: taken back. The third closes the test.',
  ],
  [
    'Marks',
    'In amber what nobody has seen yet; then who has seen it, planned extra time and minutes given.',
  ],
] as const

const textOf = ({ name, username, room }: LiveCandidate) =>
  `${name ?? ''} ${username} ${room ?? ''}`

/** The candidates: search, filters with their counts, the list, and what can be done with ticked ones. */
export function People(props: {
  of: Of
  candidates: readonly LiveCandidate[]
  rooms: LiveView['rooms']
  nowMs: number
}) {
  const { of, candidates, rooms, nowMs } = props
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const filters = useMemo(() => filtersOf(rooms), [rooms])
  const list = useListBar(candidates, { by: 'Name, username or room', textOf, filters })
  const wanted = useMemo(() => inOrder(list.shown).map(({ id }) => id), [list.shown])
  const { ids, onPointerMove, onPointerLeave } = useCalmOrder(wanted, list.view)
  const byId = useMemo(() => new Map(candidates.map((one) => [one.id, one])), [candidates])
  const shown = useMemo(() => ids.flatMap((id) => byId.get(id) ?? []), [ids, byId])
  const ticked = shown.filter(({ id }) => chosen.has(id))
  const untick = () => setChosen(new Set())
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
          <ColumnWords
            words={WORDS}
            keys="/ searches, the arrows move, Enter opens, x or the space bar ticks, Esc unticks."
          />
          {!of.isSimulation && (
            <>
              {' '}
              · <CsvButton of={of} shown={shown} />
            </>
          )}
        </span>
      </div>
      {list.bar}
      <PeopleTable
        people={shown}
        nowMs={nowMs}
        view={list.view}
        ticked={chosen}
        onTick={setChosen}
        isSimulation={of.isSimulation}
      />
      {ticked.length > 0 && (
        <ChosenBar count={ticked.length} note={roomOf(ticked)} onUntick={untick}>
          <Acts chosen={ticked} onDone={untick} />
        </ChosenBar>
      )}
    </section>
  )
}

/** 'room 2.11' where all of them are there */
function roomOf(ticked: readonly LiveCandidate[]): string {
  const rooms = new Set(ticked.map(({ room }) => room))
  const [room] = rooms
  return rooms.size === 1 && room ? nameRoom(room) : ''
}

function CsvButton({ of, shown }: { of: Of; shown: readonly LiveCandidate[] }) {
  const { society, code } = of
  const write = useAct(
    () =>
      call(exportLive, {
        params: { society, code },
        body: { candidates: shown.map(({ id }) => id) },
      }),
    ({ csv }) => saveAsFile(`${code}-live.csv`, csv, 'text/csv;charset=utf-8'),
  )
  return (
    <ActButton act={write} busy="Writing it…" can={shown.length > 0} className="quiet-link">
      CSV of what is shown
    </ActButton>
  )
}
