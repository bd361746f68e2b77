import { randomUUID } from 'node:crypto'
import type { Locator, Page } from '@playwright/test'
import { findOrMakeSociety } from '../../../societies/access/server/societies.ts'
import type { Role } from '../../../societies/kit/roles.ts'
import { memberships } from '../../../societies/server/tables.ts'
import { expect, type Product } from '../rig.ts'

/** Gives an account a role in a society, by SQL. */
export async function addMember(
  product: Product,
  societyId: string,
  email: string,
  role: Role = 'owner',
): Promise<void> {
  const { rows } = await product.db.$client.query('select id from users where email = $1', [email])
  await product.db.insert(memberships).values({
    ...{ id: randomUUID(), societyId, userId: rows[0].id, role },
    createdAt: product.clock.now(),
  })
}

/** Creates a society in which an account has a role, by SQL. */
export async function makeSociety(
  product: Product,
  email: string,
  role: Role = 'owner',
): Promise<{ id: string; name: string }> {
  const name = `Club ${randomUUID().slice(0, 8)}`
  const id = await findOrMakeSociety(product.db.$client, name, product.clock.now())
  await addMember(product, id, email, role)
  return { id, name }
}

/** Presses Tab until a control of this name has the focus. */
export async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  for (let presses = 0; presses < 80; presses += 1) {
    await page.keyboard.press('Tab')
    const focused = await page.evaluate(() => {
      const element = document.activeElement as HTMLInputElement | null
      const label = element?.labels?.[0]
      return label?.firstChild?.textContent || label?.textContent || element?.textContent || ''
    })
    if (typeof name === 'string' ? focused.trim() === name : name.test(focused.trim())) return
  }
  throw new Error(`Tab never reached ${name}.`)
}

/** Waits until a dialog has the focus, a frame after it is shown. An earlier key may press another button. */
export async function openedDialog(page: Page, name?: string | RegExp): Promise<Locator> {
  const dialog = page.getByRole('dialog', { name }).or(page.getByRole('alertdialog', { name }))
  await expect(dialog.locator(':focus')).toHaveCount(1)
  return dialog
}
