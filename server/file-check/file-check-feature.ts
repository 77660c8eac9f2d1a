import type { ServerFeature } from '../platform/portal.ts'
import { listTrustedAuthorities, readRevocationData } from './file-check.ts'

export const fileCheckFeature: ServerFeature = { calls: [listTrustedAuthorities, readRevocationData] }
