import * as z from 'zod/mini'
import { component } from './documented.ts'

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
