import type { ServerFeature } from '../platform/portal.ts'
import { serveProviderSoftware } from './provider-software.ts'
import { serveSoftware } from './software-list.ts'

export const softwareFeature: ServerFeature = { serve: [serveSoftware, serveProviderSoftware] }
