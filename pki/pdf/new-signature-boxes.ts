import type { PageBox, PageBoxes } from './page-reader.ts'
import { arrayAt, pagesOf, type Pdf } from './pdf-read.ts'
import { signaturesOf, type FoundSignature } from './pdf-signature-fields.ts'
import { lookOf, rectangleOf } from './pdf-signature-looks.ts'
import { isDictionary, isReference, isString } from './pdf-value.ts'

/**
 * Where the signatures are shown that a received file has and the issued one has not: of the form's own fields alone, and
 * of what is a signature. Whether they are good was judged before, and one that is not has refused the file.
 */
export function newSignatureBoxes(received: Pdf, issued: Pdf): PageBoxes {
  const old = new Set(signaturesOf(issued).map(messageOf))
  const widgets = new Set(
    signaturesOf(received)
      .filter((one) => messageOf(one) !== undefined && !old.has(messageOf(one)))
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
  return isString(contents) && Array.isArray(dictionary?.get('ByteRange'))
    ? Buffer.from(contents.bytes).toString('hex')
    : undefined
}

/** Of a widget that paints nothing nothing is left out: where a reader shows something all the same, it is seen. */
function boxOf(pdf: Pdf, item: Parameters<Pdf['resolve']>[0]): PageBox | undefined {
  const widget = pdf.resolve(item)
  return lookOf(pdf, widget) === 'nothing' || !isDictionary(widget) ? undefined : rectangleOf(pdf, widget.get('Rect'))
}
