import { indexUndelivered } from '../messages/failed-messages.ts'
import type { PortalJob } from '../portal.ts'

/** While nodes of a version without the keyed hashes run, it has something to do (DSK-10). Its index makes an empty run cheap. */
export const undeliveredIndexJob: PortalJob = {
  name: 'index-undelivered',
  everySeconds: 60,
  atStart: true,
  run: ({ db, keys }) => indexUndelivered(db, keys),
}
