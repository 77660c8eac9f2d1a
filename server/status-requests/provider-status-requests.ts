import type { FastifyInstance } from 'fastify'
import type { Text } from '../../contract/enums.ts'
import {
  getProviderStatusRequest,
  listProviderStatusRequests,
  refuseStatusRequest,
  reportStatusChanged,
} from '../../contract/provider/provider-status-requests.ts'
import { serve, type Call } from '../platform/http/http.ts'
import type { Portal } from '../platform/portal.ts'
import { decide } from './status-decisions.ts'
import { findForProvider, listForProvider, type ProviderStatusRequestRow } from './status-request-store.ts'

type ReportCall = Pick<Call<typeof reportStatusChanged>, 'params' | 'transaction' | 'fail' | 'found' | 'isAbout'>

/** The provider's calls for requests of another status. A repeated report takes effect once, and one for a decided request not at all (R178). */
export function serveProviderStatusRequests(app: FastifyInstance, portal: Portal): void {
  const { db } = portal

  serve(app, portal, listProviderStatusRequests, async ({ query: { state, cursor }, pageById }) => {
    const { rows, next } = await pageById({ list: `status requests ${state ?? 'all'}`, cursor }, (at) =>
      listForProvider(db, { state, ...at }),
    )
    return { items: rows.map(stateOf), next }
  })

  serve(app, portal, getProviderStatusRequest, async ({ params, found, isAbout }) => {
    const row = found(await findForProvider(db, params.request))
    isAbout(row.owner)
    return stateOf(row)
  })

  async function report(
    { params, transaction, fail, found, isAbout }: ReportCall,
    state: 'done' | 'refused',
    note: Text | null = null,
  ) {
    await transaction((tx, audit) => decide(tx, portal, params.request, { state, note }, audit))
    const row = found(await findForProvider(db, params.request))
    isAbout(row.owner)
    if (row.state !== state) throw fail('state-passed', { current: row.state })
    return stateOf(row)
  }

  serve(app, portal, reportStatusChanged, (call) => report(call, 'done'))
  serve(app, portal, refuseStatusRequest, (call) => report(call, 'refused', call.body.note))
}

const stateOf = ({ id, owner: _, ...row }: ProviderStatusRequestRow) => ({ request: id, ...row })
