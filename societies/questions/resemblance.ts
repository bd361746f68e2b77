/** From which likeness on a question is told to resemble another one. */
export const RESEMBLES = 0.9

export interface Resemblance {
  /** of the known ones, from 0 */
  at: number
  /** how much of both is the same, from RESEMBLES to 1 */
  likeness: number
}

/** A piece that more of the known ones have finds nothing; of those found, as many are compared. */
const COMMON = 500
const COMPARED = 40

/** A text without case, accents, signs and more than one blank: what people mean by 'the same'. */
export function plainWords(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^\p{L}\p{N}%+−-]+/gu, ' ')
    .trim()
}

/**
 * Of each text the known one that it resembles most, or null (product 7.9.32): the share of pieces of three
 * letters that both have (Dice). Numbers count as they stand, so that the same task with other figures is
 * less alike than its words are.
 * Two texts that are alike share one of their rarest pieces: only those that do are compared, so that
 * thousands against thousands take no longer than a moment.
 */
export function findResembling(
  texts: readonly string[],
  known: readonly string[],
): (Resemblance | null)[] {
  const frequency = new Map<string, number>()
  const knownPieces = known.map(piecesOf)
  const textPieces = texts.map(piecesOf)
  for (const pieces of [...knownPieces, ...textPieces]) {
    for (const piece of pieces) frequency.set(piece, (frequency.get(piece) ?? 0) + 1)
  }
  const rarest = (pieces: ReadonlySet<string>) =>
    [...pieces]
      .sort((a, b) => (frequency.get(a) ?? 0) - (frequency.get(b) ?? 0) || (a < b ? -1 : 1))
      // Of a text with n pieces an alike one has n · RESEMBLES / (2 − RESEMBLES) at least.
      .slice(0, pieces.size - Math.ceil((pieces.size * RESEMBLES) / (2 - RESEMBLES)) + 1)
  const byPiece = new Map<string, number[]>()
  for (const [at, pieces] of knownPieces.entries()) {
    for (const piece of rarest(pieces)) {
      const list = byPiece.get(piece)
      if (list) list.push(at)
      else byPiece.set(piece, [at])
    }
  }
  const bySame = new Map(known.map((text, at) => [plainWords(text), at]))
  return textPieces.map((pieces, index) => {
    const same = bySame.get(plainWords(texts[index] ?? ''))
    if (same !== undefined && pieces.size > 0) return { at: same, likeness: 1 }
    const shared = new Map<number, number>()
    for (const piece of rarest(pieces)) {
      const list = byPiece.get(piece) ?? []
      // What many have in common tells none of them apart.
      if (list.length > COMMON) continue
      for (const at of list) shared.set(at, (shared.get(at) ?? 0) + 1)
    }
    const likeliest = [...shared].sort((a, b) => b[1] - a[1]).slice(0, COMPARED)
    let best: Resemblance | null = null
    for (const [at] of likeliest) {
      const likeness = likenessOf(pieces, knownPieces[at] as ReadonlySet<string>)
      if (likeness >= RESEMBLES && likeness > (best?.likeness ?? 0)) best = { at, likeness }
    }
    return best
  })
}

function piecesOf(text: string): ReadonlySet<string> {
  const pieces = new Set<string>()
  const plain = plainWords(text)
  if (plain === '') return pieces
  const words = `  ${plain} `
  for (let at = 0; at + 3 <= words.length; at += 1) pieces.add(words.slice(at, at + 3))
  return pieces
}

function likenessOf(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const [small, large] = a.size < b.size ? [a, b] : [b, a]
  if (small.size === 0 || (2 * small.size) / (small.size + large.size) < RESEMBLES) return 0
  let both = 0
  for (const piece of small) if (large.has(piece)) both += 1
  return (2 * both) / (small.size + large.size)
}
