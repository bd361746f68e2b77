import { Worker, type WorkerOptions } from 'node:worker_threads'

/** A file next to the built threads; null starts them from TypeScript. */
let builtThreads = import.meta.url.endsWith('.ts') ? null : new URL(import.meta.url)

/** For tests, because starting a thread from TypeScript takes half a second. */
export function useBuiltThreads(beside: URL): void {
  builtThreads = beside
}

/** Starts a thread with a memory limit, from TypeScript or from the file of that name next to the built server. */
export function startThread(source: URL, workerData: unknown, heapMegabytes: number): Worker {
  const options: WorkerOptions = {
    workerData,
    // The environment contains secrets.
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: heapMegabytes, maxYoungGenerationSizeMb: 32 },
  }
  if (builtThreads) {
    const built = source.pathname.replace(/^.*\/(.+)\.ts$/, './$1.js')
    return new Worker(new URL(built, builtThreads), options)
  }
  // A thread doesn't inherit its parent's TypeScript loader.
  const tsx = import.meta.resolve('tsx/esm/api')
  const start = `import(${JSON.stringify(tsx)}).then(({ register }) => { register(); return import(${JSON.stringify(source.href)}) })`
  return new Worker(start, { ...options, eval: true })
}
