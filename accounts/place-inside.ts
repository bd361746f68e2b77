/** The path within this product that a link names as its target. Null for another site or this page. */
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
