import * as z from 'zod/mini'

export const locales = ['pl', 'en'] as const
export const Locale = z.enum(locales)
export type Locale = z.infer<typeof Locale>

/** A text in both languages: a missing one does not compile. */
export type Text = Record<Locale, string>

/** What a fresh second factor may be asked for (AUT-7). Each later feature adds its own. */
export const stepUpPurposes = [
  'pair-app',
  'pair-seal',
  'manage-seal-users',
  'timestamp-password',
  'add-passkey',
  'remove-passkey',
  'reveal-data',
  'change-phone',
  'export-data',
] as const
export const StepUpPurpose = z.enum(stepUpPurposes)
export type StepUpPurpose = z.infer<typeof StepUpPurpose>

/** What a one-time code can be made for (R2). */
export type CodePurpose =
  | 'sign-in'
  | 'activate-seal'
  | 'sign-document'
  | 'sign-agreement'
  | 'confirm-phone'
  | 'phone-email'
  | 'phone-sms'
  | StepUpPurpose

/** The provider's objects, as the paths of its calls name them; a client key is for some of them (R80). */
export const clientGroups = [
  'customers',
  'document-cases',
  'events',
  'renewals',
  'seals',
  'signatures',
  'software',
  'timestamp-accounts',
  'timestamp-packages',
  'timestamp-usage',
  'voucher-cases',
  'voucher-codes',
  'webhooks',
] as const
export type ClientGroup = (typeof clientGroups)[number]

/** Kinds of identifier in a certificate: ETSI EN 319 412-1 §5.1.3, and ECN, which is the provider's own number. */
export const IdentifierType = z.enum(['PNO', 'TIN', 'PAS', 'IDC', 'ECN'])
export type IdentifierType = z.infer<typeof IdentifierType>

/** Kinds of identity document: identity card (DO), passport (PA), residence card (KP), mDowód (MD). */
export const DocumentType = z.enum(['DO', 'PA', 'KP', 'MD'])
export type DocumentType = z.infer<typeof DocumentType>
