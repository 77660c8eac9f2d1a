/** Stands for what the font cannot draw (U+FFFD). */
const replacement = '\ufffd'

const graphemes = new Intl.Segmenter('pl', { granularity: 'grapheme' })

/** The text as it can be drawn, with one sign for each character, as people count them, that the font lacks. */
export function printableText(text: string, hasGlyph: (codePoint: number) => boolean) {
  const signs = Array.from(graphemes.segment(oneLine(text)), ({ segment }) => {
    const visible = withoutFormat(segment)
    return Array.from(visible).every((sign) => hasGlyph(sign.codePointAt(0)!)) ? visible : replacement
  })
  return signs.join('')
}

/** For pdfkit's metadata, which goes both into the Info dictionary, as it is, and into XMP, which is XML. */
export function metadataText(text: string) {
  return new MetadataText(withoutFormat(oneLine(text))) as string
}

class MetadataText extends String {
  /** Asked for by the template of XMP only. */
  override toString() {
    return this.valueOf().replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
  }
}

function oneLine(text: string) {
  return text
    .toWellFormed()
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ')
    .trim()
}

/** Marks of direction and joining can reorder or hide parts of a text. */
function withoutFormat(text: string) {
  return text.replace(/\p{Cf}/gu, '')
}
