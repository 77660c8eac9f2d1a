/** A browser may forbid its storage altogether; nothing that matters depends on it. */
function tolerant<T>(act: () => T): T | undefined {
  try {
    return act()
  } catch {
    return undefined
  }
}

/** Notes something that only speeds up or eases the next visit, until it is forgotten. */
export const remember = (key: string) => tolerant(() => localStorage.setItem(key, '1'))
export const isRemembered = (key: string) => tolerant(() => localStorage.getItem(key)) === '1'
export const forgetNote = (key: string) => tolerant(() => localStorage.removeItem(key))

/** Passes a text to the next page of this tab, which takes it out again. */
export const passOn = (key: string, text: string) => tolerant(() => sessionStorage.setItem(key, text))

export function takeOver(key: string): string | undefined {
  return tolerant(() => {
    const text = sessionStorage.getItem(key)
    sessionStorage.removeItem(key)
    return text ?? undefined
  })
}
