import { expect, it } from 'vitest'
import { changedFields, mergeChanges } from './merge-changes.ts'

const READ = { name: 'Ana', room: '1.04', minutes: 0, kinds: ['paste'] }

it.each([
  ['nobody', {}, {}, {}, []],
  ['me alone', { room: '2.11' }, {}, { room: '2.11' }, []],
  ['the other alone', {}, { room: '2.11' }, { room: '2.11' }, []],
  ['each one field', { room: '2.11' }, { minutes: 480 }, { room: '2.11', minutes: 480 }, []],
  ['both the same', { room: '2.11' }, { room: '2.11' }, { room: '2.11' }, []],
  ['both one field', { room: '2.11' }, { room: '3' }, { room: '2.11' }, ['room']],
  ['both a list', { kinds: [] }, { kinds: ['copy'] }, { kinds: [] }, ['kinds']],
])(
  'what %s changed is kept, and where both did somebody picks',
  (_, mine, theirs, merged, conflicts) => {
    const found = mergeChanges(READ, { ...READ, ...mine }, { ...READ, ...theirs })
    expect(found).toEqual({ merged: { ...READ, ...merged }, conflicts })
  },
)

it('says what was changed', () => {
  expect(changedFields(READ, { ...READ, kinds: ['paste'] })).toEqual([])
  expect(changedFields(READ, { ...READ, name: 'Bo', kinds: [] })).toEqual(['name', 'kinds'])
})
