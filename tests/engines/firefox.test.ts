import { startFirefox } from './firefox.ts'
import { findProgram, inEngine } from './here.ts'
import { WAYS } from './ways.ts'

const firefox = findProgram(process.env.FIREFOX_PATH, 'firefox-esr', 'firefox')
inEngine(
  'Firefox',
  'On Debian: apt-get install firefox-esr; elsewhere set FIREFOX_PATH.',
  firefox ? () => startFirefox(firefox) : null,
  WAYS,
)
