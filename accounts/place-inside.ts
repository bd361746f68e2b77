/** The path of this product that a link names as the next place, or null: never another site's, nor this page's own. */
export function placeInside(next: string | null, origin: string): string | null {
  if (!next?.startsWith('/')) return null
  let url: URL
  try {
    url = new URL(next, origin)
  } catch {
    return null
  }
  if (url.origin !== origin || url.pathname.startsWith('//')) return null
  if (/^\/(second-factor|auth)\/?$/.test(url.pathname)) return null
  return `${url.pathname}${url.search}${url.hash}`
}
