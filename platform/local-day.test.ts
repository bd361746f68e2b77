import { afterEach, expect, it, vi } from 'vitest'
import { isTimeZone, localDay } from './local-day.ts'

afterEach(() => void vi.restoreAllMocks())

const at = Date.parse('2026-03-01T23:30:00Z')

it.each([
  ['Europe/Lisbon', '2026-03-01'],
  ['eUROPE/lISBON', '2026-03-01'],
  ['Europe/Berlin', '2026-03-02'],
  ['America/Los_Angeles', '2026-03-01'],
  ['Asia/Kolkata', '2026-03-02'],
])('half an hour before midnight in UTC the day in %s is %s', (timeZone, day) => {
  expect(localDay(at, timeZone)).toBe(day)
})

it('the local day has the form yyyy-mm-dd however the browser formats dates', () => {
  // WebKit formats en-CA dates in another order than Chromium.
  const formats: { format: unknown } = Intl.DateTimeFormat.prototype
  vi.spyOn(formats, 'format', 'get').mockReturnValue(() => '1/3/2026')
  expect(localDay(at, 'Europe/Lisbon')).toBe('2026-03-01')
})

it('the time zone cache takes no memory for other spellings of a zone', () => {
  localDay(at, 'Europe/Vienna')
  const made = vi.spyOn(Intl, 'DateTimeFormat')
  for (let bits = 0; bits < 256; bits += 1) {
    const spelling = [...'Europe/Vienna']
      .map((letter, index) => ((bits >> index) & 1 ? letter.toUpperCase() : letter.toLowerCase()))
      .join('')
    expect(isTimeZone(spelling)).toBe(true)
    expect(localDay(at, spelling)).toBe('2026-03-02')
  }
  expect(made).not.toHaveBeenCalled()
})

it('the time zone cache stores nothing for an unknown zone', () => {
  const made = vi.spyOn(Intl, 'DateTimeFormat')
  expect(isTimeZone('Mars/Olympus')).toBe(false)
  expect(isTimeZone('Mars/Olympus')).toBe(false)
  expect(made).toHaveBeenCalledTimes(2)
})
