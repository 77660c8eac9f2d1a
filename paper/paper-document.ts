import { createRequire } from 'node:module'
import PdfKit from 'pdfkit'

export type PaperOptions = {
  language: 'pl' | 'en'
  title: string
  author: string
  /** The header of each page, left and right. */
  head: [string, string]
  /** The footer of each page, next to its number. */
  foot: string
  createdAt: Date
  /** The colours of headings and of the band in the header, if not the default ones. */
  brand?: { ink: string; lines: readonly string[] }
}

const colours = {
  ink: '#0e2433',
  quiet: '#526775',
  brand: '#114b63',
  line: '#d2dde0',
  warn: '#6a4200',
  warnPaper: '#fff1d3',
}

const styles = {
  title: { font: 'strong', size: 20, colour: colours.ink },
  section: { font: 'strong', size: 12.5, colour: colours.brand },
  clause: { font: 'strong', size: 10, colour: colours.ink },
  body: { font: 'text', size: 9.5, colour: colours.ink },
  quiet: { font: 'text', size: 9.5, colour: colours.quiet },
  warn: { font: 'text', size: 9.5, colour: colours.warn },
  small: { font: 'text', size: 8, colour: colours.quiet },
  mark: { font: 'strong', size: 8, colour: colours.brand },
} as const

type Style = keyof typeof styles

/** Points; the sheet is A4. */
const sheet = { width: 595.28, height: 841.89, left: 62, right: 62, top: 108, bottom: 80 }
const measure = sheet.width - sheet.left - sheet.right
const lineGap = 2
const labelWidth = 150
const numberWidth = 28

/** PDF/UA-1 §7.5; missing in the types of pdfkit. */
const rowHeader: object = { scope: 'Row' }

const pageNumber = {
  pl: (page: number, pages: number) => `Strona ${page} z\u00a0${pages}`,
  en: (page: number, pages: number) => `Page ${page} of ${pages}`,
}

/** A font as fontkit parsed it, which pdfkit takes for a source (0.20 and later). */
type Font = PDFKit.Mixins.PDFFontSource & { hasGlyphForCodePoint: (codePoint: number) => boolean }

let parsed: { text: Font; strong: Font } | undefined

/** Returns Noto Sans, parsed once, because parsing takes longer than making a document. */
const paperFonts = () => (parsed ??= { text: parseFont('400Regular'), strong: parseFont('600SemiBold') })

/** Parses a font through a temporary document, because pdfkit does not export its parser. */
function parseFont(style: string) {
  const file = createRequire(import.meta.url).resolve(`@expo-google-fonts/noto-sans/${style}/NotoSans_${style}.ttf`)
  const { font }: { font: Font } = Reflect.get(new PdfKit({ font: file }), '_font')
  return font
}

/** Replaces characters that the font cannot draw (U+FFFD). */
const replacement = '\ufffd'

const graphemes = new Intl.Segmenter('pl', { granularity: 'grapheme' })

/** Returns the text with one replacement character for each grapheme that the font lacks. */
export function printableText(text: string, hasGlyph: (codePoint: number) => boolean) {
  const printable = Array.from(graphemes.segment(oneLine(text)), ({ segment }) => {
    const visible = withoutFormat(segment)
    return Array.from(visible).every((character) => hasGlyph(character.codePointAt(0) ?? 0)) ? visible : replacement
  })
  return printable.join('')
}

/** Prepares a text for pdfkit's metadata, which is written unescaped to the Info dictionary and as XML to XMP. */
const metadataText = (text: string) => new MetadataText(withoutFormat(oneLine(text))) as string

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

/** Removes format characters: directional and joining marks can reorder or hide parts of a text. */
const withoutFormat = (text: string) => text.replace(/\p{Cf}/gu, '')

/** The iris colours of the portal, lightened, so that the band stays in the background. */
const iris = ['#a9cfce', '#b4c6df', '#c9bedc']

const strands = 9
const wave = 46
const halfWave = wave / 2
/** The position of a cubic curve's handles that approximates half a sine best. */
const handle = 0.3642

/** Draws a security print across the page: strands of waves, each slightly shifted. */
function guillocheBand(
  pdf: PDFKit.PDFDocument,
  area: { x: number; y: number; width: number; height: number },
  strandColours: readonly string[] = iris,
) {
  const { x, y, width, height } = area
  const middle = y + height / 2
  pdf.save().rect(x, y, width, height).clip().lineWidth(0.45)
  for (let strand = 0; strand < strands; strand++) {
    const depth = (height / 2) * (0.45 + (0.55 * strand) / (strands - 1))
    let left = x - wave + (wave * strand) / strands
    let up = -depth
    pdf.moveTo(left, middle)
    for (; left < x + width; left += halfWave, up = -up) {
      const right = left + halfWave
      pdf.bezierCurveTo(
        left + halfWave * handle,
        middle + up * 1.33,
        right - halfWave * handle,
        middle + up * 1.33,
        right,
        middle,
      )
    }
    pdf.stroke(strandColours[strand % strandColours.length])
  }
  pdf.restore()
}

/**
 * A tagged A4 document in the portal's style with the structure that PDF/A-2a (ISO 19005-2) requires. Equal input gives
 * equal bytes, and texts may contain any character (see printableText).
 */
export class PaperDocument {
  readonly #options: PaperOptions
  readonly #pdf: PDFKit.PDFDocument
  readonly #root: PDFKit.PDFStructureElement

  constructor(options: PaperOptions) {
    this.#options = options
    this.#pdf = new PdfKit({
      size: 'A4',
      margins: sheet,
      pdfVersion: '1.7',
      subset: 'PDF/A-2a',
      tagged: true,
      lang: { pl: 'pl-PL', en: 'en-GB' }[options.language],
      displayTitle: true,
      bufferPages: true,
      // No default font, because pdfkit's own ones are not embedded.
      font: '',
      info: {
        Title: metadataText(options.title),
        Author: metadataText(options.author),
        Creator: metadataText(options.author),
        CreationDate: options.createdAt,
      },
    })
    for (const [name, font] of Object.entries(paperFonts())) this.#pdf.registerFont(name, font)
    this.#root = this.#pdf.struct('Document')
    this.#pdf.addStructure(this.#root)
  }

  title(text: string, subtitle: string) {
    this.#block('H1', text, 'title', 2)
    this.#block('P', subtitle, 'quiet', 14)
  }

  /** Begins on a new page if only its heading would fit on this one. */
  section(text: string) {
    this.#pdf.y += 14
    this.#ensureSpace(90)
    this.#block('H2', text, 'section', 6)
  }

  paragraph(text: string) {
    this.#block('P', text, 'body', 6)
  }

  /** Adds a highlighted paragraph. */
  notice(text: string) {
    const inset = 12
    const height = this.#height(text, 'warn', measure - 2 * inset) + 2 * inset - 9
    this.#ensureSpace(height)
    const top = this.#pdf.y
    this.#artifact(() => this.#pdf.roundedRect(sheet.left, top, measure, height, 6).fill(colours.warnPaper))
    this.#pdf.y = top + inset - 4
    this.#block('P', text, 'warn', 0, { x: sheet.left + inset, width: measure - 2 * inset })
    this.#pdf.y = top + height + 6
  }

  /** Adds labels and values, with a hairline under each row. */
  table(rows: [label: string, value: string][]) {
    const table = this.#pdf.struct('Table')
    this.#root.add(table)
    for (const [label, value] of rows) {
      const height = Math.max(
        this.#height(label, 'quiet', labelWidth - 12),
        this.#height(value, 'body', measure - labelWidth),
      )
      this.#ensureSpace(height + 10)
      const y = this.#pdf.y + 5
      const head = this.#pdf.struct('TH', rowHeader, () =>
        this.#draw(label, 'quiet', { x: sheet.left, y, width: labelWidth - 12 }),
      )
      const cell = this.#pdf.struct('TD', {}, () =>
        this.#draw(value, 'body', { x: sheet.left + labelWidth, y, width: measure - labelWidth }),
      )
      table.add(this.#pdf.struct('TR', {}, [head, cell]))
      this.#pdf.y = y + height + 3
      this.#hairline(this.#pdf.y)
    }
    table.end()
  }

  /** Adds a heading with numbered paragraphs: 3.1, 3.2 … for `number` 3. */
  clause(number: number, heading: string, paragraphs: string[]) {
    this.#pdf.y += 8
    this.#ensureSpace(60)
    this.#block('H3', `${number}. ${heading}`, 'clause', 3)
    const list = this.#pdf.struct('L')
    this.#root.add(list)
    for (const [index, text] of paragraphs.entries()) {
      const width = measure - numberWidth
      const height = this.#height(text, 'body', width)
      this.#ensureSpace(height)
      const y = this.#pdf.y
      const label = this.#pdf.struct('Lbl', {}, () =>
        this.#draw(`${number}.${index + 1}`, 'quiet', { x: sheet.left, y, width: numberWidth }),
      )
      const body = this.#pdf.struct('LBody', {}, () =>
        this.#draw(text, 'body', { x: sheet.left + numberWidth, y, width }),
      )
      list.add(this.#pdf.struct('LI', {}, [label, body]))
      this.#pdf.y = y + height + 3
    }
    list.end()
  }

  async finish(): Promise<Uint8Array<ArrayBuffer>> {
    this.#root.end()
    this.#addHeadersAndFooters()
    this.#pdf.end()
    const chunks: Uint8Array[] = await this.#pdf.toArray()
    return new Uint8Array(Buffer.concat(chunks))
  }

  #addHeadersAndFooters() {
    const { head, foot, language, brand } = this.#options
    const { count } = this.#pdf.bufferedPageRange()
    for (let index = 0; index < count; index++) {
      this.#pdf.switchToPage(index)
      this.#artifact(() => {
        guillocheBand(this.#pdf, { x: sheet.left, y: 40, width: measure, height: 20 }, brand?.lines)
        this.#edges(head, 'mark', 68)
      })
      const footY = sheet.height - 52
      this.#hairline(footY - 8)
      this.#artifact(() => this.#edges([foot, pageNumber[language](index + 1, count)], 'small', footY))
    }
  }

  /** Writes two texts at the ends of a line outside of the margins, where nothing may wrap. */
  #edges([left, right]: [string, string], style: Style, y: number) {
    this.#use(style)
    const end = this.#printable(right)
    this.#pdf.text(this.#printable(left), sheet.left, y, { lineBreak: false })
    this.#pdf.text(end, sheet.width - sheet.right - this.#pdf.widthOfString(end), y, { lineBreak: false })
  }

  #block(tag: string, text: string, style: Style, after: number, at = { x: sheet.left, width: measure }) {
    this.#ensureSpace(this.#height(text, style, at.width))
    this.#root.add(this.#pdf.struct(tag, {}, () => this.#draw(text, style, { ...at, y: this.#pdf.y })))
    this.#pdf.y += after
  }

  #draw(text: string, style: Style, { x, y, width }: { x: number; y: number; width: number }) {
    this.#use(style)
    this.#pdf.text(this.#printable(text), x, y, { width, lineGap })
  }

  #height(text: string, style: Style, width: number) {
    this.#use(style)
    return this.#pdf.heightOfString(this.#printable(text), { width, lineGap })
  }

  #use(style: Style) {
    const { font, size, colour } = styles[style]
    this.#pdf
      .font(font)
      .fontSize(size)
      .fillColor((colour === colours.brand && this.#options.brand?.ink) || colour)
  }

  /** Begins a new page unless this much space is left. */
  #ensureSpace(height: number) {
    if (this.#pdf.y + height > sheet.height - sheet.bottom) this.#pdf.addPage()
  }

  #hairline(y: number) {
    this.#artifact(() =>
      this.#pdf
        .moveTo(sheet.left, y)
        .lineTo(sheet.width - sheet.right, y)
        .lineWidth(0.5)
        .stroke(colours.line),
    )
  }

  /** Draws decoration, which assistive technology ignores. */
  #artifact(draw: () => void) {
    this.#pdf.markContent('Artifact')
    draw()
    this.#pdf.endMarkedContent()
  }

  #printable(text: string) {
    return printableText(text, (codePoint) => paperFonts().text.hasGlyphForCodePoint(codePoint))
  }
}
