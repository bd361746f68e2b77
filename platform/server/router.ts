import type { Result } from 'hono/router'
import { TrieRouter } from 'hono/router/trie-router'

/** Number of cached lookups, each of at most 200 characters. */
const REMEMBERED = 1_000
const LONGEST = 200

/** Hono's router for any path. It caches lookups, because clients in a room call a few addresses again and again. */
export class RememberingRouter<T> extends TrieRouter<T> {
  readonly #known = new Map<string, Result<T>>()

  override match(method: string, path: string): Result<T> {
    if (path.length > LONGEST) return super.match(method, path)
    const key = `${method} ${path}`
    const known = this.#known.get(key)
    if (known) return known
    const found = super.match(method, path)
    if (this.#known.size >= REMEMBERED) this.#known.clear()
    this.#known.set(key, found)
    return found
  }
}
