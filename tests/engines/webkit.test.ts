import { findProgram, inEngine } from './here.ts'
import { WAYS } from './ways.ts'
import { startWebKit } from './webkit.ts'

const LIBRARIES = [
  '/usr/lib/x86_64-linux-gnu',
  '/usr/lib/aarch64-linux-gnu',
  '/usr/lib64',
  '/usr/libexec',
]
const driver = findProgram('WebKitWebDriver')
const browser = findProgram(
  ...LIBRARIES.flatMap((folder) => [
    `${folder}/webkit2gtk-4.1/MiniBrowser`,
    `${folder}/webkitgtk-6.0/MiniBrowser`,
  ]),
)
const screen = findProgram('Xvfb')
const programs = driver && browser && screen ? { driver, browser, screen } : null
inEngine(
  'WebKit',
  'On Debian: apt-get install webkit2gtk-driver xvfb.',
  programs && (() => startWebKit(programs)),
  WAYS,
)
