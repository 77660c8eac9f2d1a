import type { FastifyInstance } from 'fastify'
import { changeMarketingConsent, readConsents } from '../../contract/consents.ts'
import { record } from '../audit.ts'
import { changeConsent, consentsOf, currentWordings, keepWordings } from '../consents.ts'
import { serve } from '../http.ts'
import type { Portal } from '../portal.ts'

/** REG-5: what the customer has consented to, and the one consent that is theirs to change. */
export function serveConsents(app: FastifyInstance, portal: Portal): void {
  const { db, settings } = portal

  serve(app, portal, readConsents, async ({ session }) => ({ items: await consentsOf(db, session.accountId) }))

  serve(app, portal, changeMarketingConsent, async ({ body, session, address, fail }) => {
    const { accountId } = session
    const wording = currentWordings(settings.brand, body.locale).find(({ kind }) => kind === 'marketing')!
    if (wording.sha256 !== body.wording) throw fail('wording-changed')
    await db.transaction().execute(async (tx) => {
      await keepWordings(tx, [wording])
      if (!(await changeConsent(tx, accountId, wording, body.given))) return
      await record(tx, {
        act: body.given ? 'consent-given' : 'consent-withdrawn',
        accountId,
        actor: 'customer',
        address,
        details: { kind: wording.kind, version: wording.version, wording: wording.sha256 },
      })
    })
  })
}
