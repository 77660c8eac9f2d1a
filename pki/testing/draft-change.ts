import { inflateSync } from 'node:zlib'
import { bytesOf, latin1 } from '../bytes.ts'
import {
  isDictionary,
  isName,
  isReference,
  nameOf,
  pdfDictionary,
  pdfName,
  pdfSyntax,
  type PdfDictionary,
  type PdfReference,
} from '../pdf/pdf-value.ts'
import type { Random, Visibility } from './document-change.ts'
import { added, catalogIn, dictionaryIn, resolved, pagesIn, type DraftObject, type PdfDraft } from './pdf-draft.ts'

/** A change of a rewritten file; returns whether the file has something to change. */
export type DraftChange = { name: string; visible: Visibility; make: (draft: PdfDraft, random: Random) => boolean }

export const on = (
  name: string,
  visible: Visibility,
  make: (draft: PdfDraft, random: Random) => unknown,
): DraftChange => ({
  name,
  visible,
  make: (draft, random) => make(draft, random) !== false,
})

export const pageAt = (draft: PdfDraft, random: Random) => dictionaryIn(draft, random.pick(pagesIn(draft)))

/** The content streams of a page. */
export function partsAt(draft: PdfDraft, page: PdfDictionary): PdfReference[] {
  const contents = page.get('Contents')
  const list = resolved(draft, contents)
  return (Array.isArray(list) ? list : [contents ?? null]).filter(isReference)
}

export function textOf(draft: PdfDraft, reference: PdfReference) {
  const { value, data } = draft.objects.get(reference.number)!
  if (!data || !isDictionary(value)) return undefined
  if (isName(value.get('Filter'), 'FlateDecode')) return latin1(new Uint8Array(inflateSync(data)))
  return value.has('Filter') ? undefined : latin1(data)
}

export function putText(draft: PdfDraft, reference: PdfReference, text: string) {
  const object = draft.objects.get(reference.number)!
  object.data = bytesOf(text)
  object.value = new Map(
    [...dictionaryIn(draft, reference)].filter(([key]) => key !== 'Filter' && key !== 'DecodeParms'),
  )
}

export const objectsOf = (draft: PdfDraft, is: (value: PdfDictionary, data: Uint8Array | undefined) => boolean) =>
  [...draft.objects].filter(([, { value, data }]) => isDictionary(value) && is(value, data))

/** A change of any dictionary of a kind. */
export const inKind = (
  name: string,
  visible: Visibility,
  is: (value: PdfDictionary) => boolean,
  change: (value: PdfDictionary, random: Random, draft: PdfDraft) => unknown,
) =>
  on(name, visible, (draft, random) => {
    const found = objectsOf(draft, is)
    if (found.length === 0) return false
    const [, { value }] = random.pick(found)
    return isDictionary(value) ? change(value, random, draft) : false
  })

/** Other syntax for any object that matches. */
export const inSyntax = (name: string, from: RegExp, to: (found: string, random: Random) => string) =>
  on(name, 'maybe', (draft, random) => {
    const found = [...draft.objects.values()].filter((object) => from.test(syntaxOf(object)))
    if (found.length === 0) return false
    const object = random.pick(found)
    object.raw = syntaxOf(object).replace(from, (match) => to(match, random))
  })

export function syntaxOf({ value, data, raw }: DraftObject) {
  return raw ?? pdfSyntax(data && isDictionary(value) ? new Map(value).set('Length', data.length) : value)
}

export const isKind =
  (key: string, ...names: string[]) =>
  (value: PdfDictionary) =>
    names.includes(nameOf(value.get(key)) ?? '')

export const font = pdfDictionary({
  Type: pdfName('Font'),
  Subtype: pdfName('Type1'),
  BaseFont: pdfName('Courier-Bold'),
})

const falsePrice = 'q 1 1 1 rg 0 0 440 90 re f Q BT /F1 24 Tf 12 30 Td (Umowa na 1 zl) Tj ET'

export function picture(draft: PdfDraft) {
  const resources = pdfDictionary({ Font: pdfDictionary({ F1: font }) })
  return added(
    draft,
    pdfDictionary({ Type: pdfName('XObject'), Subtype: pdfName('Form'), BBox: [0, 0, 440, 90], Resources: resources }),
    bytesOf(falsePrice),
  )
}

export function formOf(draft: PdfDraft) {
  const catalog = catalogIn(draft)
  if (!catalog.has('AcroForm')) catalog.set('AcroForm', pdfDictionary({ Fields: [] }))
  return dictionaryIn(draft, catalog.get('AcroForm'))
}

/** The object with a given value. */
export function objectWith(draft: PdfDraft, value: PdfDictionary): DraftObject {
  const object = [...draft.objects.values()].find((candidate) => candidate.value === value)
  if (!object) throw new RangeError('The draft has no such object')
  return object
}

export const hasKey = (key: string) => (value: PdfDictionary) => value.has(key)
