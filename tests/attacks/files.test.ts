import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createFileTurns, readApart } from '../../societies/questions/server/exchange/read-apart.ts'
import { writeDocument } from '../../societies/results/server/file-response.ts'
import { useRig } from '../rig/rig.ts'

// What one society can take from all others where a node reads and writes files.
const rig = useRig()
const FILE = Buffer.from('question,a,b,c,d,correct\nWhat is 2 + 2?,4,5,6,7,A\n')

describe('files that come slowly', () => {
  it('hold no place where files are read', async () => {
    const inTurn = createFileTurns(rig.dependencies)
    let end = () => {}
    const coming = new Promise<void>((resolve) => {
      end = resolve
    })
    const slow = Array.from({ length: 30 }, () => inTurn(randomUUID(), () => coming))
    const { questions } = await inTurn(randomUUID(), () => readApart(FILE))
    expect(questions).toHaveLength(1)
    end()
    await Promise.all(slow)
  })
})

describe('files of one society', () => {
  it('leave a place for reading one of another', async () => {
    const order: string[] = []
    const read = (society: string) => readApart(FILE, { society }).then(() => order.push(society))
    const all = ['a', 'a', 'a', 'a', 'b'].map(read)
    await Promise.all(all)
    expect(order.indexOf('b')).toBeLessThan(3)
  })

  it('are written in turn with those of another, and not without end', async () => {
    const order: string[] = []
    const madeAt = new Date('2026-03-02T10:00:00Z')
    const write = (societyId: string) =>
      writeDocument({ societyId }, { as: 'workbook', sheets: [], madeAt })
        .then(() => order.push(societyId))
        .catch(({ code }) => order.push(code))
    await Promise.all(['a', 'a', 'a', 'a', 'a', 'a', 'a', 'b'].map(write))
    expect(order.filter((one) => one === 'writing_busy')).toHaveLength(1)
    expect(order.indexOf('b')).toBeLessThan(4)
  })
})
