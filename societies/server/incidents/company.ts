// Who else was away: the fairest thing that there is to say of an absence. A fire alarm is seen by it.

const MINUTE_MS = 60_000
/** An absence whose return was not told is not followed for longer than this, minutes. */
const LONGEST_MINUTES = 24 * 60
/** As many people of a room who leave within a minute are told as one, and no smaller a share of it. */
const CLUSTER = { people: 3, share: 0.25, withinMs: MINUTE_MS }

/** When somebody was inside, and away; all times are milliseconds since 1970. */
export interface Presence {
  candidateId: string
  room: string | null
  fromMs: number
  toMs: number
  away: readonly { name: string; fromMs: number; toMs: number; isStrike: boolean }[]
}

/** Of how many others in the same room how many were away in a minute. */
export interface Company {
  room: string | null
  away: number
  of: number
}

/** What others did, minute by minute. */
export interface Companions {
  /** in a minute of the clock; who has no room is among all */
  at(who: Whom, ms: number): Company
  /** in the minute around a moment, which is whole for who leaves at its end too */
  around(who: Whom, ms: number): Company
}

interface Whom {
  candidateId: string
  room: string | null
}

/** Reckons once who was away when, so that each question is answered from a map. */
export function companionsOf(presences: readonly Presence[]): Companions {
  const away = new Map<string, Set<string>>()
  const inside = new Map<string, number>()
  for (const { candidateId, room, away: absences } of presences) {
    for (const { fromMs, toMs } of absences) {
      const first = minuteOf(fromMs)
      const last = Math.min(minuteOf(toMs), first + LONGEST_MINUTES)
      for (let minute = first; minute <= last; minute += 1) {
        for (const key of keysOf(room, minute)) {
          const set = away.get(key)
          if (set) set.add(candidateId)
          else away.set(key, new Set([candidateId]))
        }
      }
    }
  }
  const isInside = ({ fromMs, toMs }: Presence, minute: number) =>
    minuteOf(fromMs) <= minute && minuteOf(toMs) >= minute
  const countInside = (room: string | null, minute: number) => {
    const key = keyOf(room, minute)
    const known = inside.get(key)
    if (known !== undefined) return known
    const count = presences.filter(
      (one) => (room === null || one.room === room) && isInside(one, minute),
    ).length
    inside.set(key, count)
    return count
  }
  const byId = new Map(presences.map((one) => [one.candidateId, one]))
  const overlaps = (one: { fromMs: number; toMs: number }, ms: number) =>
    one.fromMs <= ms + MINUTE_MS / 2 && one.toMs >= ms - MINUTE_MS / 2
  return {
    around({ candidateId, room }, ms) {
      const others = presences.filter(
        (one) =>
          one.candidateId !== candidateId &&
          (room === null || one.room === room) &&
          overlaps(one, ms),
      )
      const gone = others.filter((one) => one.away.some((absence) => overlaps(absence, ms)))
      return { room, away: gone.length, of: others.length }
    },
    at({ candidateId, room }, ms) {
      const minute = minuteOf(ms)
      const gone = away.get(keyOf(room, minute))
      const self = byId.get(candidateId)
      const own = self && isInside(self, minute) ? 1 : 0
      return {
        room,
        away: (gone?.size ?? 0) - (gone?.has(candidateId) ? 1 : 0),
        of: Math.max(0, countInside(room, minute) - own),
      }
    },
  }
}

const minuteOf = (ms: number) => Math.floor(ms / MINUTE_MS)
const keyOf = (room: string | null, minute: number) => `${minute} ${room ?? ''}`
const keysOf = (room: string | null, minute: number) =>
  room === null ? [keyOf(null, minute)] : [keyOf(null, minute), keyOf(room, minute)]

/** Many who left one room within a minute. */
export interface Cluster {
  /** stays as long as its first member */
  name: string
  room: string | null
  fromMs: number
  toMs: number
  members: { candidateId: string; incident: string }[]
  /** how many were inside then */
  of: number
  /** who of these was on the page all the time */
  stayed: string[]
}

/** The densest minutes of each room, each absence in one of them at most, in their order. */
export function findClusters(presences: readonly Presence[]): Cluster[] {
  const rooms = new Map<string | null, { candidateId: string; incident: string; ms: number }[]>()
  for (const { candidateId, room, away } of presences) {
    for (const { name, fromMs, isStrike } of away) {
      if (!isStrike) continue
      const list = rooms.get(room) ?? []
      list.push({ candidateId, incident: name, ms: fromMs })
      rooms.set(room, list)
    }
  }
  return [...rooms]
    .flatMap(([room, starts]) => clustersIn(room, starts, presences))
    .sort((a, b) => a.fromMs - b.fromMs)
}

function clustersIn(
  room: string | null,
  starts: { candidateId: string; incident: string; ms: number }[],
  presences: readonly Presence[],
): Cluster[] {
  const clusters: Cluster[] = []
  let left = starts.sort((a, b) => a.ms - b.ms)
  for (;;) {
    let best = { from: 0, to: 0 }
    for (let from = 0, to = 0; from < left.length; from += 1) {
      const endMs = (left[from] as { ms: number }).ms + CLUSTER.withinMs
      while (to < left.length && (left[to] as { ms: number }).ms <= endMs) to += 1
      if (to - from > best.to - best.from) best = { from, to }
    }
    const members = left.slice(best.from, best.to)
    const [first] = members
    const last = members.at(-1)
    if (!first || !last) return clusters
    const inside = presences.filter(
      (one) => one.room === room && one.fromMs <= last.ms && one.toMs >= first.ms,
    )
    const of = inside.length
    const gone = new Set(members.map(({ candidateId }) => candidateId))
    // The rest is thinner still.
    if (gone.size < CLUSTER.people) return clusters
    left = [...left.slice(0, best.from), ...left.slice(best.to)]
    if (gone.size < of * CLUSTER.share) continue
    clusters.push({
      // Who had left before them, and was still away, stayed no more than they.
      stayed: inside
        .filter(
          ({ candidateId, away }) =>
            !gone.has(candidateId) &&
            !away.some(({ fromMs, toMs }) => fromMs <= last.ms && toMs >= first.ms),
        )
        .map(({ candidateId }) => candidateId),
      ...{ name: `${first.incident}`, room, fromMs: first.ms, toMs: last.ms, of },
      members: members.map(({ candidateId, incident }) => ({ candidateId, incident })),
    })
  }
}
