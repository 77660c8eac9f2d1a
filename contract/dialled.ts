/** A telephone number as RFC 3966 wants it in a `tel:` link. */
export const dialled = (phone: string): string => phone.replace(/[^+\d]/g, '')
