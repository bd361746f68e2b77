import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { CONTENT_DIR } from '../platform/server/project-folder.ts'
import { type Guide, PAGE_SCHEMAS } from './page-shapes.ts'

// Recalculates the two worked examples from their assumptions. A candidate whose figures don't add up is rejected, so
// the page that teaches it must add up too (product 8.5.4). Amounts are in $ million, except per share.

const { guides } = PAGE_SCHEMAS.worked.parse(
  parse(readFileSync(path.join(CONTENT_DIR, 'pages', 'worked.yaml'), 'utf8')),
)
const [pitch, deal] = guides

/** '1,260', '64.5', '(31)' for an outflow, '' for zero. */
const money = (value: number, digits = 0): string =>
  Math.abs(value).toLocaleString('en-US', { maximumFractionDigits: digits })
const out = (value: number, digits = 0): string => `(${money(value, digits)})`
const perShare = (value: number): string => `$${value.toFixed(2)}`
const percent = (share: number, digits = 0): string => `${(share * 100).toFixed(digits)}%`
const signed = (share: number, digits = 0): string =>
  `${share < 0 ? '−' : '+'}${percent(Math.abs(share), digits)}`
const times = (value: number): string => `${value.toFixed(1)}x`
const million = (value: number, digits = 0): string => `$${money(value, digits)} million`

function tableBelow(guide: Guide, heading: string): string[][] {
  const section = guide.sections.find((candidate) => candidate.heading === heading)
  return section?.table?.rows ?? []
}

/** All amounts of money, percentages and multiples in a guide's text, without its tables. */
function figuresIn(guide: Guide): string[] {
  const sections = guide.sections.map(({ table: _, ...rest }) => rest)
  const text = JSON.stringify(sections)
  const found = text.match(
    /\$[\d,]+(?:\.\d+)?(?: million)?|\d+(?:\.\d+)?%|\d+(?:\.\d+)?x\b|\d+,\d{3}\b/g,
  )
  return [...new Set((found ?? []).map((figure) => figure.replace(/,$/, '')))]
}

describe('the stock pitch page', () => {
  const [price, shares, netDebt, tax] = [22, 50, 160, 0.25]
  const now = { service: 480, equipment: 320, serviceEbit: 96, equipmentEbit: 16, depreciation: 28 }
  const ebit = now.serviceEbit + now.equipmentEbit
  const value = price * shares + netDebt
  const margins = [0.204, 0.21, 0.216]
  const year = Math.round

  /** Each line is rounded to a million before the next is calculated, as the page says. */
  const years = [
    {
      service: now.service,
      margin: 0.2,
      serviceEbit: 96,
      equipmentEbit: 16,
      netDebt,
      dividends: 0,
      ...belowEbit(ebit, netDebt),
    },
  ]
  let service = now.service
  for (const margin of margins) {
    service *= 1.05
    const before = years.at(-1)?.netDebt ?? 0
    const serviceEbit = year(year(service) * margin)
    const equipmentEbit = year(now.equipment * 0.9 * 0.03)
    const lines = belowEbit(serviceEbit + equipmentEbit, before)
    years.push({
      service: year(service),
      margin,
      serviceEbit,
      equipmentEbit,
      ...lines,
      netDebt: before - year(lines.netIncome * 0.5),
      dividends: year(lines.netIncome * 0.4),
    })
  }
  const last = years[3] as (typeof years)[number]
  const lastEbit = last.serviceEbit + last.equipmentEbit
  const dividends = years.reduce((sum, line) => sum + line.dividends, 0) / shares
  const returnOf = (worth: number) => (worth + dividends) / price - 1

  const base = last.serviceEbit * 14 + last.equipmentEbit * 6
  const same = year(lastEbit * (value / ebit))
  const badEbit = year(now.service * 1.02 ** 3 * 0.19) + year(now.equipment * 0.6 * -0.02)
  const bad = badEbit * 10
  const [baseShare, sameShare, badShare] = [
    (base - last.netDebt) / shares,
    (same - last.netDebt) / shares,
    (bad - netDebt) / shares,
  ] as const
  const atTwelve = (last.serviceEbit * 12 + last.equipmentEbit * 6 - last.netDebt) / shares

  function belowEbit(profit: number, debt: number) {
    const interest = Math.round(debt * 0.05)
    const charged = Math.floor((profit - interest) * tax)
    return { interest, charged, netIncome: profit - interest - charged }
  }

  it('shows the company, its price and the forecast as calculated', () => {
    const group = now.service + now.equipment
    expect(tableBelow(pitch, 'The page that you hand in: the company')).toEqual([
      ['Revenue', money(now.service), money(now.equipment), money(group)],
      ['Operating profit (EBIT)', money(now.serviceEbit), money(now.equipmentEbit), money(ebit)],
      ['Margin', percent(96 / 480, 1), percent(16 / 320, 1), percent(ebit / group, 1)],
      ['Share of EBIT', percent(96 / ebit), percent(16 / ebit), '100%'],
    ])
    const eps = (years[0]?.netIncome ?? 0) / shares
    expect(tableBelow(pitch, 'The page: what it costs today')).toEqual([
      ['50 million shares at $22.00', money(price * shares)],
      ['Net debt', money(netDebt)],
      ['Enterprise value', money(value)],
      ['÷ EBITDA of 140', times(value / (ebit + now.depreciation))],
      ['÷ EBIT of 112', times(value / ebit)],
      [`Price ÷ earnings of ${perShare(eps)} a share`, times(price / eps)],
    ])
    expect(tableBelow(pitch, 'The page: forecast')).toEqual([
      ['Service revenue', ...years.map((line) => money(line.service))],
      ['Service margin', ...years.map((line) => percent(line.margin, 1))],
      ['Service EBIT', ...years.map((line) => money(line.serviceEbit))],
      ['New equipment EBIT', ...years.map((line) => money(line.equipmentEbit))],
      ['EBIT', ...years.map((line) => money(line.serviceEbit + line.equipmentEbit))],
      ['Interest', ...years.map((line) => out(line.interest))],
      ['Tax', ...years.map((line) => out(line.charged))],
      ['Net income', ...years.map((line) => money(line.netIncome))],
      ['Net debt at year end', ...years.map((line) => money(line.netDebt))],
      ['Dividends', '–', ...years.slice(1).map((line) => money(line.dividends))],
    ])
  })

  it('shows value and downside as calculated', () => {
    expect(tableBelow(pitch, 'The page: value and downside')).toEqual([
      ['EBIT in year 3', money(lastEbit), money(lastEbit), money(badEbit)],
      ['Enterprise value', money(base), money(same), money(bad)],
      ['Net debt', out(last.netDebt), out(last.netDebt), out(netDebt)],
      ['Equity', money(base - last.netDebt), money(same - last.netDebt), money(bad - netDebt)],
      ['Per share, 50 million', perShare(baseShare), perShare(sameShare), perShare(badShare)],
      ['Dividends per share', perShare(dividends), perShare(dividends), '–'],
      [
        'Total return',
        percent(returnOf(baseShare)),
        percent(returnOf(sameShare)),
        signed(badShare / price - 1),
      ],
    ])
  })

  it('has only figures that are assumed or calculated', () => {
    const [elevators, kept, perNew] = [240_000, 0.96, 40_000]
    const lost = elevators * (1 - kept)
    const gained = lost + elevators * 0.02
    const installed = (now.equipment * 0.9 * 1e6) / perNew
    const won = gained - installed * 0.8
    const total = returnOf(baseShare)
    const assumed = [
      '96%',
      '5%',
      '3%',
      '2%',
      '10%',
      '25%',
      '40%',
      '19%',
      '94%',
      '4%',
      '80%',
      '15x',
      '14x',
      '6x',
      '10x',
      '12x',
      '$40,000',
      '$22',
      '$22.00',
    ]
    const computed = [
      `$${year(baseShare)}`,
      `$${year(badShare)}`,
      perShare(baseShare),
      perShare(sameShare),
      perShare(badShare),
      perShare(dividends),
      perShare(atTwelve),
      percent(total),
      percent(returnOf(sameShare)),
      percent(returnOf(atTwelve)),
      percent(1 - badShare / price),
      percent((1 + total) ** (1 / 3) - 1),
      percent((1 + total) ** (1 / 3) - 1, 1),
      percent(lastEbit / 116 - 1),
      percent(now.serviceEbit / now.service, 1),
      percent(last.margin, 1),
      percent(now.equipment / 800),
      percent(now.equipmentEbit / ebit),
      times(value / (ebit + now.depreciation)),
      `${value / ebit}x`,
      million(ebit),
      million(lastEbit),
      million(now.equipment * 0.9),
      `$${money((now.service * 1e6) / elevators)}`,
      ...[elevators, lost, gained, installed, installed * 0.8, won].map((count) => money(count)),
      percent(won / elevators, 1),
    ]
    expect(
      figuresIn(pitch).filter((figure) => ![...assumed, ...computed].includes(figure)),
    ).toEqual([])
    // Checks the text's claims.
    expect((years[1]?.serviceEbit ?? 0) + (years[1]?.equipmentEbit ?? 0)).toBe(ebit)
    expect(returnOf(sameShare) / total).toBeGreaterThan(0.5)
  })
})

describe('the deal page', () => {
  const tax = 0.25
  const orrin = { ebit: 242, ebitda: 302, netDebt: 440, price: 40, shares: 100, interest: 22 }
  const target = { ebit: 70, ebitda: 90, netDebt: 130, price: 18, shares: 40 }
  const [cash, ratio, fees, synergies, once, amortization] = [13.7, 0.265, 22, 30, 36, 20]
  const offer = cash + ratio * orrin.price
  const equity = offer * target.shares
  const before = target.price * target.shares
  const value = equity + target.netDebt
  const newShares = ratio * target.shares
  const newDebt = cash * target.shares + target.netDebt + fees
  const shares = orrin.shares + newShares
  const netDebt = orrin.netDebt + newDebt
  const ebitda = orrin.ebitda + target.ebitda

  function earn(profit: number, interest: number, count: number) {
    const charged = (profit - interest) * tax
    const netIncome = profit - interest - charged
    return { interest, charged, netIncome, perShare: netIncome / count }
  }
  const interest = orrin.interest + newDebt * 0.06
  const alone = earn(orrin.ebit, orrin.interest, orrin.shares)
  const joint = orrin.ebit + target.ebit - amortization
  const without = earn(joint, interest, shares)
  const withAll = earn(joint + synergies, interest, shares)
  const cases = [alone, without, withAll]

  const worth = (synergies * (1 - tax)) / 0.09
  const onceNet = once * (1 - tax)
  const premium = equity - before
  const gain = worth - onceNet - premium - fees
  const invested = value + fees + once
  const earned = (target.ebit + synergies) * (1 - tax)

  it('shows price, payment, earnings and value as calculated', () => {
    expect(tableBelow(deal, 'The deal on a page: what is paid')).toEqual([
      ['Price per share', perShare(target.price), perShare(offer)],
      ['Equity, 40 million shares', money(before), money(equity)],
      ['Net debt', money(target.netDebt), money(target.netDebt)],
      ['Enterprise value', money(before + target.netDebt), money(value)],
      ['÷ EBITDA of 90', times((before + target.netDebt) / 90), times(value / 90)],
      ['÷ EBITDA with synergies, 120', '–', times(value / (target.ebitda + synergies))],
      ['÷ EBIT of 70', times((before + target.netDebt) / 70), times(value / 70)],
    ])
    expect(tableBelow(deal, 'The deal on a page: how it is paid')).toEqual([
      ['New debt at 6%', money(newDebt), ''],
      [`${money(newShares, 1)} million new Orrin shares`, money(newShares * orrin.price), ''],
      ["Cash to Pellmarsh's owners", '', money(cash * target.shares)],
      ["Shares to Pellmarsh's owners", '', money(newShares * orrin.price)],
      ["Pellmarsh's debt repaid", '', money(target.netDebt)],
      ['Fees', '', money(fees)],
      ['Total', money(newDebt + newShares * orrin.price), money(equity + target.netDebt + fees)],
    ])
    expect(tableBelow(deal, 'The deal on a page: earnings per share')).toEqual([
      ['EBIT of Orrin', '242', '242', '242'],
      ['EBIT of Pellmarsh', '', '70', '70'],
      ['Synergies', '', '', '30'],
      ['Amortization', '', out(amortization), out(amortization)],
      ['Interest', ...cases.map((line) => out(line.interest))],
      ['Tax', ...cases.map((line) => out(line.charged, 1))],
      ['Net income', ...cases.map((line) => money(line.netIncome, 1))],
      ['Million shares', ...[100, shares, shares].map((count) => money(count, 1))],
      ['Earnings per share', ...cases.map((line) => perShare(line.perShare))],
      [
        'Change',
        '',
        ...[without, withAll].map((line) => signed(line.perShare / alone.perShare - 1, 1)),
      ],
    ])
    expect(tableBelow(deal, 'The deal on a page: value')).toEqual([
      ['Synergies after tax', money(worth)],
      ['Cost of reaching them', out(onceNet)],
      ['Premium over $720 million', out(premium)],
      ['Fees', out(fees)],
      ['Gain or loss', out(gain)],
    ])
  })

  it('has only figures that are assumed or calculated', () => {
    const fallen = orrin.price * 0.98
    const movedOffer = cash + ratio * fallen
    const assumed = [
      '25%',
      '6%',
      '9%',
      '8%',
      '2%',
      '$40.00',
      '$13.70',
      '$23',
      '$23.20',
      '$30 million',
      '$36 million',
      '$20 million',
      '$22 million',
      '$440 million',
    ]
    const computed = [
      perShare(offer),
      perShare(ratio * orrin.price),
      perShare(fallen),
      perShare(ratio * fallen),
      perShare(movedOffer),
      percent(movedOffer / 23.2 - 1, 1),
      percent(offer / target.price - 1),
      ...[equity, value, newDebt, netDebt, ebitda, premium, worth, onceNet, invested].map((sum) =>
        million(sum),
      ),
      million(worth - onceNet),
      million(-gain),
      million(orrin.price * orrin.shares * 0.02),
      million(synergies * (1 - tax), 1),
      million(newDebt + newShares * orrin.price),
      times(value / target.ebitda),
      times(value / (target.ebitda + synergies)),
      times(orrin.netDebt / orrin.ebitda),
      times(netDebt / ebitda),
      times(netDebt / (ebitda + synergies)),
      times((netDebt + newShares * orrin.price) / ebitda),
      times(orrin.price / alone.perShare),
      percent(newShares / shares, 1),
      percent(withAll.perShare / alone.perShare - 1, 1),
      percent(0.06 * (1 - tax), 1),
      percent(earned / invested, 1),
      million((alone.perShare * shares) / (1 - tax) + interest - joint),
      million((invested * 0.08) / (1 - tax) - target.ebit - synergies),
    ]
    expect(figuresIn(deal).filter((figure) => ![...assumed, ...computed].includes(figure))).toEqual(
      [],
    )
    // The break-even value that the text names, and that the seller should stop at that price.
    expect(million(((premium + fees + onceNet) * 0.09) / (1 - tax))).toBe('$36 million')
    expect((worth - onceNet - fees + before) / target.shares).toBeCloseTo(23, 0)
  })
})
