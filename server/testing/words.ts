/** The words of a text, which white space separates, as a list: for long tables of paths and names in tests. */
export const words = (text: string): string[] => text.trim().split(/\s+/)
