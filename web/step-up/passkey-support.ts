/**
 * Checks whether the page is at an IP address, such as the demonstration's. Passkeys belong to host names, so such a page has none
 * (WebAuthn §5.1.2).
 */
export const isIpAddressHost = () => /^(?:[\d.]+|\[.*\])$/.test(location.hostname)

/** Checks whether this browser has the Web Authentication API, and the page may use it. */
export const canUsePasskeys = () => 'PublicKeyCredential' in window && !isIpAddressHost()
