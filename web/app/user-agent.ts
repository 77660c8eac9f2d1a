/** The browser's name. While the server renders a page, that of its request. */
export let userAgent = import.meta.env.SSR ? '' : navigator.userAgent

export const setUserAgent = (given: string) => void (userAgent = given)
