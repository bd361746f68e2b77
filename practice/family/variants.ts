// Questions that differ only in their numbers form a family (product 3.12.1).

/** The size of each family, including the original question. `variant=K` wraps around. */
export const VARIANTS_PER_FAMILY = 12

/** Ids from here on are variants, which have no place of their own in a test (product 3.12.2). */
export const FIRST_VARIANT_ID = 50_000

export function isVariant(id: number): boolean {
  return id >= FIRST_VARIANT_ID && id < 100_000
}

/** Returns the slot's own question first, then each variant in turn, then starts over (product 3.12.2). */
export function variantAt<T>(slot: T, variants: readonly T[], attempts: number): T {
  return [slot, ...variants][attempts % (variants.length + 1)] ?? slot
}
