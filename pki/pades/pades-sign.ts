import { cmsSigner, signedAttributes, signedData } from '../asn1/cms.ts'
import { readPathCertificate } from '../asn1/path-certificate.ts'
import { digestOf, type SigningDigest } from '../asn1/signature-algorithm.ts'
import { bytesOf, hexOf, indexOfText } from '../bytes.ts'
import { PdfError } from '../pdf/pdf-parser.ts'
import { arrayAt, dictionaryAt, firstPage, openPdf, listPages, type PageLeaf, type Pdf } from '../pdf/pdf-read.ts'
import { placeOnPage } from '../pdf/pdf-signature-place.ts'
import {
  isDictionary,
  isReference,
  pdfDate,
  pdfDictionary,
  pdfName,
  pdfReference,
  pdfSyntax,
  pdfText,
  readPdfText,
  withEntries,
  type PdfDictionary,
  type PdfReference,
  type PdfString,
  type PdfValue,
} from '../pdf/pdf-value.ts'
import { appendUpdate, checkRoom, nextNumber, type IncrementalUpdate, type NewObject } from '../pdf/pdf-write.ts'
import type { SignaturePlace } from '../pdf/signature-places.ts'

/**
 * A PAdES signature (ETSI EN 319 142-1) is made in steps, so that the key may be in a remote device: `prepareSignature`,
 * `coveredDigest`, `signedAttributes` of cms.ts, a signature over them, `signedData` of cms.ts, `embedSignature`. The
 * results of each step are plain data and can be stored. That is level B-B; a token over the signature value, given to
 * `signedData`, makes it B-T, and `appendValidationData` of pades-validation-data.ts B-LT.
 */
export type SignatureField = {
  /** The name of the form field, new to the document. */
  field: string
  /** The signer's name, which some readers show instead of the certificate's. */
  signer: string
  reason: string
  /** The claimed signing time; it is in the PDF and not in the CMS (EN 319 142-1 §6.3). */
  at: Date
  /** The bytes that the signature has at most: `signatureRoom` of a known signer. */
  room?: number
  /** Image that shows the signature; without it the signature is invisible. */
  visible?: VisibleSignature
}

/** An image that shows the signature, so that no reader needs a font for the letters of a name. */
export type VisibleSignature = {
  page: 'first' | 'last'
  place: SignaturePlace
  /** Size of the image on the page, in points. */
  size: { width: number; height: number }
  /** Image in grey, one byte for each pixel, compressed by zlib. */
  image: { width: number; height: number; data: Uint8Array }
  /** Text of the image, for screen readers. */
  text: string
}

export type PreparedPdf = {
  bytes: Uint8Array<ArrayBuffer>
  /** The part that the signature does not cover: `<`, hexadecimal digits to be filled in, `>`. */
  gap: { start: number; end: number }
}

/** Space in bytes for a signer with a short chain, and a small timestamp. */
const defaultRoom = 12_288

/** Wide enough for any number that the cross-reference table can hold. */
const openByteRange = [0, 9_999_999_999, 9_999_999_999, 9_999_999_999]

/**
 * Appends a signature field, invisible or with an image, and with space for the signature. An encrypted file must be
 * opened with `openAnyPdf` before. Throws PdfError for a PDF that cannot be signed.
 */
export const prepareSignature = (file: Uint8Array | Pdf, signature: SignatureField): PreparedPdf =>
  prepareField(file, signature.field, signatureDictionary(signature), signature.visible)

/** Space in bytes for a timestamp token with the certificates of its authority. */
export const tokenRoom = 16_384

/**
 * Returns the maximum length of a signer's CMS signature with a timestamp, in bytes, for `prepareSignature`. Throws TypeError for a
 * certificate that is not in canonical DER.
 */
export function signatureRoom(signer: Parameters<typeof cmsSigner>[0]): number {
  const { certificate } = signer
  // A signature of RSA is as long as the modulus; one of ECDSA has two numbers as long as the coordinates of the point, and
  // up to nine bytes more.
  const signature = new Uint8Array(readPathCertificate(certificate).keyBits.length + 9)
  const attributes = signedAttributes({ digest: new Uint8Array(64), certificate })
  return signedData(cmsSigner(signer), { attributes, signature, timestamp: new Uint8Array(tokenRoom) }).length
}

/** Appends a field with space for a document timestamp (EN 319 142-1 §5.4.3), for which a token over `coveredDigest` is embedded. */
export function prepareDocumentTimestamp(file: Uint8Array | Pdf, field: string): PreparedPdf {
  const dictionary = pdfDictionary({
    Type: pdfName('DocTimeStamp'),
    Filter: pdfName('Adobe.PPKLite'),
    SubFilter: pdfName('ETSI.RFC3161'),
    ByteRange: openByteRange,
    Contents: openContents(tokenRoom),
  })
  return prepareField(file, field, dictionary)
}

function prepareField(
  file: Uint8Array | Pdf,
  field: string,
  dictionary: PdfDictionary,
  visible?: VisibleSignature,
): PreparedPdf {
  const pdf = file instanceof Uint8Array ? openPdf(file) : file
  checkRoom(pdf)
  const first = nextNumber(pdf)
  const value = pdfReference(first)
  const widget = pdfReference(first + 1)
  const appearance = pdfReference(first + 2)
  const leaf = (visible?.page === 'last' && listPages(pdf).at(-1)) || firstPage(pdf)
  const { reference: pageReference, page } = leaf
  const shown = visible ? shownBy(pdf, leaf, visible, pdfReference(first + 3)) : notShown
  const increment = appendUpdate(pdf, [
    { reference: value, value: dictionary },
    {
      reference: widget,
      value: new Map([...widgetDictionary(field, value, appearance, pageReference), ...shown.widget]),
    },
    { reference: appearance, ...shown.appearance },
    ...shown.objects,
    { reference: pageReference, value: withEntries(page, { Annots: [...arrayAt(pdf, page, 'Annots'), widget] }) },
    ...withField(pdf, field, widget, pdfReference(first + 3 + shown.objects.length)),
  ])
  return closeByteRange(increment, value)
}

const openContents = (room: number): PdfString => ({ kind: 'string', bytes: new Uint8Array(room) })

function signatureDictionary({ signer, reason, at, room = defaultRoom }: SignatureField) {
  return pdfDictionary({
    Type: pdfName('Sig'),
    Filter: pdfName('Adobe.PPKLite'),
    SubFilter: pdfName('ETSI.CAdES.detached'),
    Name: pdfText(signer),
    Reason: pdfText(reason),
    M: pdfDate(at),
    ByteRange: openByteRange,
    Contents: openContents(room),
  })
}

/** Look of a widget: its entries, its appearance stream, and the objects that the stream refers to. */
type PlacedWidget = { widget: PdfDictionary; appearance: Omit<NewObject, 'reference'>; objects: NewObject[] }

function shownBy(
  pdf: Pdf,
  leaf: PageLeaf,
  { place, size, image, text }: VisibleSignature,
  reference: PdfReference,
): PlacedWidget {
  const { rect, matrix } = placeOnPage(pdf, leaf, place, size)
  const content = bytesOf(`q ${size.width} 0 0 ${size.height} 0 0 cm /Image Do Q`)
  return {
    widget: pdfDictionary({ Rect: [...rect], TU: pdfText(text) }),
    appearance: {
      value: pdfDictionary({
        Type: pdfName('XObject'),
        Subtype: pdfName('Form'),
        BBox: [0, 0, size.width, size.height],
        Matrix: [...matrix],
        Resources: pdfDictionary({ XObject: pdfDictionary({ Image: reference }) }),
        Length: content.length,
      }),
      data: content,
    },
    objects: [
      {
        reference,
        value: pdfDictionary({
          Type: pdfName('XObject'),
          Subtype: pdfName('Image'),
          Width: image.width,
          Height: image.height,
          ColorSpace: pdfName('DeviceGray'),
          BitsPerComponent: 8,
          Filter: pdfName('FlateDecode'),
          Length: image.data.length,
        }),
        data: image.data,
      },
    ],
  }
}

/**
 * Creates the widget of a signature, of zero size unless the signature is shown. The widget is printed and locked, and has an appearance
 * stream, as ISO 19005-2 §6.3 requires for PDF/A.
 */
function widgetDictionary(name: string, value: PdfReference, appearance: PdfReference, page: PdfReference) {
  return pdfDictionary({
    Type: pdfName('Annot'),
    Subtype: pdfName('Widget'),
    FT: pdfName('Sig'),
    T: pdfText(name),
    V: value,
    P: page,
    F: 132,
    Rect: [0, 0, 0, 0],
    AP: pdfDictionary({ N: appearance }),
  })
}

const notShown: PlacedWidget = {
  widget: new Map(),
  appearance: {
    value: pdfDictionary({ Type: pdfName('XObject'), Subtype: pdfName('Form'), BBox: [0, 0, 0, 0], Length: 0 }),
    data: new Uint8Array(),
  },
  objects: [],
}

/**
 * Returns the form with an additional field, and the catalog that refers to it. The form is always an indirect object (`newForm` if it is
 * not one yet), because other signing programs ignore the fields of a form inside the catalog.
 */
function withField(pdf: Pdf, name: string, widget: PdfReference, newForm: PdfReference): NewObject[] {
  const catalogReference = pdf.trailer.get('Root')
  if (!isReference(catalogReference)) throw new PdfError('The trailer does not lead to a catalog')
  const catalog = dictionaryAt(pdf, pdf.trailer, 'Root')
  const known = catalog.get('AcroForm')
  // Null is the same as none (§7.3.9), also where a reference leads to it.
  const isThere = pdf.resolve(known) !== null
  const form = isThere ? dictionaryAt(pdf, catalog, 'AcroForm') : pdfDictionary({})
  const fields = arrayAt(pdf, form, 'Fields')
  if (fields.some((field) => nameOfField(pdf, field) === name)) throw new PdfError(`The field ${name} already exists`)
  const reference = isThere && isReference(known) ? known : newForm
  return [
    // SigFlags 3: there are signatures, and the file may only be appended to (ISO 32000-1 §12.7.2).
    { reference, value: withEntries(form, { Fields: [...fields, widget], SigFlags: 3 }) },
    {
      reference: catalogReference,
      value: withEntries(catalog, { AcroForm: reference, Extensions: withEtsiExtension(pdf, catalog) }),
    },
  ]
}

function nameOfField(pdf: Pdf, item: PdfValue) {
  const field = pdf.resolve(item)
  return isDictionary(field) ? readPdfText(pdf.resolve(field.get('T'))) : undefined
}

/** Declares the PAdES extension of ISO 32000-1 (its §7.12, EN 319 142-1). */
function withEtsiExtension(pdf: Pdf, catalog: PdfDictionary) {
  const extensions = pdf.resolve(catalog.get('Extensions'))
  const etsi = pdfDictionary({ BaseVersion: pdfName('1.7'), ExtensionLevel: 1 })
  return new Map(isDictionary(extensions) ? extensions : []).set('ESIC', etsi)
}

const closing = '>'.charCodeAt(0)

/** Writes the byte range: everything except the digits of /Contents and their brackets. */
function closeByteRange({ bytes, offsetOf }: IncrementalUpdate, signature: PdfReference): PreparedPdf {
  const at = offsetOf(signature)
  const start = indexOfText(bytes, '/Contents <', at) + '/Contents '.length
  const end = bytes.indexOf(closing, start) + 1
  const open = pdfSyntax(openByteRange)
  const closed = pdfSyntax([0, start, end, bytes.length - end]).padEnd(open.length)
  bytes.set(bytesOf(closed), indexOfText(bytes, open, at))
  return { bytes, gap: { start, end } }
}

export const coveredDigest = ({ bytes, gap }: PreparedPdf, digest: SigningDigest = 'sha256') =>
  digestOf(digest, bytes.subarray(0, gap.start), bytes.subarray(gap.end))

/** Returns the signed file: the CMS signature in the gap, followed by zeros. Throws RangeError if it does not fit. */
export function embedSignature({ bytes, gap }: PreparedPdf, cms: Uint8Array) {
  if (cms.length > (gap.end - gap.start - 2) / 2) throw new RangeError('The signature does not fit its gap')
  const signed = bytes.slice()
  signed.set(bytesOf(hexOf(cms)), gap.start + 1)
  return signed
}
