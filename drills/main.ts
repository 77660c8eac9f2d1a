import { runParts } from '../bench/figures.ts'
import { measureAttacks } from './attacks.ts'
import { measureChangedDocuments } from './changed-documents.ts'
import { measureCrashes } from './crashes.ts'
import { measureDatabaseRestarts } from './database-restarts.ts'
import { measureConfirmations, measureKills } from './document-faults.ts'
import { measureFailover } from './failover.ts'
import { measureFuzz } from './fuzz.ts'
import { measureRenewalKills } from './renewal-kills.ts'
import { measureRenewalModel } from './renewal-model.ts'
import { measureRestore } from './restore.ts'
import { measureNodeKills, measureRollingRestarts } from './rolling-restarts.ts'

/** `npm run drills [-- names]`: faults and attacks at their full size, each with what may be lost at most. All of them take hours. */
await runParts({
  attacks: measureAttacks,
  fuzz: measureFuzz,
  renewal: measureRenewalModel,
  'changed-documents': measureChangedDocuments,
  confirmations: measureConfirmations,
  kills: measureKills,
  'renewal-kills': measureRenewalKills,
  crashes: measureCrashes,
  rolling: measureRollingRestarts,
  'node-kills': measureNodeKills,
  'database-restarts': measureDatabaseRestarts,
  restore: measureRestore,
  failover: measureFailover,
})
