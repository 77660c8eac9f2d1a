import { pushButton } from './pdf-form-filling.ts'
import { arrayAt, pagesOf, type Pdf } from './pdf-read.ts'
import { hasArea } from './pdf-geometry.ts'
import { fieldsOf, formOf, numbersOf, type FormField } from './pdf-signature-fields.ts'
import { isDictionary, isName, isReference, isString, type PdfDictionary } from './pdf-value.ts'

/**
 * Whether readers draw anything with the form's defaults (/DR, /DA): fields that use them, by default all that can be filled in,
 * annotations without an appearance stream, or all fields if NeedAppearances is set.
 */
export function usesDefaults(pdf: Pdf, usesThem: (field: FormField, pdf: Pdf) => boolean = () => true) {
  if (pdf.resolve(formOf(pdf).get('NeedAppearances')) === true) return true
  const fields = fieldsOf(pdf)
  if (fields.some((field) => !field.isSignature && (!field.isUnique || usesThem(field, pdf)))) return true
  const known = new Set(fields.flatMap(numbersOf))
  return pagesOf(pdf).some(({ page }) =>
    arrayAt(pdf, page, 'Annots').some((item) => {
      const annotation = pdf.resolve(item)
      if (!isDictionary(annotation) || (isReference(item) && known.has(item.number))) return false
      const kind = pdf.resolve(annotation.get('Subtype'))
      return isName(kind, 'Widget') || (!annotation.has('AP') && !isName(kind, 'Link'))
    }),
  )
}

const widgetsOf = (pdf: Pdf, { widgets }: FormField) =>
  widgets.flatMap((number) => {
    const widget = pdf.object(number)?.value
    return isDictionary(widget) && hasArea(pdf, number) ? [widget] : []
  })

/** Whether readers look for a font of a field, because it has no look of its own. */
export const needsFont = (field: FormField, pdf: Pdf) =>
  widgetsOf(pdf, field).some((widget) => !hasLook(pdf, widget, field))

function hasLook(pdf: Pdf, widget: PdfDictionary, { type, flags }: FormField) {
  const looks = pdf.resolve(widget.get('AP'))
  const normal = isDictionary(looks) ? looks.get('N') : undefined
  if (isReference(normal) && pdf.object(normal.number)?.data) return true
  // A look for each state of a box.
  const isBox = type === 'Btn' && typeof flags === 'number' && (flags & pushButton) === 0
  return isBox && isDictionary(pdf.resolve(normal))
}

/** Whether readers take the colour and size of a field's text from the form, because it has none of its own; they do for a text that has a look too. */
export const needsDefaultLook = (field: FormField, pdf: Pdf) =>
  widgetsOf(pdf, field).some((widget) => {
    const own = pdf.resolve(widget.get('DA') ?? field.defaultLook)
    return (field.type !== 'Btn' || hasCaption(pdf, widget)) && !(isString(own) && own.bytes.length > 0)
  })

function hasCaption(pdf: Pdf, widget: PdfDictionary) {
  const characteristics = pdf.resolve(widget.get('MK'))
  return isDictionary(characteristics) && ['CA', 'RC', 'AC'].some((key) => characteristics.has(key))
}
