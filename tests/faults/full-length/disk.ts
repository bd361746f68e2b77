import { spawnSync } from 'node:child_process'
import { statfs } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

/** Fills a folder's disk to the last block, including space that is freed in the next second. */
export async function fillDisk(folder: string, file: string): Promise<void> {
  for (let round = 0; round < 10; round += 1) {
    const { bavail, bsize } = await statfs(folder)
    if (bavail > 0) {
      const bytes = String(bavail * bsize)
      spawnSync('sh', ['-c', 'head -c "$1" /dev/zero >> "$2"', 'fill', bytes, file])
    }
    await sleep(50)
  }
}
