/** What takes long, a piece at a time: whoever serves others in between does one `next` after the other. */
export type Slices<T> = Generator<void, T>

/** All of it at once. */
export function atOnce<T>(slices: Slices<T>): T {
  for (;;) {
    const slice = slices.next()
    if (slice.done) return slice.value
  }
}
