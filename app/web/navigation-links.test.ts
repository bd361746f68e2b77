import { expect, it } from 'vitest'
import { isCurrent } from './navigation-links.tsx'

it.each([
  ['/', '/', true],
  ['/', '/dashboard', true],
  ['/', '/dashboard/', true],
  ['/', '/tests/Intern/Analyst', false],
  ['/faq', '/faq', true],
  ['/faq', '/faq/', true],
  ['/recruitment-resources', '/recruitment-resources', true],
  ['/recruitment-resources', '/recruitment', false],
  ['/about', '/', false],
])('the link to %s on the page %s is current: %s', (to, pathname, expected) => {
  expect(isCurrent(to, pathname)).toBe(expected)
})
