import { deflateSync } from 'node:zlib'
import { draftChanges } from './draft-changes.ts'
import { lookChanges } from './look-changes.ts'
import { pdfReference } from '../pdf-value.ts'
import { copyOfDraft, dictionaryIn, draftOf, pagesIn, writtenDraft } from './pdf-draft.ts'
import { signPdf } from './pades-authorities.ts'

/**
 * What a changed document shows: `yes`, something else than the issued one; `no`, the same in other bytes; `maybe`, that
 * depends on the file and on the reader.
 */
export type Visibility = 'yes' | 'no' | 'maybe'

export type ChangedDocument = {
  bytes: Uint8Array
  what: string
  visible: Visibility
  /** Where the signature itself is shown, in default user space of its page (counted from 0). */
  areas: { page: number; rect: readonly number[] }[]
}

/** Numbers that are the same in every run. */
export type Random = {
  below: (limit: number) => number
  pick: <T>(list: readonly T[]) => T
  chance: (part: number) => boolean
}

export function randomOf(seed: number): Random {
  let state = (seed * 2_654_435_761 + 1) >>> 0
  const next = () => {
    // A step of mulberry32, whose low bits are as good as the high ones.
    state = (state + 0x6d_2b_79_f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number) => Math.floor(next() * limit)
  return { below, pick: (list) => list[below(list.length)]!, chance: (part) => next() < part }
}

/**
 * A signed document that somebody made of an issued one, by its number: written anew with one to three changes, or
 * gone on with from its very bytes with a signature that shows something. The signature itself is always good.
 */
export function changedDocument(issued: Uint8Array, seed: number): ChangedDocument {
  const random = randomOf(seed)
  if (random.chance(0.35)) {
    const { name, visible, make } = random.pick(lookChanges)
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
  // Nothing more can be changed in a document without pages.
  for (let tries = 0; names.length < wanted && tries < 50 && pagesIn(draft).length; tries++) {
    const change = random.pick(draftChanges)
    const trial = copyOfDraft(draft)
    if (!change.make(trial, random)) continue
    draft = trial
    names.push(change.name)
    // Two changes may undo each other, or make a file that no reader shows.
    visible = names.length === 1 ? change.visible : visible === 'no' && change.visible === 'no' ? 'no' : 'maybe'
  }
  if (random.chance(0.15)) draft.form.packed = true
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
    // No program signs it: it has come as it is.
    return { bytes: file, what: `${what} (not signed)`, visible, areas: [] }
  }
}
