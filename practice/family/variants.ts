// Questions that differ in their numbers alone are one family (product 3.12.1).

/** Each family has as many, the question of the bank counted in; K in `variant=K` goes round in them. */
export const VARIANTS_PER_FAMILY = 12

/** Ids of content from here on are variants: they stand in no test of ten by themselves (product 3.12.2). */
export const FIRST_VARIANT_ID = 50_000

/** Whether an id is a variant's. */
export function isVariant(id: number): boolean {
  return id >= FIRST_VARIANT_ID && id < 100_000
}

/**
 * The question that a slot of a test shows (product 3.12.2): its own at the first attempt, another variant
 * at each one after, and its own again when all have been shown.
 * @param attempts how many were made at this test before, from 0
 */
export function variantAt<T>(slot: T, variants: readonly T[], attempts: number): T {
  return [slot, ...variants][attempts % (variants.length + 1)] ?? slot
}
