/** A browser may forbid its storage altogether; nothing that matters depends on it. */
function tolerant<T>(act: () => T): T | undefined {
  try {
    return act()
  } catch {
    return undefined
  }
}

/** Notes something for good, that only speeds up the next visit. */
export const remember = (key: string) => tolerant(() => localStorage.setItem(key, '1'))

/** Passes a text to the next page of this tab, which takes it out again. */
export const passOn = (key: string, text: string) => tolerant(() => sessionStorage.setItem(key, text))

export function takeOver(key: string): string | undefined {
  return tolerant(() => {
    const text = sessionStorage.getItem(key)
    sessionStorage.removeItem(key)
    return text ?? undefined
  })
}
