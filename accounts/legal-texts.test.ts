import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { RECOVERY_IN_WORDS } from './recovery.ts'
import { GUEST_DAYS } from './retention.ts'

// What people agree to has to say what the rules do (product 8.7.4).
it.each([
  ['terms', `Guests that have not been used for ${GUEST_DAYS} days`],
  ['privacy', `Guests that have not been used for ${GUEST_DAYS} days`],
  ['privacy', `A recovery link works for ${RECOVERY_IN_WORDS}`],
])('the %s state: %s', async (page, sentence) => {
  const text = await readFile(new URL(`../content/pages/${page}.yaml`, import.meta.url), 'utf8')
  expect(text.replace(/\s+/g, ' ')).toContain(sentence)
})
