import { randomBytes, randomUUID } from 'node:crypto'
import { makeAddressToken } from '../../../accounts/server/recovery/address-change.ts'
import { hashInvitationToken } from '../../../societies/access/server/invitations.ts'
import { signUp } from '../product.ts'
import { type Account, expect, expectAccessible, expectSound, type Product, test } from '../rig.ts'
import { makeSociety } from './console-rig.ts'

// How a society starts and who works in it (product 7.2, 7.3).

async function makeAccount(product: Product, email = fresh()): Promise<Account> {
  const account = { email, password: 'correct horse battery' }
  await signUp(product, account)
  return account
}

const fresh = () => `e${randomUUID().slice(0, 8)}@example.com`

/** Gives an address's newest invitation a link, as its mail does. @returns the link's path */
async function linkOf(product: Product, email: string): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  const { rowCount } = await product.db.$client.query(
    'update society_invitations set token_hash = $2 where email = $1',
    [email, hashInvitationToken(product.secretKey, token)],
  )
  expect(rowCount).toBe(1)
  return `/organise/invitations#${token}`
}

async function invited(product: Product, societyId: string, email: string): Promise<string> {
  await product.db.$client.query(
    `insert into society_invitations (id, society_id, email, roles, room, via,
       invited_by_name, created_at, expires_at, expires_in_days)
     values (gen_random_uuid(), $1, $2, '{invigilator}', '2.11', 'command', 'Ana', now(),
       now() + interval '7 days', 7)`,
    [societyId, email],
  )
  return linkOf(product, email)
}

test('An owner verifies an address, founds a society, invites people and changes their roles', async ({
  page,
  product,
  signedIn,
}) => {
  const { db, secretKey } = product
  await page.goto('/dashboard')
  await page.getByRole('contentinfo').getByRole('link', { name: 'For societies' }).click()
  await expect(page.getByRole('heading', { name: /Run your society/ })).toBeVisible()
  await expect(page.getByText('Verify your email address first')).toBeVisible()
  await expectSound(page)
  await page.getByRole('button', { name: 'Send me a link' }).click()
  await expect(
    page.getByText(`A link is on its way to ${signedIn.email}. Open it here, and come back.`),
  ).toBeVisible()
  const { rows: users } = await db.$client.query('select id from users where email = $1', [
    signedIn.email,
  ])
  const token = await makeAddressToken(db, secretKey, new Date(), {
    ...{ userId: users[0].id, email: signedIn.email },
  })
  await page.goto(`/confirm-email?own#${token}`)
  await page.getByRole('button', { name: 'Confirm this address' }).click()
  await page.getByRole('link', { name: 'Go on to your society' }).click()
  await expect(page).toHaveURL('/organise')

  const field = page.getByLabel('Name of the society')
  await field.fill('see https://evil.example')
  await field.press('Enter')
  await expect(page.getByRole('alert')).toContainText(
    'A name can’t have a link or an address in it.',
  )
  const club = `Club ${randomUUID().slice(0, 8)}`
  await field.fill(club)
  await field.press('Enter')
  await expect(page.getByRole('link', { name: club })).toBeVisible()
  await expect(page).toHaveURL(/\/organise\/[0-9a-f-]{36}$/)

  await page.getByRole('link', { name: 'Team' }).press('Enter')
  await expect(page.getByRole('heading', { name: 'One person, who is the owner' })).toBeVisible()
  await expect(page.getByText('You are the only member.')).toBeVisible()

  const helper = fresh()
  const { access_token } = await signUp(product, { email: helper, password: 'horse battery' })
  const other = fresh()
  await page.getByLabel('Addresses').focus()
  await page.keyboard.insertText(`Ben Aalto <${helper}>; ${other}; nobody`)
  await page.keyboard.press('Tab')
  await expect(page.getByText('Not recognized as an address: nobody.')).toBeVisible()
  for (let n = 0; n < 2; n += 1) await page.keyboard.press('Tab')
  await page.keyboard.press('Space')
  await expect(page.getByRole('checkbox', { name: /look after a room/ })).toBeChecked()
  await page.getByRole('combobox', { name: 'Room' }).focus()
  await page.keyboard.insertText('2.11')
  await expect(page.locator('blockquote')).toHaveText(
    'As an invigilator, you look after room 2.11 during the test. You see who is taking it, and help candidates. This is for all tests, including future ones.',
  )
  const send = page.getByRole('button', { name: 'Send 2 invitations' })
  await send.press('Enter')
  await expect(page.getByRole('alert').filter({ hasText: 'Correct or remove' })).toBeVisible()
  await page.getByLabel('Addresses').fill(`${helper}\n${other}`)
  await send.press('Enter')
  await expect(page.getByText('2 people are invited.')).toBeVisible()
  const rows = page.getByRole('region', { name: 'Invitations' }).getByRole('listitem')
  await expect(rows).toHaveCount(2)
  await expect(rows.first()).toContainText('look after room 2.11, the whole society')
  await page.getByRole('button', { name: `Revoke the invitation of ${other}` }).press('Enter')
  await page.getByRole('button', { name: 'Revoke the invitation', exact: true }).click()
  await expect(rows).toHaveCount(1)

  // The helper accepts on another device.
  const link = await linkOf(product, helper)
  const accepted = await fetch(`${product.url}/api/invitations/accept`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${access_token}` },
    body: JSON.stringify({ token: link.split('#')[1] }),
  })
  expect(accepted.status).toBe(200)
  await page.reload()
  await expect(
    page.getByRole('heading', { name: 'Two people, one of them an owner' }),
  ).toBeVisible()
  await expectSound(page)

  const name = helper.split('@')[0] as string
  await page.getByRole('button', { name: `Roles of ${name}` }).press('Enter')
  await page.getByRole('button', { name: 'Change the role invigilator' }).click()
  await page.getByRole('combobox', { name: 'Room' }).fill('1.04')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Save' }).press('Enter')
  await expect(page.getByText('Can look after room 1.04.')).toBeVisible()
  await page.getByRole('button', { name: `Roles of ${name}` }).press('Enter')
  await page.getByRole('button', { name: 'End the role invigilator' }).click()
  await page.getByRole('button', { name: 'End the role' }).click()
  await expect(page.getByText(`${name} no longer has this role.`)).toBeVisible()
  await expect(page.getByText('One person before')).toBeVisible()

  // The last owner keeps the role.
  const self = signedIn.email.split('@')[0] as string
  await page.getByRole('button', { name: `Roles of ${self}` }).press('Enter')
  await expect(page.getByText('A society needs an owner')).toBeVisible()
  await expect(page.getByRole('button', { name: 'End the role owner' })).toHaveCount(0)
})

test('One society opens directly, and several are listed with their roles', {
  tag: '@full',
}, async ({ page, product, signedIn }) => {
  const { id } = await makeSociety(product, signedIn.email)
  await page.goto('/organise')
  await expect(page).toHaveURL(`/organise/${id}`)
  const second = await makeSociety(product, signedIn.email)
  await page.goto('/organise')
  await expect(
    page.getByRole('link', { name: `${second.name} You can do everything.` }),
  ).toBeVisible()
})

test('An owner changes the society’s settings, and the last owner stays', {
  tag: '@full',
}, async ({ page, product, signedIn, expectConsoleErrors }) => {
  // The 409 is for leaving.
  expectConsoleErrors((text) => text.includes('409'))
  const { id } = await makeSociety(product, signedIn.email)
  await page.goto(`/organise/${id}/settings`)
  await expect(
    page.getByRole('heading', {
      name: 'No contact yet: candidates see the contact of each test',
    }),
  ).toBeVisible()
  await expectSound(page)
  await page.getByLabel('Time zone').fill('Lisbon')
  await page.getByRole('button', { name: 'Save' }).press('Enter')
  await expect(page.getByText('Choose a zone from the list.')).toBeVisible()
  await page.getByLabel('Time zone').fill('Europe/Madrid')
  await page.getByLabel('Contact for candidates').fill('recruiting@club.example')
  await page.getByRole('button', { name: 'Save' }).press('Enter')
  await expect(page.getByText('Saved.')).toBeVisible()
  await expect(page.getByText('Madrid', { exact: true })).toBeVisible()

  await page.getByRole('button', { name: /^Leave/ }).press('Enter')
  await page.getByRole('button', { name: 'Leave', exact: true }).press('Enter')
  await expect(
    page.getByRole('alert').filter({ hasText: 'keeps at least one owner' }),
  ).toBeVisible()
})

test('An invited person reads the invitation signed out, signs in and accepts it once', {
  tag: '@full',
}, async ({ page, product, account, expectConsoleErrors }) => {
  // The 410 is for the used link.
  expectConsoleErrors((text) => text.includes('410'))
  const owner = await makeAccount(product)
  const society = await makeSociety(product, owner.email)
  const link = await invited(product, society.id, account.email)
  await makeAccount(product, account.email)
  await page.goto(link)
  await expect(
    page.getByRole('heading', { name: `Ana invites you to ${society.name}` }),
  ).toBeVisible()
  await expect(page.getByText('you look after room 2.11')).toBeVisible()
  // No address contains the token after that.
  await expect(page).toHaveURL(/\/organise\/invitations$/)
  await expectSound(page)
  await page.getByRole('link', { name: 'Sign in' }).press('Enter')
  await expect(page.getByLabel('Email').first()).toHaveValue(account.email)
  await page.getByLabel('Password', { exact: true }).first().fill(account.password)
  await page.keyboard.press('Enter')
  const accept = page.getByRole('button', { name: `Accept and go to ${society.name}` })
  await accept.dblclick()
  await expect(page).toHaveURL(`/organise/${society.id}`)
  const { rows } = await product.db.$client.query(
    'select role, room from memberships where society_id = $1 order by role',
    [society.id],
  )
  expect(rows).toEqual([
    { role: 'invigilator', room: '2.11' },
    { role: 'owner', room: null },
  ])
  // This account used the link. Opening it again says so, after a reload too, and leads on.
  await page.goto('/dashboard')
  await page.goto(link)
  const used = page.getByRole('heading', { name: 'You have accepted this invitation' })
  await expect(used).toBeVisible()
  await page.reload()
  await expect(used).toBeVisible()
  await page.getByRole('link', { name: `Go to ${society.name}` }).press('Enter')
  await expect(page).toHaveURL(`/organise/${society.id}`)
  // The footer links to help on every page.
  await page
    .getByRole('contentinfo')
    .getByRole('link', { name: 'How to run a test' })
    .press('Enter')
  await expect(page.getByRole('heading', { name: 'Eight common problems' })).toBeVisible()
  await expectSound(page)
})

test('An invitation to another address names both and offers to switch accounts', {
  tag: '@full',
}, async ({ page, product, signedIn, expectConsoleErrors }) => {
  expectConsoleErrors((text) => text.includes('ERR_FAILED'))
  const owner = await makeAccount(product)
  const society = await makeSociety(product, owner.email)
  const email = fresh()
  const link = await invited(product, society.id, email)
  // Offline it can be tried again.
  await page.route('**/api/invitations/read', (route) => route.abort())
  await page.goto(link)
  const again = page.getByRole('button', { name: 'Try again' })
  await expect(again).toBeVisible({ timeout: 15_000 })
  await page.unroute('**/api/invitations/read')
  await again.press('Enter')
  await expect(page.getByText(`you are signed in as ${signedIn.email}`)).toBeVisible()
  await expect(page.getByRole('button', { name: /^Accept/ })).toHaveCount(0)
  await page.getByRole('button', { name: `Sign out and go on as ${email}` }).press('Enter')
  await expect(page.getByLabel('Email').first()).toHaveValue(email)
})

test('A guest is asked to create an account, and closed invitations say why', {
  tag: '@full',
}, async ({ page, product, expectConsoleErrors }) => {
  expectConsoleErrors((text) => /40[04]|410/.test(text))
  const owner = await makeAccount(product)
  const society = await makeSociety(product, owner.email)
  const email = fresh()
  const link = await invited(product, society.id, email)
  await page.goto('/auth')
  await page.getByRole('button', { name: 'Continue as Guest' }).click()
  await expect(page).toHaveURL('/dashboard')
  await page.goto(link)
  await expect(page.getByText('guests can’t be members')).toBeVisible()
  await page.goto('/organise')
  await expect(page.getByRole('link', { name: 'Create an account' })).toBeVisible()

  const close = (set: string) =>
    product.db.$client.query(`update society_invitations set ${set} where email = $1`, [email])
  await close(`expires_at = now() - interval '1 minute'`)
  await page.goto(link)
  await expect(page.getByRole('alert')).toContainText('has expired. Ask Ana')
  await page.goto('/organise')
  await page.goto(`/organise/invitations#${'a'.repeat(43)}`)
  await expect(page.getByRole('alert')).toContainText('not valid')
})

test('A new email address is confirmed once, by the button behind the link in the email', {
  tag: '@full',
}, async ({ page, product, signedIn, expectConsoleErrors }) => {
  expectConsoleErrors((text) => /status of 40[03]/.test(text))
  await page.goto('/personal-hub?tab=account')
  await expect(page.getByText(signedIn.email, { exact: true })).toBeVisible()
  const next = `new-${signedIn.email}`
  // In the form, by keyboard only, errors appear at their field.
  await page.getByRole('button', { name: 'Change email' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Change email address' })
  await expect(dialog.getByText(`Your address stays ${signedIn.email}`)).toBeVisible()
  await expectAccessible(page)
  await dialog.getByLabel('New address').fill(signedIn.email)
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('This is already your address.')).toBeVisible()
  await expect(dialog.getByText('Please enter your password.')).toBeVisible()
  await dialog.getByLabel('New address').fill(next)
  await dialog.getByLabel('Password', { exact: true }).fill('not the right one')
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('Your current password is wrong.')).toBeVisible()
  await dialog.getByLabel('Password', { exact: true }).fill(signedIn.password)
  await page.keyboard.press('Enter')
  await expect(page.getByText(`A link is on its way to ${next}.`)).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).first().press('Enter')
  await expect(page.getByText(signedIn.email, { exact: true })).toBeVisible()
  const { db, secretKey } = product
  const known = await db.$client.query('select id from users where email = $1', [signedIn.email])
  const userId = known.rows[0].id
  const token = await makeAddressToken(db, secretKey, new Date(), { userId, email: next })

  // Opening it changes nothing, because mail scanners open every link.
  await page.goto(`/confirm-email#${token}`)
  const button = page.getByRole('button', { name: 'Confirm this address' })
  await expect(button).toBeVisible()
  await expectAccessible(page)
  const { rows } = await db.$client.query('select 1 from users where email = $1', [next])
  expect(rows).toHaveLength(0)
  await button.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Your address is confirmed' })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Personal Hub' }).click()
  await expect(page.getByText(next, { exact: true })).toBeVisible()

  await page.goto(`/faq`)
  await page.goto(`/confirm-email#${token}`)
  await button.click()
  await expect(
    page.getByRole('heading', { name: 'This link has expired or was already used' }),
  ).toBeVisible()
  await expectAccessible(page)
})
