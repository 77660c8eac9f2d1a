/** Replaces characters that the font cannot draw (U+FFFD). */
const replacement = '\ufffd'

const graphemes = new Intl.Segmenter('pl', { granularity: 'grapheme' })

/** The text with one replacement character for each grapheme that the font lacks. */
export function printableText(text: string, hasGlyph: (codePoint: number) => boolean) {
  const printable = Array.from(graphemes.segment(oneLine(text)), ({ segment }) => {
    const visible = withoutFormat(segment)
    return Array.from(visible).every((character) => hasGlyph(character.codePointAt(0) ?? 0)) ? visible : replacement
  })
  return printable.join('')
}

/** For pdfkit's metadata, which is written unescaped to the Info dictionary and as XML to XMP. */
export function metadataText(text: string) {
  return new MetadataText(withoutFormat(oneLine(text))) as string
}

class MetadataText extends String {
  /** Used only by the XMP template. */
  override toString() {
    return this.valueOf().replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
  }
}

function oneLine(text: string) {
  return text
    .toWellFormed()
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ')
    .trim()
}

/** Directional and joining marks can reorder or hide parts of a text. */
function withoutFormat(text: string) {
  return text.replace(/\p{Cf}/gu, '')
}
