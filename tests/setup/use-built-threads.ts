import { pathToFileURL } from 'node:url'
import { useBuiltThreads } from '../../platform/server/threads/start-thread.ts'
import { SERVER_FILE } from '../../tools/build-server.mjs'

// Server tests start threads from the files that tests/setup/global-setup.ts has built.
useBuiltThreads(pathToFileURL(SERVER_FILE))
