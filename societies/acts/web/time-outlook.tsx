import { ArrowRight, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { useAssessment } from '../../kit/web/console/console.tsx'
import { useNowMs } from '../../kit/web/console/use-now.ts'
import { zoneName, zoneSecond } from '../../kit/zone-time.ts'
import type { TimeGroup, TimePreview } from '../contract.ts'
import { timeGroupOf } from '../time-plan.ts'
import { nameOf } from './whom.tsx'

type Person = TimePreview['people'][number]

const ROWS = 60

const TITLES: Record<TimeGroup, string> = {
  reopens: 'Open again',
  ends: 'End now',
  plans: 'Have not started',
  has_extra: 'With planned extra time',
  moves: 'The others',
  stays: 'Stay as they are',
}

export function TimeOutlook(props: {
  preview: TimePreview | undefined
  isCurrent: boolean
  /** Whether the time is added to what was given before. */
  isAdding: boolean
}) {
  const { preview } = props
  const { timeZone } = useAssessment()
  if (!preview) {
    return <p className="text-ink-2">A preview appears here before anything changes.</p>
  }
  const { groups, people } = preview
  return (
    <div className={props.isCurrent ? '' : 'opacity-60'}>
      <p role="status" className="text-pretty font-medium font-serif text-[21px] leading-snug">
        {preview.summary}
      </p>
      <div className="hint mt-1.5 text-ink-2">
        {zoneName(timeZone)} time. Closing the start window doesn’t shorten any test.
      </div>
      <Recent recent={preview.recent} isAdding={props.isAdding} />
      {groups.map(({ group, count }) => (
        <Group
          key={group}
          title={group === 'moves' && groups.length === 1 ? 'Candidates affected' : TITLES[group]}
          count={count}
          people={people.filter((person) => timeGroupOf(person) === group)}
          all={people}
        />
      ))}
    </div>
  )
}

/** Shows recent changes by organizers, so that two of them don't give the same minutes twice. */
function Recent({ recent, isAdding }: { recent: TimePreview['recent']; isAdding: boolean }) {
  const nowMs = useNowMs(5_000)
  const [newest, ...older] = recent.map(({ at, by, isYou, text }) => {
    const seconds = Math.max(0, Math.round((nowMs - Date.parse(at)) / 1000))
    const ago = seconds < 60 ? `${seconds} s ago` : `${Math.floor(seconds / 60)} min ago`
    return { key: `${at} ${text}`, words: `${isYou ? 'You' : by} ${text} ${ago}.` }
  })
  if (!newest) return null
  return (
    <div className="warning mt-3">
      <TriangleAlert size={16} aria-hidden />
      <div>
        <b className="font-semibold">{newest.words}</b> {isAdding && 'This adds to it.'}
        {older.length > 0 && (
          <ul className="mt-1">
            {older.map(({ key, words }) => (
              <li key={key}>{words}</li>
            ))}
          </ul>
        )}
      </div>
    </div>
  )
}

/**
 * @param props.count the size of the group, of which only the first are named
 * @param props.all all named candidates, so that the bars of all groups share one scale
 */
function Group(props: {
  title: string
  count: number
  people: readonly Person[]
  all: readonly Person[]
}) {
  const { people, count } = props
  const from = useNowMs(5_000)
  const [isWhole, setIsWhole] = useState(false)
  const shown = isWhole ? people : people.slice(0, ROWS)
  const ends = props.all.flatMap(({ was, becomes }) => [was, becomes])
  const to = Math.max(from + 60_000, ...ends.map((at) => (at === null ? 0 : Date.parse(at))))
  const placeOf = (at: string) =>
    Math.max(0, Math.min(100, ((Date.parse(at) - from) / (to - from)) * 100))
  return (
    <section className="mt-4">
      <h3 className="mb-1 font-sans! text-[12.5px]!">
        <b className="font-semibold">{props.title},</b>{' '}
        <span className="font-normal text-ink-2">{count}</span>
      </h3>
      <ul className="figures">
        {shown.map((person) => (
          <li
            key={person.id}
            className="grid min-h-7.5 grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 border-line border-t text-[13.5px] sm:grid-cols-[150px_168px_minmax(0,1fr)]"
          >
            <span className="truncate font-medium">{nameOf(person)}</span>
            <span className="flex items-center gap-1.5">
              <Ends person={person} />
            </span>
            <span aria-hidden className="relative h-full min-h-7 max-sm:hidden">
              {person.becomes !== null && (
                <Bar
                  was={person.was === null ? 0 : placeOf(person.was)}
                  becomes={placeOf(person.becomes)}
                />
              )}
            </span>
          </li>
        ))}
      </ul>
      {shown.length < people.length ? (
        <button type="button" className="quiet-link mt-2" onClick={() => setIsWhole(true)}>
          And {count - shown.length} more
        </button>
      ) : (
        shown.length < count && (
          <p className="hint mt-2 text-ink-2">And {count - shown.length} more</p>
        )
      )}
    </section>
  )
}

const STAYS: Partial<Record<Person['outcome'], string>> = {
  closed: 'closed',
  strikes_stand: 'closed: three strikes count',
  too_late: 'ended too long ago',
  would_end: 'would end immediately',
  unchanged: 'has it already',
  still_open: 'still taking the test',
}

function Ends({ person }: { person: Person }) {
  const { was, becomes, outcome, isRevoked, plannedSeconds } = person
  const { timeZone } = useAssessment()
  const stays = STAYS[outcome]
  if (stays) return <span className="text-ink-2">{stays}</span>
  return (
    <>
      <span className="text-ink-2">
        {was !== null ? zoneSecond(was, timeZone) : outcome === 'plans' ? 'not started' : 'closed'}
      </span>
      <ArrowRight size={13} aria-label="then" className="text-ink-2" />
      <span className="font-semibold">
        {becomes === null
          ? `+ ${Math.round(plannedSeconds / 60)} min`
          : zoneSecond(becomes, timeZone)}
      </span>
      {isRevoked && <span className="amber">shut out</span>}
    </>
  )
}

/** Draws the time until the old end and the time added or removed, in percent. */
function Bar({ was, becomes }: { was: number; becomes: number }) {
  const near = Math.min(was, becomes)
  return (
    <>
      <i className="absolute top-2.5 left-0 h-1.75 bg-line-strong" style={{ width: `${near}%` }} />
      <i
        className={`absolute top-2.5 h-1.75 ${was <= becomes ? 'bg-accent' : 'border border-line-strong border-dashed'}`}
        style={{ left: `${near}%`, width: `${Math.abs(was - becomes)}%` }}
      />
    </>
  )
}
