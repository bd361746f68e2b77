// npm run dev: the server with reload behind Vite, which serves the page with reload on PORT.
import { spawn } from 'node:child_process'
import path from 'node:path'
import { freePort } from './free-port.mjs'

const root = path.join(import.meta.dirname, '..')
const port = process.env.PORT || '3000'
const apiPort = await freePort()
const shared = { cwd: root, stdio: 'inherit' }

const children = [
  spawn(
    process.execPath,
    [
      path.join('node_modules', 'tsx', 'dist', 'cli.mjs'),
      'watch',
      '--clear-screen=false',
      'app/server/main.ts',
      'dev',
    ],
    {
      ...shared,
      env: {
        ...process.env,
        PORT: String(apiPort),
        PUBLIC_URL: process.env.PUBLIC_URL || `http://localhost:${port}`,
      },
    },
  ),
  spawn(process.execPath, [path.join('node_modules', 'vite', 'bin', 'vite.js'), '--port', port], {
    ...shared,
    env: { ...process.env, API_URL: `http://127.0.0.1:${apiPort}` },
  }),
]
for (const child of children) {
  child.on('exit', (code) => {
    for (const other of children) other.kill()
    process.exitCode = code ?? 1
  })
}
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    for (const child of children) child.kill(signal)
  })
}
