import { raiseAlarm, type AlarmContext } from '../audit/alarms.ts'
import { ApiError } from '../api-error.ts'

/** Alarms the operator (R50). A retry after an hour can succeed, because unconfirmed files are removed until then. */
export function storageFull(portal: AlarmContext): ApiError {
  raiseAlarm(portal, { name: 'storage-full', about: 'documents' })
  return new ApiError('storage-full', { retryAfter: 3600 })
}
