import * as z from 'zod/mini'
import { component } from './documented.ts'

export const locales = ['pl', 'en'] as const
export const Locale = component('Locale', 'A language: Polish or English.', z.enum(locales))
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
  'suspend',
  'resume',
  'revoke',
] as const
export const StepUpPurpose = component(
  'StepUpPurpose',
  'The action that a fresh second factor confirms.',
  z.enum(stepUpPurposes),
)
export type StepUpPurpose = z.infer<typeof StepUpPurpose>

/** The purposes of one-time codes (R2). */
export type CodePurpose =
  | 'sign-in'
  | 'activate-seal'
  | 'sign-document'
  | 'sign-agreement'
  | 'sign-files'
  | 'confirm-phone'
  | 'phone-email'
  | 'phone-sms'
  | StepUpPurpose

/** Kinds of identifier in a certificate: ETSI EN 319 412-1 §5.1.3, and ECN, the provider's own number. */
export const IdentifierType = component(
  'IdentifierType',
  'The kind of an identifier in a certificate (ETSI EN 319 412-1 §5.1.3): `PNO` personal number, `TIN` tax number, `PAS` passport, `IDC` identity card; `ECN` is the provider’s own number.',
  z.enum(['PNO', 'TIN', 'PAS', 'IDC', 'ECN']),
)
export type IdentifierType = z.infer<typeof IdentifierType>

/** Period for which a certificate is issued, by the names of the provider's templates (SIG-7). */
export const Period = component(
  'Period',
  'For how long the certificate is issued.',
  z.enum(['1_day', '30_days', '1_year', '2_year', '3_year']),
)
export type Period = z.infer<typeof Period>

export const DocumentType = component(
  'DocumentType',
  'The kind of an identity document: `DO` identity card, `PA` passport, `KP` residence card, `MD` mDowód.',
  z.enum(['DO', 'PA', 'KP', 'MD']),
)
export type DocumentType = z.infer<typeof DocumentType>

export const SealUserRole = component(
  'SealUserRole',
  '`admin` may add and remove users of the seal. Both roles seal documents, each with their own login.',
  z.enum(['admin', 'user']),
)
export type SealUserRole = z.infer<typeof SealUserRole>

/** Returns the keys of an object whose type names all of them. */
export const keysOf = <T extends object>(object: T) => Object.keys(object) as (keyof T & string)[]
