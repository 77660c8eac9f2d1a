import type { ServerFeature } from '../platform/portal.ts'
import { serveCustomerImport } from './customer-import.ts'
import { serveProviderCustomers } from './customers.ts'
import { endRetention } from './erasure.ts'

export const customersFeature: ServerFeature = {
  serve: [serveProviderCustomers, serveCustomerImport],
  tidy: endRetention,
}
