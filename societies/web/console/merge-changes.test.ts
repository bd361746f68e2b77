import { expect, it } from 'vitest'
import { changedFields, mergeChanges } from './merge-changes.ts'

const READ = { name: 'Ana', room: '1.04', minutes: 0, kinds: ['paste'] }

it.each([
  ['neither', {}, {}, {}, []],
  ['only this member', { room: '2.11' }, {}, { room: '2.11' }, []],
  ['only the other', {}, { room: '2.11' }, { room: '2.11' }, []],
  ['each in one field', { room: '2.11' }, { minutes: 480 }, { room: '2.11', minutes: 480 }, []],
  ['both the same', { room: '2.11' }, { room: '2.11' }, { room: '2.11' }, []],
  ['both in one field', { room: '2.11' }, { room: '3' }, { room: '2.11' }, ['room']],
  ['both in a list', { kinds: [] }, { kinds: ['copy'] }, { kinds: [] }, ['kinds']],
])(
  'merging keeps what %s changed, and asks when both changed one field',
  (_, mine, theirs, merged, conflicts) => {
    const found = mergeChanges(READ, { ...READ, ...mine }, { ...READ, ...theirs })
    expect(found).toEqual({ merged: { ...READ, ...merged }, conflicts })
  },
)

it('the changed fields are listed', () => {
  expect(changedFields(READ, { ...READ, kinds: ['paste'] })).toEqual([])
  expect(changedFields(READ, { ...READ, name: 'Bo', kinds: [] })).toEqual(['name', 'kinds'])
})
