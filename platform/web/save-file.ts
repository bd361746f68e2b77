/** Hands a file to the browser as if it were downloaded. @param type its media type */
export function saveAsFile(name: string, content: BlobPart, type: string): void {
  const url = URL.createObjectURL(new Blob([content], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The download has begun by then; freed at once, some browsers would save nothing.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
