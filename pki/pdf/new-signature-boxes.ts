import { hexOf } from '../bytes.ts'
import { arrayAt, pagesOf, type Pdf } from './pdf-read.ts'
import { signaturesOf, type FoundSignature } from './pdf-signature-fields.ts'
import { rectangleOf } from './pdf-geometry.ts'
import { appearanceBox } from './pdf-signature-appearance.ts'
import { isDictionary, isReference, isString } from './pdf-value.ts'

/** In the units of the page, with its corners in any order. */
export type PageBox = [number, number, number, number]

/** The boxes of a document by page index. */
export type PageBoxes = ReadonlyMap<number, PageBox[]>

/**
 * Where a received file shows signatures that the issued one does not have, only for fields of the form. They were
 * validated before, and an invalid one has refused the file.
 */
export function newSignatureBoxes(received: Pdf, issued: Pdf): PageBoxes {
  const old = new Set(signaturesOf(issued).map(messageOf))
  const widgets = new Set(
    signaturesOf(received)
      .filter((signature) => messageOf(signature) !== undefined && !old.has(messageOf(signature)))
      .flatMap(({ fields }) => fields.filter(({ inForm }) => inForm).flatMap((field) => field.widgets)),
  )
  const boxes = new Map<number, PageBox[]>()
  for (const [index, { page }] of pagesOf(received).entries()) {
    const shown = arrayAt(received, page, 'Annots').filter((item) => isReference(item) && widgets.has(item.number))
    const found = shown.map((item) => boxOf(received, item)).filter((box) => box !== undefined)
    if (found.length) boxes.set(index, found)
  }
  return boxes
}

function messageOf({ dictionary }: FoundSignature) {
  const contents = dictionary?.get('Contents')
  return isString(contents) && Array.isArray(dictionary?.get('ByteRange')) ? hexOf(contents.bytes) : undefined
}

/** A widget without an appearance has no box: if a reader shows something there, the comparison must see it. */
function boxOf(pdf: Pdf, item: Parameters<Pdf['resolve']>[0]): PageBox | undefined {
  const widget = pdf.resolve(item)
  return appearanceBox(pdf, widget) === 'nothing' || !isDictionary(widget)
    ? undefined
    : rectangleOf(pdf, widget.get('Rect'))
}
