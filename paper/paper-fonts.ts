import { createRequire } from 'node:module'
import PdfKit from 'pdfkit'

/** A font as fontkit parsed it, which pdfkit takes for a source (0.20 and later). */
type Font = PDFKit.Mixins.PDFFontSource & { hasGlyphForCodePoint: (codePoint: number) => boolean }

let parsed: { text: Font; strong: Font } | undefined

/** Noto Sans, parsed once for all documents: that takes longer than all the rest of one. */
export function paperFonts() {
  return (parsed ??= { text: parseFont('400Regular'), strong: parseFont('600SemiBold') })
}

/** By way of a document that is thrown away, because pdfkit keeps its parser to itself. */
function parseFont(style: string) {
  const file = createRequire(import.meta.url).resolve(`@expo-google-fonts/noto-sans/${style}/NotoSans_${style}.ttf`)
  const { _font } = new PdfKit({ font: file }) as unknown as { _font: { font: Font } }
  return _font.font
}
