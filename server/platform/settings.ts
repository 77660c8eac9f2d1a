import type { Feature } from '../../contract/features.ts'
import type { Brand } from '../../contract/page-config.ts'
import type { Period } from '../../contract/signatures-and-seals.ts'

/** The settings that the operator decides. */
export type Settings = {
  /** The origin of every link that leaves the portal, and of all requests that change something (R62, R66). */
  publicUrl: string
  /** The values of the Host header that are answered; any other gets 421. */
  hosts: readonly string[]
  brand: Brand
  /** The base address at which the browser finds the API (HTT-2). */
  apiBase: string
  /** The base address at which the browser finds the files with a hash in their name (HTT-2). */
  assets: string
  /** The addresses of the reverse proxies whose X-Forwarded-For is believed (R67). */
  trustedProxies: readonly string[]
  /** The seconds after which a session ends: without activity, and at the latest. */
  session: { idle: number; absolute: number }
  /** The numbers of SMS in 24 hours to one number, and for one network address, against SMS pumping. */
  sends: { perNumber: number; perAddress: number }
  /** Whether SMS are sent at all, to numbers of which countries, and how many in 24 hours to one range of them (R27). */
  sms: { sending: boolean; countries: readonly string[]; perRange: number }
  /** The seconds for which no reset link leaves after the provider has changed an e-mail address or a phone number (R116). */
  resetDelay: number
  /** Whether a customer's history shows that a member of the staff has read their whole data (DSK-27). */
  areDeskReadsShown: boolean
  /** Whether tasks are done at the desk (DSK-38). */
  hasDeskTasks: boolean
  /** The number of requests that one network address may send to one node in a second (R110). */
  requestsPerSecond: number
  /** The number of users that one seal can have at a time. */
  sealUsers: number
  /** The hosts to which webhooks may lead, as `host` or `host:port` (R81). */
  webhookHosts: readonly string[]
  /**
   * The renewal of archive timestamps: `renewalDays` before their end, and at once for those from before the day `renewStampedBefore` (R106).
   */
  archives: { renewalDays: number; renewStampedBefore: string | undefined }
  /** The contacts and the policy for reports of vulnerabilities (RFC 9116). */
  security: { contacts: readonly string[]; policy: string | undefined }
  /** The provider's codes of certificate templates, by the period of a renewal (REN-11). */
  renewalTemplates: Partial<Record<Period, string>>
  /** The features that are off: their calls are answered by 'unavailable', and pages say so (ERR-5). */
  featuresOff: readonly Feature[]
  /** Whether the API describes itself: the OpenAPI documents and the page of the provider API (API-3). */
  hasApiReference: boolean
  isDemonstration: boolean
  /** The built web part. */
  webDirectory: string
}
