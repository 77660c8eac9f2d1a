/** Accesses the storage; undefined if the browser forbids it. Nothing important depends on the storage. */
function tolerant<T>(access: () => T): T | undefined {
  try {
    return access()
  } catch {
    return undefined
  }
}

/** Sets a flag that only speeds up or eases the next visit. */
export const setFlag = (key: string, text = '1') => tolerant(() => localStorage.setItem(key, text))
export const readFlag = (key: string) => tolerant(() => localStorage.getItem(key))
export const hasFlag = (key: string) => readFlag(key) === '1'
export const clearFlag = (key: string) => tolerant(() => localStorage.removeItem(key))

/** Texts kept until the page is loaded again, in a browser that forbids its storage. */
const kept = new Map<string, string>()

export function keepInTab(key: string, text: string) {
  if (!tolerant(() => (sessionStorage.setItem(key, text), true))) kept.set(key, text)
}
export const keptInTab = (key: string) => tolerant(() => sessionStorage.getItem(key)) ?? kept.get(key) ?? null
export function dropFromTab(key: string) {
  tolerant(() => sessionStorage.removeItem(key))
  kept.delete(key)
}

/** Passes a text to the next page of this tab, which removes it again. */
export const storeForNextPage = (key: string, text: string) => tolerant(() => sessionStorage.setItem(key, text))

export function takeStored(key: string): string | undefined {
  return tolerant(() => {
    const text = sessionStorage.getItem(key)
    sessionStorage.removeItem(key)
    return text ?? undefined
  })
}
