import type { ServerFeature } from '../platform/portal.ts'
import { fetchLists } from './fetch-lists.ts'

export const trustedListsFeature: ServerFeature = {
  calls: [],
  jobs: [{ name: 'trusted-lists', everySeconds: 600, atStart: true, run: fetchLists }],
}
