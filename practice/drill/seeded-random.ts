/** Chance that comes from a seed: the same seed, the same draws, on every machine. */
export interface SeededRandom {
  between(least: number, most: number): number
  pick<T>(from: readonly T[]): T
  shuffle<T>(list: readonly T[]): T[]
}

/** Seeds are whole numbers from 0 up to this one: what the column holds. */
export const HIGHEST_SEED = 2_147_483_647

/** Mulberry32: 32 bits of state, whole-number arithmetic alone, so that no engine rounds otherwise. */
export function seededRandom(seed: number): SeededRandom {
  let state = seed | 0
  const draw = (below: number) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * below)
  }
  return {
    between: (least, most) => least + draw(most - least + 1),
    pick: (from) => from[draw(from.length)] as (typeof from)[number],
    shuffle(list) {
      const shuffled = [...list]
      for (let last = shuffled.length - 1; last > 0; last -= 1) {
        const other = draw(last + 1)
        const held = shuffled[last] as (typeof shuffled)[number]
        shuffled[last] = shuffled[other] as (typeof shuffled)[number]
        shuffled[other] = held
      }
      return shuffled
    },
  }
}
