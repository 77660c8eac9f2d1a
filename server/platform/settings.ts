import type { Feature } from '../../contract/features.ts'
import type { Brand } from '../../contract/page-config.ts'
import type { Period } from '../../contract/signatures-and-seals.ts'

/** Settings that the operator decides. Read from the environment by `main.ts` alone. */
export type Settings = {
  /** Origin of every link that leaves the portal, and the one that writes must come from (R62, R66). */
  publicUrl: string
  /** Host headers that are answered; anything else is 421. */
  hosts: readonly string[]
  brand: Brand
  /** Base addresses at which the browser finds the API and the hashed files (HTT-2). */
  apiBase: string
  assets: string
  /** Addresses of the reverse proxies whose X-Forwarded-For is believed (R67). */
  trustedProxies: readonly string[]
  /** Seconds. */
  session: { idle: number; absolute: number }
  /** SMS in 24 hours to one number, and for one network address (SMS pumping). */
  sends: { perNumber: number; perAddress: number }
  /** Whether SMS are sent at all, to numbers of which countries, and how many in 24 hours to one range of them (R27). */
  sms: { sending: boolean; countries: readonly string[]; perRange: number }
  /** Seconds for which no reset link leaves after the provider has changed an e-mail address or a phone number (R116). */
  resetDelay: number
  /** Whether a customer's history shows that a member of the staff has read their whole data (DSK-27). */
  areDeskReadsShown: boolean
  /** Whether tasks are done at the desk (DSK-38). */
  hasDeskTasks: boolean
  /** Requests of one network address to one node (R110). */
  requestsPerSecond: number
  /** Users that one seal can have at a time. */
  sealUsers: number
  /** Hosts to which webhooks may lead, as `host` or `host:port` (R81). */
  webhookHosts: readonly string[]
  /**
   * Renewal of archive timestamps: `renewalDays` before their end, and at once for those from before the day `renewStampedBefore` (R106).
   */
  archives: { renewalDays: number; renewStampedBefore: string | undefined }
  /** Contacts and policy for reports of vulnerabilities (RFC 9116). */
  security: { contacts: readonly string[]; policy: string | undefined }
  /** The provider's codes of certificate templates, by the period of a renewal (REN-11). */
  renewalTemplates: Partial<Record<Period, string>>
  /** Answered by 'unavailable', and shown so (ERR-5). */
  featuresOff: readonly Feature[]
  /** Whether the API describes itself: the OpenAPI documents and the page of the provider API (API-3). */
  hasApiReference: boolean
  isDemonstration: boolean
  /** The built web part. */
  webDirectory: string
}
