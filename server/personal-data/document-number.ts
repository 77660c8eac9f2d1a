import type { Identification } from '../../contract/personal-data.ts'
import { plainNumber } from '../../contract/rules/identifier-numbers.ts'
import { mac, sameBytes, type Keys } from '../platform/encryption/keys.ts'

/**
 * Whether an entered number is that of the customer's identity document. By MACs, so that the time does not reveal how much of the number
 * fits; without a document nothing does.
 */
export function fitsDocument(keys: Keys, entered: string, known: Identification | undefined): boolean {
  const index = (number: string) => mac(keys.index, 'document-number', number)
  return sameBytes(index(entered), index(plainNumber(known?.document.number ?? '')))
}
