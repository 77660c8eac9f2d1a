import type { ReactNode } from 'react'
import type { Locale, Text } from '../../contract/enums.ts'
import { endSentence } from '../../contract/rules/end-sentence.ts'
import { SupportPhone } from '../app/support-line.tsx'
import type { ApiError, FailureCode } from '../calls/api.ts'
import { AnswerLink } from './answer-link.tsx'
import { describeFailure } from './failure-text.ts'
import type { QuestionId } from './questions.ts'

export type ExplainedFailure = { text: string; answer: ReactNode }

/**
 * The question of the FAQ that answers each failure; null where its text says everything, where a new answer cannot be read
 * (`offline`), or where no customer meets it.
 */
export const answerOf: Record<FailureCode, QuestionId | null> = {
  'invalid-input': null,
  'malformed-request': 'page-out-of-date',
  'cursor-refused': null,
  'position-unknown': null,
  'idempotency-key-missing': 'page-out-of-date',
  'signed-out': 'signed-out',
  'other-customer': 'page-out-of-date',
  'client-key-refused': null,
  'scope-missing': null,
  'too-many-requests': 'too-many-attempts',
  'cross-site-request': 'page-out-of-date',
  'step-up-required': 'why-another-code',
  'not-found': 'page-out-of-date',
  'method-not-allowed': 'page-out-of-date',
  'body-too-large': 'file-refused',
  'url-too-long': 'page-out-of-date',
  'unsupported-media-type': 'file-refused',
  'misdirected-request': 'page-out-of-date',
  'login-refused': 'sign-in-refused',
  'account-blocked': 'blocked-account',
  'bot-check-required': 'bot-check',
  'bot-check-refused': 'bot-check',
  'code-wrong': 'code-refused',
  'code-expired': 'code-refused',
  'code-void': 'code-refused',
  'link-unknown': 'link-not-working',
  'link-expired': 'link-not-working',
  'link-used': 'link-not-working',
  'current-password-wrong': 'forgot-password',
  'passkey-refused': 'passkey-refused',
  'passkey-unused': 'passkey-refused',
  'passkey-known': 'add-passkey',
  'passkeys-full': 'add-passkey',
  'password-used-before': 'good-password',
  'idempotency-key-reused': 'page-out-of-date',
  'agreement-not-ready': 'agreement',
  'certificate-unreadable': null,
  'certificate-refused': null,
  'certificate-filed': null,
  'object-in-use': null,
  'certificate-differs': null,
  'already-active': 'forgot-password',
  'customer-in-use': null,
  'login-taken': null,
  'pairing-not-possible': 'pair-app',
  'pairing-code-wrong': 'pair-app',
  'timestamp-password-fixed': 'timestamp-password',
  'wording-changed': 'page-out-of-date',
  'seal-ended': 'seal-access',
  'seal-user-exists': 'seal-access',
  'seal-users-full': 'seal-access',
  'state-passed': 'page-out-of-date',
  'renewal-changed': null,
  'last-admin': 'seal-administrator',
  'own-access': 'seal-administrator',
  'invitation-expired': 'seal-invitation',
  'document-not-ready': 'document-not-ready',
  'document-content-missing': 'document-not-ready',
  'document-not-continued': null,
  'pdf-required': 'file-refused',
  'pdf-encrypted': 'file-refused',
  'pdf-damaged': 'file-refused',
  'pdf-too-costly': 'file-refused',
  'pdf-unusable': null,
  'malware-found': 'file-refused',
  'upload-unknown': 'file-refused',
  'upload-refused': 'file-refused',
  'document-unknown': 'change-number',
  'document-number-wrong': 'number-change-refused',
  'lost-phone-number-wrong': 'lost-device',
  'email-code-wrong': 'number-change-refused',
  'phone-unchanged': null,
  'phone-change-blocked': 'number-change-refused',
  'voucher-refused': 'voucher-refused',
  'renewal-refused': 'renewal-refused',
  'host-not-allowed': null,
  'signer-unknown': 'signing-failed',
  'signing-changed': 'signing-failed',
  'signing-refused': 'signing-failed',
  'signing-over': 'signing-failed',
  'signing-cancelled': 'signing-failed',
  'too-many-attempts': 'too-many-attempts',
  'resend-too-early': 'code-not-received',
  'sends-spent': 'code-not-received',
  'sms-country-refused': 'foreign-number',
  'phone-unconfirmed': 'number-not-confirmed',
  'phone-sends-spent': 'number-not-confirmed',
  'sms-stopped': 'code-not-received',
  'headers-too-large': 'page-out-of-date',
  unexpected: 'portal-unavailable',
  busy: 'portal-unavailable',
  'bot-check-unavailable': 'bot-check',
  unavailable: 'portal-unavailable',
  'storage-full': 'portal-unavailable',
  offline: null,
  canceled: null,
}

/** Returns the text of a failure, and where to find help; `what` replaces the usual text. */
export function explain(locale: Locale, failure: ApiError, what?: Text): ExplainedFailure {
  const question = answerOf[failure.code] ?? (Object.hasOwn(answerOf, failure.code) ? null : answerOf.unexpected)
  const text = describeFailure(locale, failure, what)
  const callHelps = text.toLowerCase().includes({ pl: 'zadzwoń do nas', en: 'call us' }[locale])
  const answer = question && <AnswerLink to={question} />
  return {
    text,
    answer: callHelps ? (
      <>
        <SupportPhone />
        {answer}
      </>
    ) : (
      answer
    ),
  }
}

/** Returns the text of `explain` and its help in one element. */
export function explainFailure(locale: Locale, failure: ApiError, what?: Text) {
  const { text, answer } = explain(locale, failure, what)
  return (
    <>
      {answer ? endSentence(text) : text} {answer}
    </>
  )
}
