import type { DocumentNews } from '../documents/document-mails.ts'
import type { CaseRow } from '../documents/document-case-store.ts'
import type { RenewalNews } from '../renewal/renewal-mails.ts'
import type { RenewalRow } from '../renewal/renewal-row-store.ts'
import type { CaseStatus } from '../../contract/vouchers.ts'
import type { CaseNotice } from '../vouchers/voucher-mails.ts'
import { isOpenState } from '../renewal/renewal-view.ts'

/** The newest message that a customer got about a case, as its state says; undefined if there was none. */

export function renewalNews({ state, signingFailed, identity }: RenewalRow): RenewalNews | undefined {
  if (state === 'signing' && signingFailed) return 'unsigned'
  if (state === 'signed' || state === 'issued' || state === 'failed') return state
  const judged = isOpenState(state) && identity && identity.state !== 'asked' ? identity.state : undefined
  return judged && (judged === 'confirmed' ? 'document-confirmed' : 'document-refused')
}

export function documentNews({ status, documentFile, refusal }: CaseRow): DocumentNews | undefined {
  switch (status) {
    case 'passed-to-subscriber':
    case 'subscriber-downloaded':
      return documentFile ? { news: 'waiting' } : undefined
    case 'subscriber-uploaded':
      return { news: 'received' }
    case 'canceled':
      return refusal ? { news: 'refused', refusal } : { news: 'canceled' }
    default:
      return { news: 'countersigned' }
  }
}

export const voucherNews = (status: CaseStatus): CaseNotice['event'] => (status === 'in-progress' ? 'opened' : status)
