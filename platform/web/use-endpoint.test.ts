import { expect, it } from 'vitest'
import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { endpointKey } from './use-endpoint.ts'

const read = endpoint({
  method: 'GET',
  path: '/api/clubs/:club/tests/:code',
  summary: 'A test',
  access: 'user',
  params: z.object({ club: z.string(), code: z.string() }),
  query: z.object({ form: z.optional(z.string()) }),
  response: z.string(),
})

it('the query key of a read is its path in parts, so that the key of a club matches all its tests', () => {
  const params = { club: 'a/b', code: 'X' }
  expect(endpointKey(read, { params, query: {} })).toEqual(['api', 'clubs', 'a%2Fb', 'tests', 'X'])
  expect(endpointKey(read, { params, query: { form: 'A' } })).toEqual([
    'api',
    'clubs',
    'a%2Fb',
    'tests',
    'X',
    { query: { form: 'A' } },
  ])
})
