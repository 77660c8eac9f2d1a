/** Passkeys belong to host names: a page at an IP address, such as the demonstration's, has none (WebAuthn §5.1.2). */
export const atBareAddress = () => /^(?:[\d.]+|\[.*\])$/.test(location.hostname)

/** Whether this browser has the Web Authentication API, and the page may use it. */
export const canUsePasskeys = () => 'PublicKeyCredential' in window && !atBareAddress()
