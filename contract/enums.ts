import * as z from 'zod/mini'

export const locales = ['pl', 'en'] as const
export const Locale = z.enum(locales)
export type Locale = z.infer<typeof Locale>

/** A text in both languages: a missing one does not compile. */
export type Text = Record<Locale, string>

/** The actions that need a fresh second factor (AUT-7). */
export const stepUpPurposes = [
  'pair-app',
  'pair-seal',
  'manage-seal-users',
  'timestamp-password',
  'add-passkey',
  'remove-passkey',
  'change-phone',
  'export-data',
] as const
export const StepUpPurpose = z.enum(stepUpPurposes)
export type StepUpPurpose = z.infer<typeof StepUpPurpose>

/** The purposes of one-time codes (R2). */
export type CodePurpose =
  | 'sign-in'
  | 'activate-seal'
  | 'sign-document'
  | 'sign-agreement'
  | 'confirm-phone'
  | 'phone-email'
  | 'phone-sms'
  | StepUpPurpose

/** Kinds of identifier in a certificate: ETSI EN 319 412-1 §5.1.3, and ECN, the provider's own number. */
export const IdentifierType = z.enum(['PNO', 'TIN', 'PAS', 'IDC', 'ECN'])
export type IdentifierType = z.infer<typeof IdentifierType>

/** For how long a certificate is issued, by the names of the provider's templates (SIG-7). */
export const Period = z.enum(['1_day', '30_days', '1_year', '2_years', '3_years'])
export type Period = z.infer<typeof Period>

/** Kinds of identity document: identity card (DO), passport (PA), residence card (KP), mDowód (MD). */
export const DocumentType = z.enum(['DO', 'PA', 'KP', 'MD'])
export type DocumentType = z.infer<typeof DocumentType>

/** `administrator` may add and remove users of a seal; both seal documents, each with their own login. */
export const SealUserRole = z.enum(['administrator', 'user'])
export type SealUserRole = z.infer<typeof SealUserRole>
