import { Worker, type WorkerOptions } from 'node:worker_threads'

/** Any file beside the built threads; null: they start from their TypeScript. */
let builtThreads = import.meta.url.endsWith('.ts') ? null : new URL(import.meta.url)

/** For tests: from their TypeScript, threads take half a second to start. */
export function useBuiltThreads(beside: URL): void {
  builtThreads = beside
}

/** Starts a thread with a memory limit, from its TypeScript, or from the file of that name beside the built server. */
export function startThread(source: URL, workerData: unknown, heapMegabytes: number): Worker {
  const options: WorkerOptions = {
    workerData,
    // Nothing of the environment, where secrets are.
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: heapMegabytes, maxYoungGenerationSizeMb: 32 },
  }
  if (builtThreads) {
    const built = source.pathname.replace(/^.*\/(.+)\.ts$/, './$1.js')
    return new Worker(new URL(built, builtThreads), options)
  }
  // A thread does not inherit how its parent reads TypeScript.
  const tsx = import.meta.resolve('tsx/esm/api')
  const start = `import(${JSON.stringify(tsx)}).then(({ register }) => { register(); return import(${JSON.stringify(source.href)}) })`
  return new Worker(start, { ...options, eval: true })
}
