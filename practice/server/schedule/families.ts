import { hash } from '../../schedule/schedule.ts'
import type { BankItem } from '../bank.ts'

/** The questions that can be asked of each family: its variants, in id order. */
export function familiesOf(items: ReadonlyMap<string, BankItem>): Map<string, BankItem[]> {
  const families = new Map<string, BankItem[]>()
  for (const item of items.values()) {
    const variants = families.get(item.family)
    if (variants) variants.push(item)
    else families.set(item.family, [item])
  }
  return families
}

/** Of a family's variants one that was not the last one asked, where there are several. */
export function chooseVariant(
  variants: readonly BankItem[],
  card: { item: string } | undefined,
  seed: string,
): BankItem {
  const others = variants.filter(({ question }) => String(question.id) !== card?.item)
  const open = others.length > 0 ? others : variants
  return open[hash(`${seed} ${open[0]?.family}`) % open.length] as BankItem
}
