import { candidate } from './candidate.ts'
import { startFirefox } from './firefox.ts'
import { inEngine } from './here.ts'
import { findProgram } from './installed.ts'
import { student } from './student.ts'

const firefox = findProgram(process.env.FIREFOX_PATH, 'firefox-esr', 'firefox')
inEngine('Firefox', firefox ? () => startFirefox(firefox) : null, [student, candidate])
