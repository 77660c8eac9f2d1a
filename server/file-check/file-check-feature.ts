import type { ServerFeature } from '../platform/portal.ts'
import { serveFileCheck } from './file-check.ts'

export const fileCheckFeature: ServerFeature = { serve: [serveFileCheck] }
