import { json } from 'node:stream/consumers'
import { verify } from '@node-rs/argon2'

// The baseline of the bench 'sign-in', in its own process: verifies passwords at the same concurrency and for the same
// time, and writes how many per second.

export interface BareArgon2Plan {
  /** stored password hashes, each with its own parameters */
  hashes: string[]
  password: string
  atOnce: number
  seconds: number
}

const { hashes, password, atOnce, seconds } = (await json(process.stdin)) as BareArgon2Plan
const begun = performance.now()
let verified = 0
await Promise.all(
  Array.from({ length: atOnce }, async () => {
    while (performance.now() - begun < seconds * 1000) {
      const matches = await verify(hashes[verified % hashes.length] as string, password)
      if (!matches) throw new Error('a password did not match its hash')
      verified += 1
    }
  }),
)
console.log(verified / ((performance.now() - begun) / 1000))
