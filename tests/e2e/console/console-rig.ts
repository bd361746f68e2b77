import { randomUUID } from 'node:crypto'
import type { Locator, Page } from '@playwright/test'
import { findOrMakeSociety } from '../../../societies/access/server/societies.ts'
import type { Role } from '../../../societies/kit/roles.ts'
import { memberships } from '../../../societies/server/tables.ts'
import { makeAssessment } from '../assessment-rig.ts'
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

/** An assessment in a new society in which an account has a role. `of` returns the address of one of its pages. */
export async function makeTest(
  product: Product,
  email: string,
  { role, ...given }: Parameters<typeof makeAssessment>[1] & { role?: Role } = {},
) {
  const { id: society, name } = await makeSociety(product, email, role)
  const { code, items } = await makeAssessment(product, { ...given, society: name })
  const url = `/organise/${society}/assessments/${code}`
  return { code, name, items, society, url, of: (page: string) => `${url}/${page}` }
}

/** Waits until a dialog has the focus, a frame after it is shown. An earlier key may press another button. */
export async function openedDialog(page: Page, name?: string | RegExp): Promise<Locator> {
  const dialog = page.getByRole('dialog', { name }).or(page.getByRole('alertdialog', { name }))
  await expect(dialog.locator(':focus')).toHaveCount(1)
  return dialog
}
