import { candidate } from './candidate.ts'
import { consolePages } from './console.ts'
import { startFirefox } from './firefox.ts'
import { inEngine } from './here.ts'
import { innocents } from './innocents.ts'
import { findProgram } from './installed.ts'
import { offline } from './offline.ts'
import { phones } from './phones.ts'
import { pictures } from './pictures.ts'
import { preferences } from './preferences.ts'
import { student } from './student.ts'

const firefox = findProgram(process.env.FIREFOX_PATH, 'firefox-esr', 'firefox')
inEngine(
  'Firefox',
  'On Debian: apt-get install firefox-esr; elsewhere set FIREFOX_PATH.',
  firefox ? (wishes) => startFirefox(firefox, wishes) : null,
)
