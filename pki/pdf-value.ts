/** The objects of ISO 32000-1 §7.3, and their text form. Streams are an object's dictionary and the bytes behind it. */
export type PdfValue = null | boolean | number | PdfName | PdfString | PdfReference | PdfValue[] | PdfDictionary

export type PdfDictionary = Map<string, PdfValue>

export type PdfName = { kind: 'name'; name: string }

export type PdfString = { kind: 'string'; bytes: Uint8Array }

export type PdfReference = { kind: 'reference'; number: number; generation: number }

export const pdfName = (name: string): PdfName => ({ kind: 'name', name })

export const pdfReference = (number: number, generation = 0): PdfReference => ({
  kind: 'reference',
  number,
  generation,
})

export const pdfDictionary = (entries: Record<string, PdfValue>): PdfDictionary => new Map(Object.entries(entries))

/** A text string, §7.9.2.2: ASCII as it is, everything else in UTF-16 with its mark. */
export function pdfText(text: string): PdfString {
  const ascii = /^[\x20-\x7e]*$/.test(text)
  const bytes = ascii ? Buffer.from(text, 'latin1') : Buffer.from(`\ufeff${text}`, 'utf16le').swap16()
  return { kind: 'string', bytes: new Uint8Array(bytes) }
}

/** A date in UTC, §7.9.4. */
export function pdfDate(at: Date) {
  return pdfText(`D:${at.toISOString().slice(0, 19).replace(/[-:T]/g, '')}Z`)
}

export function isDictionary(value: PdfValue | undefined): value is PdfDictionary {
  return value instanceof Map
}

export function isReference(value: PdfValue | undefined): value is PdfReference {
  return isTagged(value) && value.kind === 'reference'
}

export function isName(value: PdfValue | undefined, name: string) {
  return isTagged(value) && value.kind === 'name' && value.name === name
}

export function isString(value: PdfValue | undefined): value is PdfString {
  return isTagged(value) && value.kind === 'string'
}

function isTagged(value: PdfValue | undefined): value is PdfName | PdfString | PdfReference {
  return typeof value === 'object' && value !== null && 'kind' in value
}

/** The text of a value in a file; every character of it is one byte (latin1). */
export function pdfSyntax(value: PdfValue): string {
  if (value === null || typeof value === 'boolean') return String(value)
  if (typeof value === 'number') return numberSyntax(value)
  if (Array.isArray(value)) return `[${value.map(pdfSyntax).join(' ')}]`
  if (value instanceof Map)
    return `<<${[...value].map(([key, item]) => `${nameSyntax(key)} ${pdfSyntax(item)}`).join(' ')}>>`
  if (value.kind === 'name') return nameSyntax(value.name)
  if (value.kind === 'string') return `<${Buffer.from(value.bytes).toString('hex')}>`
  return `${value.number} ${value.generation} R`
}

/** Reals have no exponent (§7.3.3), so what is smaller than six decimals is cut. */
function numberSyntax(value: number) {
  return String(Number(value.toFixed(6)))
}

function nameSyntax(name: string) {
  const escaped = name.replace(/[^!-~]|[#()<>[\]{}/%]/g, (c) => `#${c.charCodeAt(0).toString(16).padStart(2, '0')}`)
  return `/${escaped}`
}
