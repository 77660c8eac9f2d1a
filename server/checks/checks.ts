import type { Configuration } from '../platform/configuration/configuration.ts'
import type { Check } from './check.ts'
import { databaseChecks } from './database-checks.ts'
import { deskCheck } from './desk-check.ts'
import { documentCheck } from './document-check.ts'
import { listenerCheck } from './listener-check.ts'
import { messageChecks, type Recipients } from './message-checks.ts'
import { signingChecks } from './signing-checks.ts'
import { untestedChecks } from './untested-checks.ts'

/** The checks of what is configured, in their order. They run one after another, so that each cause belongs to its check. */
export const checksOf = (configuration: Configuration, recipients: Recipients): Check[] => [
  listenerCheck(configuration),
  ...databaseChecks(configuration),
  ...messageChecks(configuration, recipients),
  documentCheck(configuration),
  ...signingChecks(configuration),
  ...deskCheck(configuration),
  ...untestedChecks(configuration),
]
