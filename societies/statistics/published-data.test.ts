import { describe, expect, it } from 'vitest'
import { difLetter, mantelHaenszel, matchedStrata } from './dif.ts'
import { discrimination } from './discrimination.ts'
import { mean, standardDeviation } from './moments.ts'
import { feldtInterval, kr20 } from './reliability.ts'
import { columnOf, type Scores } from './responses.ts'

/* Data that the literature has computed again and again, and what R's packages say of them. */

/** Five items of the Law School Admission Test (Bock and Lieberman 1970): 1,000 people by their pattern of answers. */
const LSAT =
  '00000:3 00001:6 00010:2 00011:11 00100:1 00101:1 00110:3 00111:4 01000:1 01001:8 01011:16 01101:3 ' +
  '01110:2 01111:15 10000:10 10001:29 10010:14 10011:81 10100:3 10101:28 10110:15 10111:80 11000:16 ' +
  '11001:56 11010:21 11011:173 11100:11 11101:61 11110:28 11111:298'

/**
 * 24 items on verbal aggression (Vansteelandt 2000; De Boeck and Wilson 2004), a yes as 1: each person a number
 * of six hexadecimal digits, the first item its highest bit. Four situations with cursing, scolding and shouting,
 * first who would want to, then who would do it. Women are the reference group, men the focal one.
 */
const WOMEN = `
  000000 000000 000000 000000 000008 000906 000907 000924 00ed04 020800 024000 030d02 041024
  041e44 045e16 048000 048b34 079615 100248 102400 102482 104000 104800 105804 124004 124b00
  145100 180000 180100 184200 1a7000 1a7d86 1ac92a 1c0000 1c0582 1e0000 200000 201d86 202926
  204000 204926 249200 249da4 24f904 300002 35db65 364804 367cd7 3c41e6 3e7186 404a04 480180
  494004 4a4800 4b6db6 504884 521000 586984 5a0980 5c6d87 6c0924 6d3201 6d3487 784900 7c6bc6
  7c7000 7c7fc4 7dfc20 7ffff7 800000 800400 824000 900000 901001 904000 904004 904800 904904
  9149b2 924000 924924 924924 925905 926906 944fbf 9477c3 95cda6 986924 9a4980 9a5586 9b4e00
  9b6d06 9b6db6 9c49a4 9c6986 9e6924 9e7004 a44000 a69b24 b24804 b24d24 b46fe2 b5cfb7 b64b64
  b64e26 b65920 b68b00 b6fddf b79014 bbc800 bc0fa4 bcf4cf be5965 befc24 bf7da4 c00000 c30c30
  c3ce34 c80506 cb0000 d00d00 d04000 d24d24 d36db6 d38926 d3c830 d84d06 d86ca6 d87ec7 d90482
  da0d00 da4000 da4698 da4806 da4d26 da5d85 da6000 da6006 da6126 da69a6 da6d04 da6d26 da6da6
  da6fe7 db4db4 db6180 db6820 db6db6 db7134 dc4080 de0004 de6106 de6c27 df0000 df0df0 df4da4
  df5d25 df77c4 e3d209 e80c00 eb0fb0 ebc924 ee4800 f07f07 f30820 f40f00 f437a6 f48000 f60644
  f7ef3e f80c20 f80dc0 f84900 fa7d07 fb6d86 fb6ee0 fb6fb6 fbe5b2 fc09a4 fc0fc0 fc0fc6 fc4804
  fc6fe2 fc6fe6 fc71c7 fc7f86 fc7fc7 fceb46 fd4f30 fd7fef fe0490 fe0f4c fe0fe0 fe4b80 fe4d80
  fe4f24 fe63c7 fe7f37 fe7fe5 fe7fe7 fe8fc0 feb200 febd96 fecd24 feffc7 ff4db4 ff4de0 ff6df4
  ff6e36 ff7001 ff7d86 ff7db4 ff7df7 ff7f86 ff7fc6 ff7ff7 ff8fc0 ffbec9 ffcffc ffd924 ffd924
  ffdfc8 ffdfff ffec30 ffec82 ffedb6 ffee36 ffeff0 ffeffe fffd87 fffe07 fffee6 ffffa7 ffffb4
  ffffb6 ffffc7 ffffd6 fffff6 fffff6 ffffff ffffff ffffff ffffff`
const MEN = `
  000020 000d86 000de4 002da6 006c96 00cb27 020304 092480 0a0000 110fb5 182d90 1c01c2 1f8dde
  249040 265164 300b80 320100 36f92f 464f36 5c6da6 68cdb6 786f96 838924 904d36 924000 924904
  924926 9650c0 9b69a4 9befac 9f0900 b24d84 b34c20 bdfff7 c06400 d34c20 d36d86 d86d86 d86da6
  da49a4 db0030 db5db4 db6d86 db6db6 dd7d87 dee924 df4df5 e01400 e121b8 ea6f86 f34db6 f45d26
  f82d86 fa4fa4 fb2d70 fb6fb6 fbc6ef fbdfaf fc2ff4 fc7f27 fd7d86 fe7ed6 fe8fe0 ff0db6 ff6f46
  ff6fe6 ff71b4 ff7fe7 ff7ff6 ff7fff ffcff2 fffffe ffffff`

describe('five published items of the LSAT', () => {
  const scores = scoresOf(
    LSAT.split(' ').flatMap((entry) => {
      const [pattern = '', count] = entry.split(':')
      return Array<string>(Number(count)).fill(pattern)
    }),
  )

  it('give their mean and deviation', () => {
    expect(scores.totals).toHaveLength(1_000)
    expect(mean(scores.totals)).toBe(3.819)
    expect(standardDeviation(scores.totals)).toBeCloseTo(1.035041, 6)
  })

  it.each([
    [1, 0.924, 0.112833],
    [2, 0.709, 0.153178],
    [3, 0.553, 0.172779],
    [4, 0.763, 0.144428],
    [5, 0.87, 0.121596],
  ])('item %i has p %f and item-rest r %f', (number, p, r) => {
    expect(mean(columnOf(scores.right, number - 1))).toBeCloseTo(p, 12)
    expect(discrimination(scores, number - 1)).toBeCloseTo(r, 6)
  })

  it('give their α and its interval', () => {
    const alpha = kr20(scores) as number
    expect(alpha).toBeCloseTo(0.29499719, 8)
    expect(feldtInterval(alpha, 1_000, 5).low).toBeCloseTo(0.223474, 6)
    expect(feldtInterval(alpha, 1_000, 5).high).toBeCloseTo(0.361803, 6)
  })
})

describe('24 items on verbal aggression', () => {
  const patterns = (people: string) =>
    people
      .trim()
      .split(/\s+/)
      .map((digits) => Number.parseInt(digits, 16).toString(2).padStart(24, '0'))
  const [women, men] = [patterns(WOMEN), patterns(MEN)]
  const scores = scoresOf([...women, ...men])
  const isFocal = scores.totals.map((_, candidate) => candidate >= women.length)

  it('give their α', () => {
    expect([women.length, men.length]).toEqual([243, 73])
    expect(kr20(scores)).toBeCloseTo(0.8761213, 7)
  })

  it.each([
    [1, 1.7076, 1.7005, -1.2476, 'A'],
    [6, 9.6032, 2.8804, -2.4861, 'C'],
    [14, 2.7501, 0.4995, 1.6313, 'A'],
    [16, 6.3029, 0.3209, 2.6709, 'C'],
    [17, 6.8395, 0.3746, 2.3072, 'B'],
    [19, 5.7817, 0.4616, 1.8165, 'B'],
  ])('item %i has χ² %f, α %f, Δ %f: %s', (number, chiSquare, oddsRatio, delta, letter) => {
    const marks = columnOf(scores.right, number - 1)
    const dif = mantelHaenszel(matchedStrata(marks, scores.totals, isFocal))
    expect(dif?.chiSquare).toBeCloseTo(chiSquare, 4)
    expect(dif?.oddsRatio).toBeCloseTo(oddsRatio, 4)
    expect(dif?.delta).toBeCloseTo(delta, 4)
    expect(dif && difLetter(dif)).toBe(letter)
  })
})

function scoresOf(patterns: readonly string[]): Scores {
  const right = patterns.map((pattern) => [...pattern].map((mark) => (mark === '1' ? 1 : 0)))
  return {
    right,
    items: [...(patterns[0] ?? '')].map((_, item) => item),
    totals: right.map((row) => row.filter((mark) => mark === 1).length),
  }
}
