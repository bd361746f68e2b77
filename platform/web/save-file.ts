/** Saves a file like a download. @param type its media type */
export function saveAsFile(name: string, content: BlobPart, type: string): void {
  const url = URL.createObjectURL(new Blob([content], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The download has started by then. If the URL is revoked earlier, some browsers save nothing.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}

/** The page's policy allows images as data: URLs but not as blob:. */
export function dataUrl(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(file)
  })
}
