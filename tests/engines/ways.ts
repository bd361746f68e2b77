import { candidate } from './candidate.ts'
import { consolePages } from './console.ts'
import { innocents } from './innocents.ts'
import { offline } from './offline.ts'
import { phones } from './phones.ts'
import { preferences } from './preferences.ts'
import { printing } from './printing.ts'
import { student } from './student.ts'

/** The tests that run in each engine. */
export const WAYS = [
  student,
  offline,
  candidate,
  innocents,
  phones,
  preferences,
  printing,
  consolePages,
]
