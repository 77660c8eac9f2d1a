/** Formats a telephone number for a `tel:` link (RFC 3966). */
export const dialled = (phone: string): string => phone.replace(/[^+\d]/g, '')
