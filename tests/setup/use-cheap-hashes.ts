import argon2 from '@node-rs/argon2'
import { afterAll, beforeAll } from 'vitest'

type Functions = Pick<typeof argon2, 'hash' | 'verify'>
const COST = /m=\d+,t=\d+,p=\d+/
const LEAST = { memoryCost: 8, timeCost: 1, parallelism: 1 }

/** All files of a process share the module, so this keeps its original functions. */
const shared = globalThis as typeof globalThis & { costlyHashes?: Functions }
shared.costlyHashes ??= { hash: argon2.hash, verify: argon2.verify }
const costly = shared.costlyHashes

/** Argon2 at its minimum cost, labeled with the requested cost, so that tests can check it. */
const cheap: Functions = {
  async hash(password, options, ...rest) {
    const { memoryCost, timeCost, parallelism } = { ...LEAST, ...options }
    const hashed = await costly.hash(password, { ...options, ...LEAST }, ...rest)
    return hashed.replace(COST, `m=${memoryCost},t=${timeCost},p=${parallelism}`)
  },
  verify: (hashed, ...rest) => costly.verify(String(hashed).replace(COST, 'm=8,t=1,p=1'), ...rest),
}
Object.assign(argon2, cheap)

/** For tests of time: hashing costs as much as in production. Call it at the top of a file or a describe block. */
export function useCostlyHashes(): void {
  beforeAll(() => void Object.assign(argon2, costly))
  afterAll(() => void Object.assign(argon2, cheap))
}
