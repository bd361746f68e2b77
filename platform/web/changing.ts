/** Something that changes and tells whoever listens; `subscribe` is what useSyncExternalStore takes. */
export class Changing {
  readonly #listeners = new Set<() => void>()

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  changed(): void {
    for (const listener of this.#listeners) listener()
  }
}
