import { dayMs } from '../../contract/rules/warsaw-time.ts'
import { readCertificate } from '../../pki/asn1/certificate.ts'
import { signList } from '../../pki/trusted-lists/list-signature.ts'
import { writeTrustedList, type TrustedListDraft } from '../../pki/trusted-lists/trusted-list-write.ts'
import type { CertificateHolder } from './authority-keys.ts'
import { organisation } from './certificate-profiles.ts'

const minuteMs = 60 * 1000
/** The longest time between two lists (ETSI TS 119 612 §5.3.15 allows six months). */
const lifeMs = 30 * dayMs

export type TrustedLists = ReturnType<typeof publishTrustedLists>

/** Publishes the lists of the demonstration: a list of lists that names one national list, with the authority and its timestamps. */
export function publishTrustedLists({
  operator,
  issuing,
  timestamping,
  baseUrl,
  now,
}: {
  operator: CertificateHolder
  /** Certificates in DER. */
  issuing: Uint8Array
  timestamping: Uint8Array
  baseUrl: string
  now: () => Date
}) {
  let published: { at: Date; lotl: string; pl: string } | undefined
  const grantedSince = (certificate: Uint8Array) => readCertificate(certificate).notBefore

  function publish(at: Date) {
    const common = {
      // Higher in every new list, also after the folder was made anew.
      sequenceNumber: at.getTime() / minuteMs,
      issuedAt: at,
      nextUpdate: new Date(at.getTime() + lifeMs),
      operator: `${organisation.name} (not a supervisory body)`,
      informationUrl: baseUrl,
      provider: organisation.name,
    }
    const national: TrustedListDraft = {
      ...common,
      type: 'national',
      territory: organisation.country,
      pointers: [],
      services: [
        {
          type: 'certificates',
          name: 'Sygnet TEST Qualified CA',
          certificate: issuing,
          statuses: [{ status: 'granted', from: grantedSince(issuing), purposes: ['signatures', 'seals'] }],
        },
        {
          type: 'timestamps',
          name: 'Sygnet TEST Timestamps',
          certificate: timestamping,
          statuses: [{ status: 'granted', from: grantedSince(timestamping) }],
        },
      ],
    }
    const lists: TrustedListDraft = {
      ...common,
      type: 'listOfLists',
      territory: 'EU',
      pointers: [
        {
          territory: organisation.country,
          url: `${baseUrl}/trusted-lists/pl.xml`,
          certificates: [operator.certificate],
        },
      ],
      services: [],
    }
    const signed = (list: TrustedListDraft) => signList(writeTrustedList(list), { ...operator, at })
    return { at, lotl: signed(lists), pl: signed(national) }
  }

  return {
    /** DER; signs both lists. */
    operator: operator.certificate,
    /** Returns a list in XML, signed again each day. */
    read(name: 'lotl' | 'pl'): string {
      const at = new Date(Math.floor(now().getTime() / minuteMs) * minuteMs)
      if (!published || Math.abs(at.getTime() - published.at.getTime()) >= dayMs) published = publish(at)
      return published[name]
    },
  }
}
