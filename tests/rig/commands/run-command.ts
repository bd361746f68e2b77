import { spawn } from 'node:child_process'
import { PROJECT_DIR } from '../../../platform/server/project-folder.ts'

/**
 * Runs one of the product's own programs in a separate process, from the project's folder.
 * @param args the file and its arguments: [ADMIN_FILE, 'doctor']
 * @param environment its whole environment
 * @returns its exit status and output; null if a signal ended it
 */
export function runCommand(
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<{ status: number | null; out: string; err: string }> {
  return new Promise((resolve) => {
    const readsTypeScript = args[0]?.endsWith('ts') ? ['--import', 'tsx'] : []
    const child = spawn(process.execPath, [...readsTypeScript, ...args], {
      cwd: PROJECT_DIR,
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let [out, err] = ['', '']
    child.stdout.on('data', (chunk) => {
      out += chunk
    })
    child.stderr.on('data', (chunk) => {
      err += chunk
    })
    child.on('close', (status) => resolve({ status, out, err }))
  })
}
