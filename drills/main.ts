import { runParts } from '../bench/figures.ts'
import { measureAttacks } from './attacks.ts'
import { measureChangedDocuments } from './changed-documents.ts'
import { measureCrashes } from './crashes.ts'
import { measureFailover } from './failover.ts'
import { measureFuzz } from './fuzz.ts'
import { measureRestore } from './restore.ts'
import { measureNodeKills, measureRollingRestarts } from './rolling-restarts.ts'

/** `npm run drills [-- names]`: faults and attacks at their full size, each with what may be lost at most. All of them take hours. */
await runParts({
  attacks: measureAttacks,
  fuzz: measureFuzz,
  'changed-documents': measureChangedDocuments,
  crashes: measureCrashes,
  rolling: measureRollingRestarts,
  'node-kills': measureNodeKills,
  restore: measureRestore,
  failover: measureFailover,
})
