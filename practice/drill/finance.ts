import { add, divide, type Fraction, fraction, multiply, subtract, type Value } from './fraction.ts'
import type { SumDraft, SumMaker } from './sum.ts'

// These are the mental calculations of a finance interview (product 3.11.3). All have four options, because people get
// the base, the sign or the bridge wrong more often than the arithmetic.

const MILLIONS = { before: '$', after: ' m' }
const PERCENT = { after: '%' }
const percent = (value: Value) => multiply(value, 100)
const negated = (value: Value) => multiply(value, -1)

export const changes: SumMaker = (random) => {
  const was = random.pick([20, 25, 40, 50, 60, 80, 120, 150, 160, 200, 250, 400, 500])
  const share = random.pick([10, 15, 20, 25, 30, 40, 50, 60, 75]) * random.pick([1, 1, -1])
  const difference = fraction(was * share, 100)
  const is = add(was, difference)
  const figure = random.pick(['Revenue', 'EBITDA', 'Net income', 'Free cash flow', 'Backlog'])
  if (is.bottom !== 1) return changes(random, 'choice')
  const onTheNewBase = percent(divide(difference, is))
  return {
    prompt: `${figure} $${was} m → $${is.top} m: change`,
    key: share,
    slips: [rounded(onTheNewBase), -share, difference, share + Math.sign(share) * 5],
    trick: 'on-the-old-base',
    unit: PERCENT,
    isSigned: true,
  }
}

export const doubling: SumMaker = (random) => {
  const rate = random.pick([2, 3, 4, 6, 8, 9, 12, 18, 24])
  const years = 72 / rate
  const doubles = random.between(1, 3)
  const amount = random.pick([5, 10, 15, 20, 25, 40, 50])
  const sum = random.pick<Pick<SumDraft, 'prompt' | 'key' | 'slips' | 'unit'>>([
    {
      prompt: `${rate}% a year: years to double`,
      key: years,
      slips: [Math.round(100 / rate), years + 2, years * 2, Math.round(50 / rate)],
    },
    {
      prompt: `Doubled in ${years} years: growth a year`,
      key: rate,
      slips: [Math.round(100 / years), rate * 2, rate + 1, Math.round(50 / years)],
      unit: PERCENT,
    },
    {
      prompt: `$${amount} m for ${years * doubles} years at ${rate}%`,
      key: amount * 2 ** doubles,
      slips: [doubles + 1, 2 ** (doubles + 1), doubles * 2 + 1, 2 ** (doubles - 1)].map(
        (times) => amount * times,
      ),
      unit: MILLIONS,
    },
  ])
  return { ...sum, trick: 'seventy-two', isEstimate: true }
}

export const multiples: SumMaker = (random) => {
  const ebitda = random.pick([20, 25, 30, 40, 50, 60, 75, 80, 120])
  const multiple = random.between(5, 16)
  const value = ebitda * multiple
  // Net debt is a whole multiple of EBITDA, so forgetting it gives a plausible answer.
  const turns = random.between(1, Math.min(4, multiple - 2))
  const debt = ebitda * turns
  const times = { after: '×' }
  return random.pick<SumDraft>([
    {
      prompt: `Equity $${value - debt} m, net debt $${debt} m, EBITDA $${ebitda} m: EV/EBITDA`,
      key: multiple,
      slips: [multiple - turns, multiple - 2 * turns, multiple + turns, multiple + 1],
      trick: 'bridge-first',
      unit: times,
    },
    {
      prompt: `${multiple}× EBITDA of $${ebitda} m, net debt $${debt} m: equity`,
      key: value - debt,
      slips: [value + debt, value, value - 2 * debt, value - debt + ebitda],
      trick: 'bridge-first',
      unit: MILLIONS,
    },
    {
      prompt: `EV $${value} m, EBITDA $${ebitda} m: EV/EBITDA`,
      key: multiple,
      slips: [multiple + 1, multiple - 1, multiple + 2, multiple - 2],
      trick: 'multiply-back',
      unit: times,
    },
  ])
}

export const margins: SumMaker = (random) => {
  const revenue = random.pick([40, 60, 80, 120, 150, 160, 200, 240, 250, 300, 320, 400, 500])
  const margin = random.pick([5, 10, 12, 15, 20, 25, 30, 35, 40, 45])
  const profit = fraction(revenue * margin, 100)
  if (profit.bottom !== 1) return margins(random, 'choice')
  const costs = subtract(revenue, profit)
  const onCosts = rounded(percent(divide(profit, costs)))
  return random.pick<SumDraft>([
    {
      prompt: `Revenue $${revenue} m, EBITDA $${profit.top} m: margin`,
      key: margin,
      slips: [onCosts, 100 - margin, margin + 5, margin * 2],
      trick: 'reduce-then-hundred',
      unit: PERCENT,
    },
    {
      prompt: `Revenue $${revenue} m, costs $${costs.top} m: margin`,
      key: margin,
      slips: [100 - margin, onCosts, margin + 5, margin + 10],
      trick: 'reduce-then-hundred',
      unit: PERCENT,
    },
    {
      prompt: `Margin ${margin}%, EBITDA $${profit.top} m: revenue`,
      key: revenue,
      slips: [multiply(profit, 10), add(revenue, profit), costs, revenue + 20],
      trick: 'find-the-whole',
      unit: MILLIONS,
    },
  ])
}

/** Maps new shares to new income, both in percent, so that earnings per share change by a round figure. */
const INCOME_BY_SHARES = {
  20: [8, 14, 26, 32],
  25: [5, 15, 20, 30, 35, 40],
  50: [20, 35, 65, 80],
  60: [36, 44, 52, 68],
  100: [80, 90, 120, 130],
}
const DEALS = Object.entries(INCOME_BY_SHARES).flatMap(([shares, incomes]) =>
  incomes.map((income) => [Number(shares), income] as const),
)

export const accretion: SumMaker = (random) => {
  const [shares, income] = random.pick(DEALS)
  const base = random.pick([100, 200, 300, 400])
  const key = percent(subtract(divide(100 + income, 100 + shares), 1))
  return {
    prompt: `Income $${base} m + $${(base * income) / 100} m, shares ${base} m + ${(base * shares) / 100} m: EPS change`,
    key,
    slips: [negated(key), income - shares, income, shares - income],
    trick: 'income-against-shares',
    unit: PERCENT,
    isSigned: true,
  }
}

export const bonds: SumMaker = (random) => {
  const duration = random.between(2, 18)
  const points = random.pick([10, 20, 25, 30, 40, 50, 75, 100, 150]) * random.pick([1, -1])
  const key = fraction(-duration * points, 100)
  const price = random.pick([100, 100, 200, 500])
  const isInMoney = random.between(0, 3) === 0
  const told = `Duration ${duration}, yields ${points > 0 ? '+' : '−'}${Math.abs(points)} bp`
  const inMoney = multiply(key, fraction(price, 100))
  const asked = isInMoney ? inMoney : key
  return {
    prompt: isInMoney ? `${told}, worth $${price} m: gain` : `${told}: price change`,
    key: asked,
    slips: [
      negated(asked),
      divide(asked, 10),
      multiply(asked, 10),
      multiply(asked, fraction(1, 2)),
      add(asked, 1),
    ],
    trick: 'duration-times-change',
    unit: isInMoney ? MILLIONS : PERCENT,
    isSigned: true,
  }
}

/** Rounds to one decimal, because results on a wrong base may not terminate. */
function rounded(value: Fraction): Fraction {
  return fraction(Math.round((value.top * 10) / value.bottom), 10)
}
