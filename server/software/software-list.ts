import type { FastifyInstance } from 'fastify'
import { listSoftware } from '../../contract/software.ts'
import { serve } from '../http.ts'
import type { Portal } from '../portal.ts'
import { listReleases } from './software-queries.ts'

export function serveSoftware(app: FastifyInstance, portal: Portal): void {
  serve(app, portal, listSoftware, async () => ({ items: await listReleases(portal.db) }))
}
