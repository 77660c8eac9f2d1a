import type { CaseWait } from '../../contract/desk/desk-products.ts'
import type { DocumentStatus } from '../../contract/documents.ts'
import type { CaseStatus } from '../../contract/vouchers.ts'
import type { RenewalWait } from './desk-products-store.ts'

/** What a case waits for (DSK-19); null once it has ended. */

export function renewalWait({ state, hasAgreement, signingFailed, identityState }: RenewalWait): CaseWait | null {
  if (state === 'signing' && !hasAgreement) return 'agreement'
  if (state === 'signing') return signingFailed ? 'renewal-signature-again' : 'renewal-signature'
  if (identityState === 'asked' && (state === 'parameters' || state === 'personal-data')) return 'identity-check'
  const waits: { [S in RenewalWait['state']]?: CaseWait } = {
    parameters: 'renewal-choices',
    'personal-data': 'renewal-data',
    authorised: 'signing-service',
    signed: 'certificate',
    issued: 'renewal-app',
  }
  return waits[state] ?? null
}

export function documentWait({ state, hasContent }: { state: DocumentStatus; hasContent: boolean }): CaseWait | null {
  const waits: { [S in DocumentStatus]?: CaseWait } = {
    'passed-to-subscriber': hasContent ? 'document-signature' : 'document-content',
    'subscriber-downloaded': 'document-upload',
    'subscriber-uploaded': 'document-check',
    'issuer-uploaded': 'document-end',
  }
  return waits[state] ?? null
}

export const voucherWait = (state: CaseStatus): CaseWait | null => (state === 'in-progress' ? 'voucher-case' : null)
