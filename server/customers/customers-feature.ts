import { indexPersonalData } from '../personal-data/personal-data-store.ts'
import type { Portal, ServerFeature } from '../platform/portal.ts'
import { serveCustomerImport } from './customer-import.ts'
import { indexPhones } from './customer-store.ts'
import { serveProviderCustomers } from './customers.ts'
import { endRetention } from './erasure.ts'

/** Rows of the previous version have no index, so the provider could not find them (PRV-4). */
async function indexCustomers({ db, keys }: Portal) {
  for (const index of [indexPhones, indexPersonalData]) while (await index(db, keys)) continue
}

export const customersFeature: ServerFeature = {
  serve: [serveProviderCustomers, serveCustomerImport],
  tidy: endRetention,
  jobs: [{ name: 'index-customers', everySeconds: 3600, atStart: true, run: indexCustomers }],
}
