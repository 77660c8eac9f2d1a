/** The addresses of the desk, which are one document. */
export const deskPaths = ['/desk', '/desk/callback', '/desk/sessions'] as const
