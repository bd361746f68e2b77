import { spawnSync } from 'node:child_process'
import { statfs } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

/** Fills the disk of a folder to its last block; what others free in the next second is taken too. */
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
