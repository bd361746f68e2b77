import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { PAGE_SCHEMAS } from '../pages/page-shapes.ts'
import { CONTENT_DIR } from '../platform/server/project-folder.ts'
import { shortCellName, waysInto } from './categories.ts'

const careers = PAGE_SCHEMAS.careers.parse(
  parse(readFileSync(path.join(CONTENT_DIR, 'pages', 'careers.yaml'), 'utf8')),
)

describe('every career page links to categories with tests', () => {
  it.each(Object.values(careers).flat())('$title', ({ practise }) => {
    expect(waysInto(practise.category).length).toBeGreaterThan(0)
  })
})

it('an unknown category has no link', () => {
  expect(waysInto('Astrology')).toEqual([])
})

it('a cell has a short name, and Mental Agility needs no level', () => {
  expect(shortCellName('Valuation & Corporate Finance', 'Intern')).toBe('Valuation, Intern')
  expect(shortCellName('Mental Agility & Problem Solving', 'Discover Finance')).toBe(
    'Mental Agility',
  )
})
