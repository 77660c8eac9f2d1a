/** Replaces in the address bar a token that has been removed from it. */
export const takenToken = 'link'

/**
 * The token of a mail's link stays in this tab only, so that a reload or the language switch does not lose it,
 * and never again in an address (R10, R220). It is short-lived and works once.
 */
export const mailedToken = (key: string) => ({
  keep: (token: string) => sessionStorage.setItem(key, token),
  kept: () => sessionStorage.getItem(key),
  drop: () => sessionStorage.removeItem(key),
})
