// Questions that differ in their numbers alone are one family (product 3.12.1).

/** Each family has as many, the question of the bank counted in; K in `variant=K` goes round in them. */
export const VARIANTS_PER_FAMILY = 12

/** Ids of content from here on are variants: they stand in no test of ten by themselves (product 3.12.2). */
export const FIRST_VARIANT_ID = 50_000

export function isVariant(id: number): boolean {
  return id >= FIRST_VARIANT_ID && id < 100_000
}

/** What a slot shows after `attempts` (product 3.12.2): its own question, then each variant in turn, and round again. */
export function variantAt<T>(slot: T, variants: readonly T[], attempts: number): T {
  return [slot, ...variants][attempts % (variants.length + 1)] ?? slot
}
