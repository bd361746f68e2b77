import { candidate } from './candidate.ts'
import { consolePages } from './console.ts'
import { innocents } from './innocents.ts'
import { offline } from './offline.ts'
import { student } from './student.ts'

/** The tests that run in each engine. */
export const WAYS = [student, offline, candidate, innocents, consolePages]
