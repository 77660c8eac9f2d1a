import { KeyUsageFlags } from '@peculiar/asn1-x509'
import { signList } from '../trusted-lists/list-signature.ts'
import { writeTrustedList, type ServiceDraft, type TrustedListDraft } from '../trusted-lists/trusted-list-write.ts'
import { cn, holder, issuing, usage, type Holder, type HolderOrder } from './pades-authorities.ts'

/** Creates a certificate and key that may sign lists. */
export const listSigner = (order: Partial<HolderOrder> = {}) =>
  holder({ name: cn('Scheme operator'), extensions: [usage(KeyUsageFlags.digitalSignature)], ...order })
export const operator = listSigner()
export const stranger = listSigner()

const day = 86_400_000
export const daysBefore = (time: Date, days: number) => new Date(time.getTime() - days * day)

/** Returns the authority of pades-authorities.ts as a qualified service. */
export const issuingService = (granted: Date): ServiceDraft => ({
  type: 'certificates',
  name: 'Qualified certificates',
  certificate: issuing.certificate,
  statuses: [{ status: 'granted', from: granted, purposes: ['signatures', 'seals'] }],
})

/** Returns a national list issued a day ago with one service, which was granted a hundred days ago. */
export const listDraft = (now: Date, changes: Partial<TrustedListDraft> = {}): TrustedListDraft => ({
  type: 'national',
  territory: 'PL',
  sequenceNumber: 7,
  issuedAt: daysBefore(now, 1),
  nextUpdate: daysBefore(now, -30),
  operator: 'Operator & Sons <test>',
  informationUrl: 'https://lists.example/about',
  pointers: [],
  provider: 'Provider',
  services: [issuingService(daysBefore(now, 100))],
  ...changes,
})

export const signedList = (draft: TrustedListDraft | string, { certificate, privateKey }: Holder = operator) =>
  signList(typeof draft === 'string' ? draft : writeTrustedList(draft), { certificate, privateKey, at: new Date() })
