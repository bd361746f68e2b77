/** A file that the browser saves. */
export const fileResponse = (
  name: string,
  mediaType: string,
  content: string | Uint8Array,
): Response =>
  new Response(content as BodyInit, {
    headers: {
      'Content-Type': mediaType,
      'Content-Disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name)}`,
      'Cache-Control': 'no-store',
    },
  })
