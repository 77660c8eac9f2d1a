import type { Text } from '../../contract/enums.ts'
import { isOfSeal, type ReportedSignature } from './file-report.ts'

type Level = Pick<ReportedSignature, 'kind' | 'signer' | 'trusted' | 'doubts'>

/**
 * Checks whether a signature is made by a qualified certificate and a key in a qualified device (Regulation (EU) 910/2014, Article 3(12)
 * and 3(27)).
 */
const isQualified = (signature: Level): boolean =>
  signature.trusted &&
  !!signature.signer?.qualified.compliance &&
  signature.signer.qualified.device &&
  !isDoubted(signature)

/**
 * Checks whether the certificate is qualified, but the trusted list may deny its statement about the device, or a purpose that the
 * certificate does not name.
 */
export function isDoubted({ signer, doubts }: Pick<Level, 'signer' | 'doubts'>): boolean {
  if (!signer?.qualified.compliance) return false
  const { device, types } = signer.qualified
  return (
    (device && doubts.includes('device')) ||
    (!types.length && doubts.includes(isOfSeal(signer) ? 'seals' : 'signatures'))
  )
}

const isSignature = ({ kind }: Level) => kind === 'signature'
const isSeal = ({ signer }: Level) => !!signer && isOfSeal(signer)

/** Returns the verdict on a file with valid signatures if one or more of them are not qualified; undefined for other files. */
export function unqualifiedTitle(all: readonly Level[]): Text | undefined {
  const signatures = all.filter(isSignature)
  const [first, second] = signatures
  if (!first || signatures.every(isQualified)) return undefined
  if (second && signatures.some(isDoubted))
    return {
      pl: 'Wszystko jest prawidłowe, ale nie wszystko potwierdzono jako kwalifikowane',
      en: 'Everything is valid, but not everything is confirmed as qualified',
    }
  if (second)
    return signatures.some(isQualified)
      ? {
          pl: 'Wszystko jest prawidłowe, ale nie wszystko jest kwalifikowane',
          en: 'Everything is valid, but not everything is qualified',
        }
      : { pl: 'Wszystko jest prawidłowe, ale nie jest kwalifikowane', en: 'Everything is valid, but not qualified' }
  if (isDoubted(first))
    return isSeal(first)
      ? {
          pl: 'Pieczęć jest prawidłowa, ale niepotwierdzona jako kwalifikowana',
          en: 'The seal is valid, but not confirmed as qualified',
        }
      : {
          pl: 'Podpis jest prawidłowy, ale niepotwierdzony jako kwalifikowany',
          en: 'The signature is valid, but not confirmed as qualified',
        }
  return isSeal(first)
    ? { pl: 'Pieczęć jest prawidłowa, ale nie jest kwalifikowana', en: 'The seal is valid, but not qualified' }
    : { pl: 'Podpis jest prawidłowy, ale nie jest kwalifikowany', en: 'The signature is valid, but not qualified' }
}

/** Returns the signatures and seals that are not qualified, if the file has several. */
export function unqualifiedOf<S extends Level>(all: readonly S[]): S[] {
  const signatures = all.filter(isSignature)
  return signatures.length > 1 ? signatures.filter((signature) => !isQualified(signature)) : []
}

/** Checks whether a file has signatures or seals, and all of them are qualified. */
export function isWhollyQualified(all: readonly Level[]): boolean {
  const signatures = all.filter(isSignature)
  return signatures.length > 0 && signatures.every(isQualified)
}

/**
 * Returns the level of the valid signatures of a file, for the verdict (CHK-4); undefined if it has none, or several and some of them are
 * not qualified.
 */
export function levelText(all: readonly Level[]): Text | undefined {
  const signatures = all.filter(isSignature)
  const [first] = signatures
  if (!first) return undefined
  if (signatures.length > 1)
    return signatures.every(isQualified)
      ? { pl: 'Wszystkie są kwalifikowane.', en: 'All of them are qualified.' }
      : undefined
  if (isDoubted(first))
    return {
      pl: 'Lista zaufania ma dla niektórych certyfikatów tego wystawcy osobne zasady, których nie sprawdzamy.',
      en: 'The trusted list has rules of its own for some certificates of this issuer, and we don’t check them.',
    }
  if (!isQualified(first))
    return isSeal(first)
      ? {
          pl: 'Prawo nie zakłada z\u00a0góry, że dokument pochodzi od tej organizacji i\u00a0jest nienaruszony.',
          en: 'The law doesn’t presume that the document comes from this organisation and is intact.',
        }
      : {
          pl: 'Prawo nie zrównuje tego podpisu z\u00a0własnoręcznym.',
          en: 'This signature doesn’t automatically have the legal effect of a handwritten one.',
        }
  return isSeal(first)
    ? {
        pl: 'To pieczęć kwalifikowana: świadczy o\u00a0pochodzeniu i\u00a0integralności dokumentu.',
        en: 'It’s a qualified seal: it shows where the document comes from, and that it’s intact.',
      }
    : {
        pl: 'To podpis kwalifikowany, równoważny własnoręcznemu.',
        en: 'It’s a qualified signature, which has the legal effect of a handwritten one.',
      }
}
