import { Fragment } from 'react'
import type { Text } from '../../contract/enums.ts'
import { endSentence } from '../../contract/rules/end-sentence.ts'
import { useText } from '../app/locale.tsx'
import { Verbatim } from '../ui/verbatim.tsx'
import { certificateOf, isOfSeal, isSignerKnown, isUnchanged, nameIn, type ReportedSignature } from './file-report.ts'

/** Addition to a file after it was signed. */
export type Addition = {
  what: Text
  /** The name of the signer. */
  name?: string
  /** A remark if nothing proves it. */
  doubt?: Text
}

/** Lists what was added after a signature, where nothing else was changed; undefined otherwise. `later`: the signatures after it. */
export function laterAdditions(
  signature: ReportedSignature,
  later: readonly ReportedSignature[],
): Addition[] | undefined {
  if (isUnchanged(signature) === false) return undefined
  const kinds = new Set(signature.changes.map(({ kind }) => kind))
  const added = [
    ...(kinds.has('signature') ? (later.length ? later.map(additionOf) : [signatureField]) : []),
    ...(kinds.has('validation-data') ? [validationData] : []),
    ...(kinds.has('filling') ? [filling] : []),
  ]
  // Further timestamps say no more.
  const each = new Map(added.map((addition) => [JSON.stringify(addition), addition]))
  return each.size ? [...each.values()] : undefined
}

const signatureField: Addition = { what: { pl: 'pole podpisu', en: 'a signature field' } }
const validationData: Addition = { what: { pl: 'dane do weryfikacji podpisu', en: 'data to verify the signature' } }
const filling: Addition = { what: { pl: 'treść pól formularza', en: 'what was entered in the form' } }

const notConfirmed = { pl: 'niepotwierdzony', en: 'not confirmed' }

function additionOf(signature: ReportedSignature): Addition {
  const isKnown = isSignerKnown(signature)
  if (signature.kind === 'document-timestamp')
    return { what: { pl: 'znacznik czasu', en: 'a timestamp' }, ...(!isKnown && { doubt: notConfirmed }) }
  const certificate = certificateOf(signature)
  const isSeal = certificate !== undefined && isOfSeal(certificate)
  const name = nameIn(certificate?.subject)
  const english = isSeal ? 'a seal' : 'a signature'
  return {
    what: { pl: isSeal ? 'pieczęć' : 'podpis', en: name === undefined ? english : `${english} of` },
    ...(name !== undefined && { name }),
    ...(!isKnown && { doubt: isSeal ? { ...notConfirmed, pl: 'niepotwierdzona' } : notConfirmed }),
  }
}

/** Lists later additions, such as „Później dodano: pieczęć Kancelaria Źródło, znacznik czasu.” */
export function LaterAdditions({ additions }: { additions: readonly Addition[] }) {
  const t = useText()
  return (
    <>
      {t({ pl: 'Później dodano: ', en: 'Added later: ' })}
      {additions.map(({ what, name, doubt }, index) => {
        const isLast = index === additions.length - 1
        const end = isLast ? '.' : ', '
        return (
          <Fragment key={JSON.stringify([what, name, doubt])}>
            {t(what)}
            {name !== undefined && ' '}
            {name !== undefined && <Verbatim>{isLast && !doubt ? endSentence(name) : name}</Verbatim>}
            {doubt && ` (${t(doubt)})`}
            {(!isLast || doubt || name === undefined) && end}
          </Fragment>
        )
      })}
    </>
  )
}
