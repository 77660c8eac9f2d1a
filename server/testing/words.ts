/** Splits a text into words at white space, for long tables of paths and names in tests. */
export const words = (text: string): string[] => text.trim().split(/\s+/)
