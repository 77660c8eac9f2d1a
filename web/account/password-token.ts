/** Replaces in the address bar a token that has been removed from it. */
export const takenToken = 'link'
const key = 'password-link'

/**
 * The token of a mail's link stays in this tab only, so that a reload or the language switch does not lose it,
 * and never again in an address (R10). It is short-lived and works once.
 */
export const keepToken = (token: string) => sessionStorage.setItem(key, token)
export const keptToken = () => sessionStorage.getItem(key)
export const dropToken = () => sessionStorage.removeItem(key)
