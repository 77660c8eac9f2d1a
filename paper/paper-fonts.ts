import { createRequire } from 'node:module'
import PdfKit from 'pdfkit'

/** A font as fontkit parsed it, which pdfkit takes for a source (0.20 and later). */
type Font = PDFKit.Mixins.PDFFontSource & { hasGlyphForCodePoint: (codePoint: number) => boolean }

let parsed: { text: Font; strong: Font } | undefined

/** Noto Sans, parsed once, because parsing takes longer than making a document. */
export function paperFonts() {
  return (parsed ??= { text: parseFont('400Regular'), strong: parseFont('600SemiBold') })
}

/** Parses a font through a temporary document, because pdfkit does not export its parser. */
function parseFont(style: string) {
  const file = createRequire(import.meta.url).resolve(`@expo-google-fonts/noto-sans/${style}/NotoSans_${style}.ttf`)
  const { font }: { font: Font } = Reflect.get(new PdfKit({ font: file }), '_font')
  return font
}
