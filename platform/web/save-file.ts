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

/** As the page's policy lets a picture stand in it: not as blob:. */
export function dataUrl(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(file)
  })
}
