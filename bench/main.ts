import { measureAudit } from './audit.ts'
import { runParts } from './figures.ts'
import { measureFlood } from './login-flood.ts'
import { measurePages, measureSignedInPages } from './pages.ts'
import { measureScale } from './scale.ts'
import { measureServer } from './server.ts'
import { measureSignedFiles } from './signed-files.ts'
import { measureTimestamps } from './timestamps.ts'
import { measureTiming } from './timing.ts'
import { measureUploads } from './uploads.ts'

/** `npm run bench [-- names]`: every performance figure with its limit, measured in one run. */
await runParts({
  server: measureServer,
  audit: measureAudit,
  timing: measureTiming,
  flood: measureFlood,
  pages: measurePages,
  scale: measureScale,
  'signed-in-pages': measureSignedInPages,
  timestamps: measureTimestamps,
  signed: measureSignedFiles,
  uploads: measureUploads,
})
