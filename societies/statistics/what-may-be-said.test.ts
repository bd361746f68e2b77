import { describe, expect, it } from 'vitest'
import {
  appearsSentence,
  mayBeSaid,
  STAGES,
  type Statistic,
  shownFlags,
  stageOf,
  stageRange,
  whatAppearsNext,
  whyHidden,
} from './what-may-be-said.ts'

const SIZES = [14, 15, 29, 30, 59, 60, 99, 100]

describe('the statistics shown for a number of candidates', () => {
  const table: [Statistic, string][] = [
    // 14 15 29 30 59 60 99 100; of two groups the smaller has half
    ['scores', 'S S S S S S S S'],
    ['right-of', 'S S S S S S S S'],
    ['option-counts', 'S S S S S S S S'],
    ['quartiles', '- S S S S S S S'],
    ['difficulty', '- S S S S S S S'],
    ['direction', '- i i S S S S S'],
    ['reliability', '- i i S S S S S'],
    ['measurement-error', '- i i S S S S S'],
    ['pace', '- i i S S S S S'],
    ['groups', '- - - S S S S S'],
    ['option-flags', '- - - S S S S S'],
    ['discrimination', '- - - i i S S S'],
    ['anchor-difference', '- - - i i S S S'],
    ['similarity-of-a-pair', '- - - i i S S S'],
    ['quintiles', '- - - - - S S S'],
    ['not-working', '- - - - - S S S'],
    ['surprising-speed', '- - - - - S S S'],
    ['shift', '- - - - - i i S'],
    ['similarity-of-all-pairs', '- - - - - i i S'],
    ['favoured-group', '- - - - - - - S'],
  ]

  it.each(table)('%s: %s', (statistic, expected) => {
    const letters = { shown: 'S', indicative: 'i', hidden: '-' }
    const said = SIZES.map((size) => letters[mayBeSaid(statistic, size, Math.floor(size / 2))])
    expect(said.join(' ')).toBe(expected)
  })

  it.each<[Statistic, number, number, string]>([
    ['favoured-group', 200, 49, 'hidden'],
    ['favoured-group', 200, 50, 'shown'],
    ['shift', 200, 29, 'hidden'],
    ['shift', 200, 30, 'indicative'],
    ['shift', 200, 49, 'indicative'],
    ['shift', 200, 50, 'shown'],
    ['discrimination', 200, 3, 'shown'],
  ])('%s among %i with %i in the smaller group is %s', (statistic, people, smaller, said) => {
    expect(mayBeSaid(statistic, people, smaller)).toBe(said)
  })

  it('hide a comparison of groups of unknown size', () => {
    expect(mayBeSaid('favoured-group', 500)).toBe('hidden')
  })

  it('show flags that are meaningful', () => {
    const flags = [
      { kind: 'key-suspicious', option: 1 },
      { kind: 'left-blank', share: 0.2 },
      { kind: 'not-working', option: 3 },
    ] as const
    const kinds = (people: number) => shownFlags(flags, people).map(({ kind }) => kind)
    expect(kinds(29)).toEqual(['left-blank'])
    expect(kinds(30)).toEqual(['key-suspicious', 'left-blank'])
    expect(kinds(60)).toEqual(['key-suspicious', 'left-blank', 'not-working'])
  })
})

describe('the stages of the statistics', () => {
  it('cover every size', () => {
    expect(STAGES.map(stageRange)).toEqual([
      'under 15',
      '15 to 29',
      '30 to 59',
      '60 to 99',
      'from 100',
    ])
    expect([0, 14, 15, 29, 30, 2_000].map((people) => stageOf(people).from)).toEqual([
      0, 0, 15, 15, 30, 100,
    ])
  })

  it('say what more candidates would add', () => {
    expect(whatAppearsNext(22)).toBe(
      'From 30 candidates on: KR-20, groups, notices on options; discrimination and the comparison of sessions as indicative.',
    )
    expect(whatAppearsNext(14)).toContain('From 15 candidates on: median and quartiles')
    expect(whatAppearsNext(30)).toContain('From 60 candidates on')
    expect(whatAppearsNext(100)).toBeNull()
    expect(appearsSentence(stageOf(3))).toBe(
      'Scores, “9 of 12”, how often each option was chosen, time.',
    )
  })

  it('say why a figure is absent', () => {
    expect(whyHidden('discrimination', 22)).toBe('Shown from 30 candidates on; there are 22.')
    expect(whyHidden('discrimination', 30)).toBeNull()
    expect(whyHidden('favoured-group', 120, 40)).toBe(
      'Shown from 50 candidates in each group on; the smaller has 40.',
    )
    expect(whyHidden('shift', 80, 20)).toBe(
      'Shown from 30 candidates in each group on; the smaller has 20.',
    )
  })
})
