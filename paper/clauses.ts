/** A text in both languages. */
export type Text = { pl: string; en: string }

export type Clause = { heading: Text; paragraphs: Text[] }

export const clause = (heading: Text, ...paragraphs: Text[]): Clause => ({ heading, paragraphs })
