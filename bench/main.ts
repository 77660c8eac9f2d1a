import { measureAttacks } from './attacks.ts'
import { measureAudit } from './audit.ts'
import { measureChangedDocuments } from './changed-documents.ts'
import { measureCrashes } from './crashes.ts'
import { measureImport } from './customer-import.ts'
import { measureDatabaseRestarts } from './database-restarts.ts'
import { measureConfirmations, measureKills } from './document-faults.ts'
import { print, printHead, type Figure } from './figures.ts'
import { measureFailover } from './failover.ts'
import { measureFuzz } from './fuzz.ts'
import { measureFlood } from './login-flood.ts'
import { measureMigrations } from './migrations-under-load.ts'
import { measurePages } from './pages.ts'
import { measureRenewalKills, measureRenewalModel } from './renewal-model.ts'
import { measureRestore } from './restore.ts'
import { measureNodeKills, measureRollingRestarts } from './rolling-restarts.ts'
import { measureSealUsers } from './seal-users.ts'
import { measureServer } from './server.ts'
import { measureSignedFiles } from './signed-files.ts'
import { measureStarts } from './starts.ts'
import { measureTimestamps } from './timestamps.ts'
import { measureTiming } from './timing.ts'
import { measureUploads } from './uploads.ts'

/**
 * `npm run bench [-- server|audit|timing|attacks|flood|pages|seal-users|timestamps|starts|signed|renewal|uploads|import …]`: every figure beside
 * its limit, measured in one run. `kills`, `confirmations`, `renewal-kills`, `fuzz`, `crashes`, `rolling`, `node-kills`,
 * `database-restarts`, `migrations`, `restore`, `failover` and `changed-documents` run only when they are named.
 */
const parts: Record<string, () => Promise<Figure[]>> = {
  server: measureServer,
  audit: measureAudit,
  timing: measureTiming,
  attacks: measureAttacks,
  flood: measureFlood,
  pages: measurePages,
  'seal-users': measureSealUsers,
  timestamps: measureTimestamps,
  starts: measureStarts,
  signed: measureSignedFiles,
  renewal: measureRenewalModel,
  uploads: measureUploads,
  import: measureImport,
}
/** Faults at their full size, half an hour of them: only when they are named. */
const long: Record<string, () => Promise<Figure[]>> = {
  kills: measureKills,
  confirmations: measureConfirmations,
  'renewal-kills': measureRenewalKills,
  fuzz: measureFuzz,
  crashes: measureCrashes,
  rolling: measureRollingRestarts,
  'node-kills': measureNodeKills,
  'database-restarts': measureDatabaseRestarts,
  migrations: measureMigrations,
  restore: measureRestore,
  failover: measureFailover,
  'changed-documents': measureChangedDocuments,
}

const wanted = process.argv.slice(2)
const unknown = wanted.find((name) => !(name in parts || name in long))
if (unknown) {
  process.stderr.write(`There is no part ${unknown}; there are ${Object.keys({ ...parts, ...long }).join(', ')}.\n`)
  process.exit(2)
}
printHead()
let good = true
for (const [name, measure] of Object.entries({ ...parts, ...long })) {
  if (wanted.length ? !wanted.includes(name) : name in long) continue
  for (const figure of await measure()) good = print(figure) && good
}
process.stdout.write(
  good ? '\nEvery figure is within its limit.\n' : '\nThe figures marked with ! are beyond their limits.\n',
)
process.exitCode = good ? 0 : 1
