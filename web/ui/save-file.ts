/** Hands a file to the browser as a download under the given name. */
export function saveFile(content: Blob, name: string) {
  const address = URL.createObjectURL(content)
  const link = Object.assign(document.createElement('a'), { href: address, download: name })
  link.click()
  // The browser has the file by then; keeping the address would keep the file in memory.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
