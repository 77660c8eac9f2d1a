import * as calls from '../../contract/consents.ts'
import { changeConsent, currentReports, currentWordings, keepWordings, latestConsents } from './consent-store.ts'
import { handler } from '../platform/http/http.ts'

// REG-5: the customer's consents, and the only one that they can change.

export const readConsents = handler(calls.readConsents, async ({ session }, { db }) => ({
  items: (await latestConsents(db, session.accountId)).map(({ kind, given, at, wording }) => ({
    kind,
    given,
    at,
    wording,
  })),
  reported: await currentReports(db, session.accountId),
}))

export const changeMarketingConsent = handler(
  calls.changeMarketingConsent,
  async ({ body, session, fail, transaction }, { settings }) => {
    const { accountId } = session
    const wording = currentWordings(settings.brand, body.locale).find(({ kind }) => kind === 'marketing')
    if (wording?.sha256 !== body.wording) throw fail('wording-changed')
    await transaction(async (tx, audit) => {
      await keepWordings(tx, [wording])
      if (!(await changeConsent(tx, accountId, wording, body.given))) return
      const { kind, version, sha256 } = wording
      await audit(body.given ? 'consent-given' : 'consent-withdrawn', { kind, version, wording: sha256 })
    })
  },
)
