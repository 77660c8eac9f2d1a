import type { FastifyInstance } from 'fastify'
import { listSoftware } from '../../contract/software.ts'
import { serve } from '../platform/http/http.ts'
import type { Portal } from '../platform/portal.ts'
import { listReleases } from './software-store.ts'

export function serveSoftware(app: FastifyInstance, portal: Portal): void {
  serve(app, portal, listSoftware, async () => ({ items: await listReleases(portal.db) }))
}
