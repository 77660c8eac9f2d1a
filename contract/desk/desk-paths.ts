/** The addresses of the desk, which are one document. */
export const deskPaths = ['/desk', '/desk/callback', '/desk/sessions', '/desk/customers/:id'] as const
