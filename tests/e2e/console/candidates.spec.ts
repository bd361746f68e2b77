import { startMailQueue } from '../../../platform/server/mail-queue.ts'
import { createMailer } from '../../../platform/server/mailer.ts'
import { createCredentialMail } from '../../../societies/candidates/server/mails.ts'
import type { Role } from '../../../societies/kit/roles.ts'
import { type Smtp, startSmtp } from '../../rig/auth-smtp.ts'
import { test as base, expect, expectSound, type Product } from '../rig.ts'
import { makeTest } from './console-rig.ts'

const test = base.extend<{ smtp: Smtp }>({
  /** A mail server, and the queue that sends passwords to it. Mails of other tests are closed without sending. */
  smtp: async ({ product }, use) => {
    const { db, url, secretKey, log } = product
    const { now } = product.clock
    const smtp = await startSmtp()
    const queue = startMailQueue({
      ...{ db, now, log, pollMs: 200 },
      mailer: createMailer({ smtpUrl: smtp.url, from: 'a@superday.example', outboxDir: '', log }),
      kinds: createCredentialMail({ db, now, publicUrl: url, secretKey }),
    })
    await use(smtp)
    await queue.stop()
    await smtp.stop()
  },
})

/** A published assessment that opens in two days, and a role for the account. @returns its candidates page's address */
async function organize(product: Product, email: string, role: Role = 'owner') {
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000)
  const times = { durationSeconds: 1_800, opensAt: inDays(2), closesAt: inDays(3) }
  const { code, of } = await makeTest(product, email, { role, ...times })
  return { code, page: of('candidates') }
}

async function fill(product: Product, code: string, count: number) {
  await product.db.$client.query(
    `insert into candidates (id, assessment, username, name, email, room, password_hash, extra_seconds,
       created_at)
     select gen_random_uuid(), $1, 'person.' || n, 'Person ' || lpad(n::text, 4, '0'),
       'p' || n || '@student.example', case when n % 2 = 0 then '1.04' else '2.11' end, '\\x00',
       case when n = 2 then 480 else 0 end, now() from generate_series(1, $2::int) n`,
    [code, count],
  )
}

const LIST = [
  'name; email; room; extra',
  'Ines Ardal; ines@student.example; 1.04; 8',
  '; pavel@student.example; 2.11; 0',
  'Sofia Bastos; s.bastos.student.example; 1.04;',
  'Rui Costa; ; 2.11;',
].join('\n')

const PASSWORD = /^[a-z2-9]{4}-[a-z2-9]{4}-[a-z2-9]{5}$/m

test('An owner pastes a list, fixes it, sends passwords, edits candidates and prints the rest by keyboard', async ({
  page,
  product,
  signedIn,
  smtp,
}) => {
  const place = await organize(product, signedIn.email)
  await page.goto(place.page)
  await expect(page.getByRole('heading', { name: 'No candidates yet' })).toBeVisible()
  await page.getByRole('link', { name: 'Add candidates' }).press('Enter')
  await page.getByRole('textbox', { name: 'What you pasted' }).focus()
  await page.keyboard.insertText(LIST)
  await expect(page.getByRole('heading', { name: 'Two of four lines can be added' })).toBeVisible()
  await expect(page.getByText('The name is missing.')).toBeVisible()
  await expectSound(page)
  await page.getByLabel('Name of line 3').focus()
  await page.keyboard.type('Pavel Novak')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Add 3 and send 2 emails' }).press('Enter')

  // The mails are sent, and the list updates.
  await expect(page.getByRole('heading', { name: /^3 on the list/ })).toBeVisible()
  const row = (name: string) => page.getByRole('row', { name: new RegExp(`^Tick ${name}`) })
  await expect(row('Ines Ardal')).toContainText('30 + 8 min')
  await expect(page.getByRole('cell', { name: /^Sent/ })).toHaveCount(2)
  expect(smtp.received.map(({ recipients }) => recipients[0]).sort()).toEqual([
    'ines@student.example',
    'pavel@student.example',
  ])
  const password = PASSWORD.exec(smtp.received[0]?.text ?? '')?.[0]
  expect(password).toBeTruthy()
  expect(await page.content()).not.toContain(password)

  // A row opens in place, and returns the focus.
  await page.getByRole('button', { name: 'Ines Ardal' }).focus()
  await page.keyboard.press('Enter')
  // 8 of 30 minutes are a quarter, rounded up.
  await expect(page.getByRole('button', { name: '+25 %' })).toHaveAttribute('aria-pressed', 'true')
  await page.getByRole('button', { name: 'Minutes…' }).press('Enter')
  await expect(page.getByLabel('Planned extra minutes')).toHaveValue('8')
  await page.getByRole('button', { name: 'One minute more' }).press('Enter')
  await page.getByLabel('Paste').press('Space')
  await page.getByLabel('Note for the team').fill('Agreed on 20 Nov.')
  await expectSound(page)
  await page.getByRole('button', { name: 'Save the changes' }).press('Enter')
  await expect(row('Ines Ardal')).toContainText('30 + 9 min')
  await expect(row('Ines Ardal')).toContainText('paste')
  await page.getByLabel('Note for the team').press('Escape')
  await expect(page.getByLabel('Note for the team')).toBeHidden()
  await expect(page.getByRole('button', { name: 'Ines Ardal' })).toBeFocused()

  // Ticked rows get a room, which filters and search find.
  await page.keyboard.press('x')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('x')
  await page.getByRole('button', { name: 'Room', exact: true }).press('Enter')
  await page.getByLabel('Room', { exact: true }).fill('3.01')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: '3.01' }).press('Enter')
  await expect(page.getByRole('row')).toHaveCount(3)
  await page.keyboard.press('/')
  await page.keyboard.type('ines')
  await expect(page.getByRole('row')).toHaveCount(2)

  // The candidate without an address gets a printed password, shown once.
  await page.getByRole('link', { name: 'Print credential sheets' }).press('Enter')
  await page.getByRole('button', { name: 'Make 1 password' }).press('Enter')
  await expect(page.getByText(PASSWORD)).toHaveCount(1)
  await expectSound(page)
  await page.getByRole('link', { name: 'Done' }).press('Enter')
  await expect(page.getByRole('cell', { name: /^On paper/ })).toHaveCount(1)
  await page.goBack()
  await expect(page.getByRole('heading', { name: /^No credential sheets needed/ })).toBeVisible()
})

test('An email that is sent while the list is loading is shown as sent within seconds', {
  tag: '@full',
}, async ({ page, product, signedIn }) => {
  const place = await organize(product, signedIn.email)
  await fill(product, place.code, 1)
  await page.goto(place.page)
  await page.getByRole('button', { name: 'Send 1 password' }).click()
  // The list is read while the mail waits, but its response arrives after the mails are read as sent.
  let [isListRead, areMailsSeen] = [false, false]
  await page.route(/\/api\/.*\/candidates$/, async (route) => {
    const response = await route.fetch()
    isListRead = true
    await expect.poll(() => areMailsSeen).toBe(true)
    await route.fulfill({ response })
  })
  await page.route(/\/candidate-mails\?/, async (route) => {
    await expect.poll(() => isListRead).toBe(true)
    await product.db.$client.query(
      `update credential_mails set state = 'sent', sent_at = now(), changed_at = now()
       where state = 'queued' and candidate_id in (select id from candidates where assessment = $1)`,
      [place.code],
    )
    await route.fulfill({ response: await route.fetch() })
    areMailsSeen = true
  })
  await page.getByRole('button', { name: 'Send 1 email' }).click()
  await expect(page.getByRole('cell', { name: /^Sent/ })).toBeVisible({ timeout: 8_000 })
})

test('An invigilator can make new passwords and change nothing', { tag: '@full' }, async ({
  page,
  product,
  signedIn,
}) => {
  const place = await organize(product, signedIn.email, 'invigilator')
  await fill(product, place.code, 2)
  await page.goto(place.page)
  await page.getByRole('button', { name: 'Person 0001' }).press('Enter')
  await expect(page.getByRole('button', { name: 'Send a new one' })).toBeVisible()
  for (const name of ['Save the changes', /Tick/, /Remove/, /CSV/, /Send \d/]) {
    await expect(page.getByRole('button', { name })).toHaveCount(0)
  }
  await expect(page.getByRole('link', { name: 'Add candidates' })).toHaveCount(0)
  await page.getByRole('link', { name: 'Print a credential sheet' }).press('Enter')
  await page.getByRole('button', { name: 'Make 1 password' }).press('Enter')
  await expect(
    page.getByRole('heading', { name: '1 credential sheet, shown only once' }),
  ).toBeVisible()
  // The overview shows the helper's own day.
  await page.getByRole('link', { name: 'Overview' }).press('Enter')
  await expect(page.getByRole('heading', { name: /^You are needed on / })).toBeVisible()
  await expect(page.getByText(/^You look after every room\./)).toBeVisible()
  await expect(page.getByRole('heading', { name: 'What you do' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Before the test' })).toHaveCount(0)
  await expectSound(page)
})
