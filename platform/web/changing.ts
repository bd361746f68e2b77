/** A value that notifies its listeners of changes. Pass `subscribe` to useSyncExternalStore. */
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
