import type { ServerFeature } from '../platform/portal.ts'
import { importCustomers } from './customer-import.ts'
import {
  putCustomer,
  getCustomer,
  getMaskedCustomer,
  searchCustomers,
  listCustomers,
  searchMaskedCustomers,
  inviteCustomer,
  unblockCustomer,
  blockCustomer,
  eraseCustomer,
} from './customers.ts'
import { endRetention } from './erasure.ts'

export const customersFeature: ServerFeature = {
  calls: [
    putCustomer,
    getCustomer,
    getMaskedCustomer,
    searchCustomers,
    listCustomers,
    searchMaskedCustomers,
    inviteCustomer,
    unblockCustomer,
    blockCustomer,
    eraseCustomer,
    importCustomers,
  ],
  tidy: endRetention,
}
