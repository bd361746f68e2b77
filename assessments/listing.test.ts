import { expect, it } from 'vitest'
import { listedSince } from './listing.ts'

it('an assessment is listed until 24 hours after it closes', () => {
  expect(listedSince(new Date('2026-03-02T18:00:00Z'))).toEqual(new Date('2026-03-01T18:00:00Z'))
})
