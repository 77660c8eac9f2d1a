import type { Text } from '../../contract/enums.ts'
import * as calls from '../../contract/provider/provider-status-requests.ts'
import { handler, type Call } from '../platform/http/http.ts'
import type { Portal } from '../platform/portal.ts'
import { decide } from './status-decisions.ts'
import { findForProvider, listForProvider, type ProviderStatusRequestRow } from './status-request-store.ts'

type ReportCall = Pick<Call<typeof calls.reportStatusChanged>, 'params' | 'transaction' | 'fail' | 'found' | 'isAbout'>

// The provider's calls for requests of another status. A repeated report takes effect once, and one for a decided request not at all (R178).

export const listProviderStatusRequests = handler(
  calls.listProviderStatusRequests,
  async ({ query: { state, cursor }, pageById }, { db }) => {
    const { rows, next } = await pageById({ list: `status requests ${state ?? 'all'}`, cursor }, (at) =>
      listForProvider(db, { state, ...at }),
    )
    return { items: rows.map(stateOf), next }
  },
)

export const getProviderStatusRequest = handler(
  calls.getProviderStatusRequest,
  async ({ params, found, isAbout }, { db }) => {
    const row = found(await findForProvider(db, params.request))
    isAbout(row.owner)
    return stateOf(row)
  },
)

async function report(
  portal: Portal,
  { params, transaction, fail, found, isAbout }: ReportCall,
  state: 'done' | 'refused',
  note: Text | null = null,
) {
  await transaction((tx, audit) => decide(tx, portal, params.request, { state, note }, audit))
  const row = found(await findForProvider(portal.db, params.request))
  isAbout(row.owner)
  if (row.state !== state) throw fail('state-passed', { current: row.state })
  return stateOf(row)
}

export const reportStatusChanged = handler(calls.reportStatusChanged, (call, portal) => report(portal, call, 'done'))
export const refuseStatusRequest = handler(calls.refuseStatusRequest, (call, portal) =>
  report(portal, call, 'refused', call.body.note),
)

const stateOf = ({ id, owner: _, ...row }: ProviderStatusRequestRow) => ({ request: id, ...row })
