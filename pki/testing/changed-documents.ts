import { deflateSync } from 'node:zlib'
import { draftChanges } from './draft-changes.ts'
import { appearanceChanges } from './appearance-changes.ts'
import { pdfReference } from '../pdf/pdf-value.ts'
import { randomOf, type ChangedDocument, type Random, type Visibility } from './document-change.ts'
import { copyOfDraft, dictionaryIn, draftOf, pagesIn, writtenDraft } from './pdf-draft.ts'
import { signPdf } from './pades-authorities.ts'

/**
 * A signed document that was made from an issued one by a seed: rewritten with one to three changes, or continued from its
 * exact bytes with a visible signature. The signature itself is always valid.
 */
export function changedDocument(issued: Uint8Array, seed: number): ChangedDocument {
  const random = randomOf(seed)
  if (random.chance(0.35)) {
    const { name, visible, make } = random.pick(appearanceChanges)
    const made = make(issued, random)
    if (made) return { what: `signature: ${name}`, visible, areas: [], ...made }
  }
  return rewritten(issued, random)
}

function rewritten(issued: Uint8Array, random: Random): ChangedDocument {
  let draft = draftOf(issued)
  const names: string[] = []
  let visible: Visibility = 'no'
  const wanted = random.pick([1, 1, 1, 2, 3])
  // A document without pages cannot be changed further.
  for (let tries = 0; names.length < wanted && tries < 50 && pagesIn(draft).length; tries++) {
    const change = random.pick(draftChanges)
    const trial = copyOfDraft(draft)
    if (!change.make(trial, random)) continue
    draft = trial
    names.push(change.name)
    // Two changes may cancel each other, or make a file that no reader shows.
    visible = names.length === 1 ? change.visible : visible === 'no' && change.visible === 'no' ? 'no' : 'maybe'
  }
  if (random.chance(0.15)) draft.form.compressed = true
  if (random.chance(0.2))
    for (const object of draft.objects.values())
      if (object.data && object.value instanceof Map && !object.value.has('Filter') && random.chance(0.5)) {
        object.data = new Uint8Array(deflateSync(object.data))
        object.value.set('Filter', { kind: 'name', name: 'FlateDecode' })
      }
  const file = writtenDraft(draft)
  const what = `rewritten: ${names.join(' + ')}`
  try {
    const bytes = signPdf(file)
    const { linearized } = draft.form
    if (linearized === undefined) return { bytes, what, visible, areas: [] }
    dictionaryIn(draft, pdfReference(linearized)).set('L', bytes.length)
    return { bytes: signPdf(writtenDraft(draft)), what, visible, areas: [] }
  } catch {
    // It cannot be signed, so it is used as it is.
    return { bytes: file, what: `${what} (not signed)`, visible, areas: [] }
  }
}
