// For each kind of sum the way that takes the fewest steps in the head, said as one person says it to another
// (product 3.11.9). An example is worked, because a rule alone is no help with the clock on.

export interface Trick {
  name: string
  /** a sentence or two, with numbers in it */
  how: string
}

export const TRICKS = {
  'left-to-right': {
    name: 'From the left',
    how: 'Add the big places first, as you would say the number: 347 + 285 is 500, then 620, then 632. Nothing has to be carried, and the first digits are right from the start.',
  },
  'round-first': {
    name: 'Round, then give back',
    how: 'Go to the round number and take back what was too much: 46 + 38 is 46 + 40 − 2 = 84, and 91 − 47 is 91 − 50 + 3 = 44.',
  },
  'count-up': {
    name: 'Count up',
    how: 'When two numbers are near each other, walk from the lower to the upper: 503 − 468 is 2 to 470, 30 to 500, 3 more, so 35.',
  },
  'work-backwards': {
    name: 'Undo the sign',
    how: 'Turn the equation around before you calculate: ? − 18 = 47 is 47 + 18, and 96 ÷ ? = 8 is 96 ÷ 8. Only a gap behind a minus or a ÷ keeps its sign.',
  },
  'times-eleven': {
    name: 'Times eleven',
    how: 'Put the sum of the digits between them: 45 × 11 is 4, 9, 5, so 495. From ten on, carry: 78 × 11 is 7, 15, 8, so 858.',
  },
  'times-five': {
    name: 'Halve and add a zero',
    how: 'Times 5 is half of times 10, times 25 a quarter of times 100: 48 × 5 = 480 ÷ 2 = 240, and 36 × 25 = 3600 ÷ 4 = 900.',
  },
  'square-ending-in-five': {
    name: 'Squares that end in 5',
    how: 'Take the tens, multiply by the next number up, and write 25 behind it: 35 × 35 is 3 × 4 = 12, so 1225.',
  },
  'difference-of-squares': {
    name: 'Square of the middle',
    how: 'Two numbers at the same distance from a round one: square the middle and subtract the distance squared. 18 × 22 is 20 × 20 − 2 × 2 = 396.',
  },
  'near-a-round-number': {
    name: 'Next to a round number',
    how: 'Multiply by the round number, then adjust: 17 × 19 is 17 × 20 − 17 = 323, and 24 × 31 is 24 × 30 + 24 = 744.',
  },
  'halve-and-double': {
    name: 'Halve one, double the other',
    how: 'An even number times one that ends in 5: 14 × 35 is 7 × 70 = 490, and 16 × 15 is 8 × 30 = 240.',
  },
  'split-the-factor': {
    name: 'Split it at the tens',
    how: 'Tens first, then the rest: 17 × 24 is 17 × 20 = 340 and 17 × 4 = 68, so 408. Say the first part in your head so you keep it.',
  },
  'divide-by-five': {
    name: 'Double and shift',
    how: 'Divided by 5 is doubled and divided by 10, divided by 25 is times 4 and divided by 100: 235 ÷ 5 = 470 ÷ 10 = 47, and 450 ÷ 25 = 1800 ÷ 100 = 18.',
  },
  'halve-again': {
    name: 'Halve, and halve again',
    how: 'By 4 is two halvings, by 8 three, by 16 four: 296 ÷ 8 goes 148, 74, 37.',
  },
  'divide-by-factors': {
    name: 'One factor at a time',
    how: 'Divide by the easy factor first: 216 ÷ 12 is 216 ÷ 2 = 108, then ÷ 6 = 18. Dividing by 15 is dividing by 30 and doubling.',
  },
  'multiply-back': {
    name: 'Ask it as a product',
    how: 'Not 133 ÷ 7, but what times 7 is 133: 7 × 20 is 140, one seven too many, so 19.',
  },
  'one-part-first': {
    name: 'One part first',
    how: 'Divide by the bottom, then multiply by the top: 5/8 of 120 is 120 ÷ 8 = 15, times 5 = 75. If the fraction can be reduced, reduce it before you start.',
  },
  'shift-the-point': {
    name: 'Points aside',
    how: 'Work with whole numbers and count the places afterwards: 0.35 × 80 is 35 × 80 = 2,800, two places back, so 28. In a division, move both points the same way: 7.2 ÷ 0.09 is 720 ÷ 9 = 80.',
  },
  'line-up-the-points': {
    name: 'Fill up with zeros',
    how: 'Give both the same number of places: 4.275 + 0.6 is 4.275 + 0.600 = 4.875. Line up the points, not the ends.',
  },
  'common-bottom': {
    name: 'Cross-multiply, reduce last',
    how: 'Each top times the other bottom, over the product of the bottoms: 2/3 + 3/4 is (8 + 9) over 12, so 17/12. Never add tops and bottoms separately.',
  },
  'swap-the-percentage': {
    name: 'Flip it',
    how: 'A percent of b is b percent of a: 16% of 25 is 25% of 16, so 4, and 12% of 75 is three quarters of 12, so 9.',
  },
  'blocks-of-ten-percent': {
    name: 'Blocks of ten percent',
    how: 'Move the point for 10%, then build: 35% of 180 is 18 + 18 + 18 for thirty and 9 for five, so 63. 15% is ten and half of ten.',
  },
  'reduce-then-hundred': {
    name: 'Reduce, then scale to a hundred',
    how: '84 of 240 is 7 of 20; twenty goes into a hundred five times, so 35%. From costs to a margin, first take the costs off the revenue.',
  },
  'one-factor': {
    name: 'One factor instead of two steps',
    how: 'Plus 15% is times 1.15, less 20% is times 0.8: 340 less 20% is 34 × 8 = 272.',
  },
  'find-the-whole': {
    name: 'Back to a round share',
    how: 'Bring the share to 10% or to 100%: if 15% is 45, then 5% is 15 and 100% is 300. If 40% is 36, then 10% is 9, so 90.',
  },
  'on-the-old-base': {
    name: 'Always on the old figure',
    how: 'The difference over what it was before: from 80 to 100 is 20 over 80, so +25%, and back again is 20 over 100, so −20%.',
  },
  'seventy-two': {
    name: 'The rule of 72',
    how: 'Rate times years to double is about 72: at 8% it takes 9 years. Count the doublings and nothing else: 18 years at 8% are two, so times four.',
  },
  'bridge-first': {
    name: 'Bridge before you divide',
    how: 'From equity up to enterprise value add net debt, on the way down take it off, and only then divide: $400 m + $200 m over EBITDA of $50 m is 12×. Net debt in turns of EBITDA goes quicker still: 8× + 4×.',
  },
  'income-against-shares': {
    name: 'Which grows more',
    how: 'Compare the two growth rates for the sign: income +20% against shares +25% dilutes. For the size divide: 120 over 125 is 0.96, so −4%.',
  },
  'duration-times-change': {
    name: 'Duration times the move, sign turned',
    how: 'Price and yield go opposite ways: duration 6 and +50 bp is 6 × 0.5% down, so −3%. A hundred basis points are one percent.',
  },
  'one-up-one-down': {
    name: 'One up, one down',
    how: 'Round one factor up and the other down, so that the errors cancel: 48.7 × 21.3 is about 50 × 21, so 1050.',
  },
  'move-both-sides': {
    name: 'Move both the same way',
    how: 'In a division round both up or both down: 3870 ÷ 19.3 is about 4000 ÷ 20, so 200. Rounding them apart doubles the error.',
  },
  'nearest-fraction': {
    name: 'The nearest plain fraction',
    how: '33% is a third, 12% an eighth, 17% a sixth, 66% two thirds: 33.4% of 5890 is about 5900 ÷ 3, so a little under 2000.',
  },
  'between-two-squares': {
    name: 'Between two squares',
    how: 'Find the squares on both sides and go in by the share: 2200 is a little over 45 × 45 = 2025 and under 50 × 50, so about 47. Pairs of digits tell the size: four digits, two in the root.',
  },
  'look-at-the-steps': {
    name: 'Write down the steps',
    how: 'Take each from the next; if the steps are not equal, take their steps: 3, 5, 9, 15 has 2, 4, 6, so the next step is 8 and the answer 23.',
  },
  'look-at-the-ratios': {
    name: 'It grows too fast for steps',
    how: 'When each is two or three times the last, ask what is left over: 4, 11, 25, 53 is twice the one before, plus 3, so 109.',
  },
  'add-the-last-two': {
    name: 'Add the last two',
    how: 'If the steps look like the sequence itself, each is the sum of the two before, perhaps with a constant: 3, 5, 8, 13 goes on with 21.',
  },
  'every-other-one': {
    name: 'Every other one',
    how: 'Up and down in turn, or eight terms where four would do, means two sequences: read the first, third and fifth by themselves, then the others.',
  },
  'near-the-powers': {
    name: 'Next to squares and cubes',
    how: 'Know the squares to 20 and the cubes to 10 and look for a constant distance: 6, 9, 14, 21 are squares plus 5, so 30. Steps that go up by 2 are squares in disguise.',
  },
} as const satisfies Record<string, Trick>

export type TrickName = keyof typeof TRICKS
