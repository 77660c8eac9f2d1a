import type { FastifyInstance } from 'fastify'
import { changeMarketingConsent, readConsents } from '../../contract/consents.ts'
import { changeConsent, currentReports, currentWordings, keepWordings, latestConsents } from './consent-store.ts'
import { serve } from '../platform/http/http.ts'
import type { Portal } from '../platform/portal.ts'

/** REG-5: the customer's consents, and the only one that they can change. */
export function serveConsents(app: FastifyInstance, portal: Portal): void {
  const { db, settings } = portal

  serve(app, portal, readConsents, async ({ session }) => ({
    items: (await latestConsents(db, session.accountId)).map(({ kind, given, at, wording }) => ({
      kind,
      given,
      at: at.toISOString(),
      wording,
    })),
    reported: (await currentReports(db, session.accountId)).map(({ at, ...report }) => ({
      ...report,
      at: at.toISOString(),
    })),
  }))

  serve(app, portal, changeMarketingConsent, async ({ body, session, fail, transaction }) => {
    const { accountId } = session
    const wording = currentWordings(settings.brand, body.locale).find(({ kind }) => kind === 'marketing')
    if (wording?.sha256 !== body.wording) throw fail('wording-changed')
    await transaction(async (tx, audit) => {
      await keepWordings(tx, [wording])
      if (!(await changeConsent(tx, accountId, wording, body.given))) return
      await audit(body.given ? 'consent-given' : 'consent-withdrawn', {
        kind: wording.kind,
        version: wording.version,
        wording: wording.sha256,
      })
    })
  })
}
