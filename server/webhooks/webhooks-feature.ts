import { sql } from 'kysely'
import { limits } from '../../contract/limits.ts'
import { removalFrom, removeExpired } from '../platform/database/remove-expired.ts'
import type { ServerFeature } from '../platform/portal.ts'
import { listEvents } from './provider-events.ts'
import {
  putWebhook,
  getWebhook,
  listWebhooks,
  removeWebhook,
  drawWebhookSecret,
  listDeadLetters,
  dropDeadLetters,
  replayDeadLetters,
} from './provider-webhooks.ts'
import { deliverToWebhook } from './webhooks.ts'

export const webhooksFeature: ServerFeature = {
  calls: [
    listEvents,
    putWebhook,
    getWebhook,
    listWebhooks,
    removeWebhook,
    drawWebhookSecret,
    listDeadLetters,
    dropDeadLetters,
    replayDeadLetters,
  ],
  deliver: { webhook: deliverToWebhook },
  tidy: ({ db }) =>
    removeExpired(db, [
      // From the beginning of the feed only, so that a reader has to start over only if it has missed an event (OPS-4).
      removalFrom(
        'events',
        sql`position < coalesce(
            (select position from events where at > portal_now() - make_interval(secs => ${limits.events.kept}) and position is not null order by position limit 1),
            (select last + 1 from event_feed))`,
        sql`position`,
      ),
      removalFrom('webhook_secrets', sql`ends_at < portal_now()`),
    ]),
}
