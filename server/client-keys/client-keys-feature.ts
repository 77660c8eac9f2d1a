import type { ServerFeature } from '../platform/portal.ts'
import { serveClientKey } from './client-key.ts'

export const clientKeysFeature: ServerFeature = {
  serve: [serveClientKey],
}
