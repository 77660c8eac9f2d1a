import { measureArrival } from './arrival.ts'
import { measureAudit } from './audit.ts'
import { measureMonths } from './audit-months.ts'
import { measureImport } from './customer-import.ts'
import { runParts } from './figures.ts'
import { measureFilesInBrowser } from './files-in-browser.ts'
import { measureFlood } from './login-flood.ts'
import { measurePages } from './pages.ts'
import { measureScale } from './scale.ts'
import { measureSealUsers } from './seal-users.ts'
import { measureServer } from './server.ts'
import { measureSignedInPages } from './signed-in-pages.ts'
import { measureSignedFiles } from './signed-files.ts'
import { measureStarts } from './starts.ts'
import { measureTimestamps } from './timestamps.ts'
import { measureTiming } from './timing.ts'
import { measureUploads } from './uploads.ts'

/** `npm run bench [-- names]`: every performance figure with its limit, measured in one run. */
await runParts({
  server: measureServer,
  audit: measureAudit,
  'audit-months': measureMonths,
  timing: measureTiming,
  flood: measureFlood,
  pages: measurePages,
  scale: measureScale,
  'signed-in-pages': measureSignedInPages,
  arrival: measureArrival,
  'seal-users': measureSealUsers,
  timestamps: measureTimestamps,
  starts: measureStarts,
  signed: measureSignedFiles,
  'files-in-browser': measureFilesInBrowser,
  uploads: measureUploads,
  import: measureImport,
})
