import type { Page } from '@playwright/test'
import { expect, expectSound, isFull, type Product, test } from '../rig.ts'

const DCF = '/aloud/walk-me-through-a-dcf'

/** Provides a humming microphone where the page may use one, because Chromium's headless shell has none. */
async function giveMicrophone(page: Page): Promise<void> {
  await page.addInitScript(() => {
    navigator.mediaDevices.getUserMedia = async () => {
      const { featurePolicy } = document as unknown as {
        featurePolicy: { allowsFeature(feature: string): boolean }
      }
      if (!featurePolicy.allowsFeature('microphone')) throw new DOMException('', 'NotAllowedError')
      const audio = new AudioContext()
      const stream = audio.createMediaStreamDestination()
      const tone = new OscillatorNode(audio)
      tone.connect(stream)
      tone.start()
      return stream.stream
    }
  })
}

async function storedAnswers(product: Product, email: string) {
  const { rows } = await product.db.$client.query<{
    prompt: string
    points: number[]
    rating: number
    tookMs: number
  }>(
    `select prompt, points, rating, took_ms as "tookMs" from spoken_answers a
     join users u on u.id = a.user_id where u.email = $1 order by answered_at`,
    [email],
  )
  return rows
}

const countRecordings = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const opening = indexedDB.open('superday-recordings', 1)
        opening.onupgradeneeded = () =>
          opening.result.createObjectStore('recordings', { keyPath: ['userId', 'prompt'] })
        opening.onsuccess = () => {
          const counting = opening.result
            .transaction('recordings')
            .objectStore('recordings')
            .count()
          counting.onsuccess = () => {
            opening.result.close()
            resolve(counting.result)
          }
        }
      }),
  )

test('A student answers aloud by keyboard: record, listen, tick the points, rate, and continue', {
  tag: '@full',
}, async ({ page, product, signedIn }) => {
  await giveMicrophone(page)
  const sent: number[] = []
  page.on('request', (request) => sent.push(request.postDataBuffer()?.length ?? 0))
  await page.goto('/dashboard')
  // Navigates like an internal link. The microphone needs a page load.
  await page.evaluate(() => {
    history.pushState(null, '', '/aloud')
    dispatchEvent(new PopStateEvent('popstate'))
  })
  const start = page.getByRole('link', { name: 'Start' })
  await expect(page.getByRole('heading', { name: '3 new questions' })).toBeVisible()
  await expectSound(page, 'aloud-list')
  await start.press('Enter')

  await expect(page.getByRole('heading', { name: 'Walk me through a DCF.' })).toBeFocused()
  await expect(
    page.getByText('It is deleted after seven days, or when you sign out.'),
  ).toBeVisible()
  await expect(page.getByText('first time')).toBeVisible()
  if (isFull) await expectSound(page, 'aloud-ready')
  await page.keyboard.press('Space')
  await expect(page.getByText('Recording', { exact: true })).toBeVisible()
  await expect(page.getByRole('timer')).toHaveAccessibleName(/^8[0-8] of 90 seconds left/)
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/aloud-speaking.png` })
  await page.keyboard.press('Space')

  await expect(page.getByRole('heading', { name: 'Did you say it?' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Walk me through a DCF.' })).toBeFocused()
  // The recording is first read back from the device.
  await expect(page.getByRole('button', { name: 'Listen again' })).toBeVisible()
  await page.keyboard.press('l')
  await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Listen again' })).toBeVisible()
  await expect(page.getByRole('radio', { name: 'Not yet tomorrow' })).toBeChecked()
  await expect(page.locator('.model-missed')).toHaveCount(6)
  for (const key of '12354') await page.keyboard.press(key)
  await page.keyboard.press('4')
  await expect(page.getByRole('checkbox', { checked: true })).toHaveCount(4)
  await expect(page.locator('.model-missed')).toHaveCount(2)
  await expect(page.getByRole('radio', { name: 'Shaky in 3 days' })).toBeChecked()
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('radio', { name: 'Good in 8 days' })).toBeChecked()
  await page.keyboard.press('ArrowLeft')
  await expect(page.getByText('Again in 3 days').last()).toBeVisible()
  await expectSound(page, 'aloud-check')
  await page.getByRole('button', { name: '2 minutes' }).click()
  await expect(page.locator('.model-missed')).toHaveCount(2)

  // A reload keeps the recording and the ticks.
  await page.reload()
  await expect(page.getByRole('checkbox', { checked: true })).toHaveCount(4)
  await expect(page.getByRole('button', { name: 'Listen again' })).toBeVisible()
  await page.getByRole('heading', { name: 'Walk me through a DCF.' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByText('And then they ask')).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page.getByText('The answer', { exact: true })).toBeVisible()
  if (isFull) await expectSound(page, 'aloud-follow-up')
  for (const number of [2, 3]) {
    await page.keyboard.press('Enter')
    await expect(page.getByText(`And then they ask · ${number} of 3`)).toBeVisible()
    await expect(page.getByText('The answer', { exact: true })).toBeHidden()
    await page.keyboard.press('Enter')
  }
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/aloud\/pitch|\/aloud\/good-lbo/)
  await expect(page.getByText(/Question\s*2\s*\/\s*of\s*3/)).toBeAttached()

  await expect
    .poll(() => storedAnswers(product, signedIn.email))
    .toMatchObject([{ prompt: 'walk-me-through-a-dcf', points: [1, 2, 3, 5], rating: 2 }])
  const [answer] = await storedAnswers(product, signedIn.email)
  expect(answer?.tookMs).toBeGreaterThan(1_500)
  await page.getByRole('link', { name: 'Not now' }).click()
  await expect(page.getByRole('link', { name: /DCF.*Shaky, 4 of 6 · in 3 days/ })).toBeVisible()
  // No request is large enough for two seconds of sound.
  expect(Math.max(...sent)).toBeLessThan(2_000)
  expect(await countRecordings(page)).toBe(1)
  await page.getByRole('button', { name: 'Sign Out' }).first().click()
  await expect(page).toHaveURL(/\/auth/)
  await expect.poll(() => countRecordings(page)).toBe(0)
})

test('Without a microphone the clock still runs, stops by itself, and the answer is checked', {
  tag: '@full',
}, async ({ page, product, signedIn }) => {
  await page.clock.install()
  await page.addInitScript(() => {
    navigator.mediaDevices.getUserMedia = () =>
      Promise.reject(new DOMException('', 'NotAllowedError'))
  })
  await page.goto(DCF)
  await page.getByRole('button', { name: 'Record' }).click()
  await expect(page.getByRole('status').getByText(/microphone is blocked/)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible()
  await expectSound(page, 'aloud-refused')
  await page.getByRole('button', { name: 'Start the clock' }).click()
  await expect(page.getByRole('button', { name: 'Stop' })).toBeVisible()
  await page.clock.fastForward(76_000)
  await expect(page.getByRole('timer')).toHaveAccessibleName(/1[0-4] of 90 seconds left/)
  await expectSound(page, 'aloud-late')
  // Leaving asks first.
  await page.getByRole('link', { name: 'Close and go to all questions' }).click()
  await page.getByRole('button', { name: 'Keep speaking' }).click()
  await page.clock.fastForward(15_000)
  await expect(page.getByText('Time ran out, so it stopped automatically.')).toBeVisible()
  await expect(page.getByText('1:30, without a recording')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Listen again' })).toHaveCount(0)
  for (const name of ['A terminal value', 'How you would check it']) {
    await page.getByRole('checkbox', { name }).check({ force: true })
  }
  await page.getByRole('button', { name: 'Next' }).click()
  for (const onward of ['Next follow-up', 'Next follow-up', 'Finish']) {
    await page.getByRole('button', { name: 'Show the answer' }).click()
    await page.getByRole('button', { name: onward }).click()
  }
  await expect(page).toHaveURL(/\/aloud$/)
  await expect
    .poll(() => storedAnswers(product, signedIn.email))
    .toMatchObject([{ points: [3, 6], rating: 1, tookMs: 90_000 }])
})

test('An unplugged microphone, a full disk and a lost connection lose no answer', {
  tag: '@full',
}, async ({ page, product, signedIn, expectConsoleErrors }) => {
  expectConsoleErrors((text) => /Failed to load resource/.test(text))
  await giveMicrophone(page)
  await page.addInitScript(() => {
    const put = IDBObjectStore.prototype.put
    IDBObjectStore.prototype.put = function (...args: Parameters<typeof put>) {
      const request = put.apply(this, args)
      this.transaction.abort()
      return request
    }
    const open = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices)
    navigator.mediaDevices.getUserMedia = async (wanted) => {
      const stream = await open(wanted)
      // The microphone is unplugged after a second and a half.
      setTimeout(() => {
        for (const track of stream.getTracks()) {
          track.stop()
          track.dispatchEvent(new Event('ended'))
        }
      }, 1_500)
      return stream
    }
  })
  await page.goto(DCF)
  await page.getByRole('button', { name: 'Record' }).click()
  await expect(page.getByText(/The microphone stopped at 0:01/)).toBeVisible()
  await page.route('**/api/practice/aloud/**', (route) => route.abort())
  await page.getByRole('button', { name: 'Stop' }).click()
  await expect(page.getByText(/The microphone stopped after/)).toBeVisible()
  await expect(page.getByText(/This browser has no room for the recording/)).toBeVisible()
  await page.getByRole('button', { name: 'Listen again' }).click()
  await expect(page.getByRole('button', { name: /Pause|Listen again/ })).toBeVisible()
  await page.getByRole('radio', { name: /Fluent/ }).check({ force: true })
  await page.getByRole('button', { name: 'Next' }).click()
  await expect(page.getByText('Again in 3 weeks')).toBeVisible()
  expect(await storedAnswers(product, signedIn.email)).toEqual([])
  await page.unroute('**/api/practice/aloud/**')
  await page.evaluate(() => dispatchEvent(new Event('online')))
  await expect
    .poll(() => storedAnswers(product, signedIn.email))
    .toMatchObject([{ points: [], rating: 4 }])
})
