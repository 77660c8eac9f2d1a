import {
  CertificatePolicies,
  id_ce_certificatePolicies,
  id_ce_certificatePolicies_anyPolicy,
  id_ce_inhibitAnyPolicy,
  id_ce_policyConstraints,
  InhibitAnyPolicy,
  PolicyConstraints,
} from '@peculiar/asn1-x509'
import { readDer } from './der.ts'
import type { PathCertificate } from './path-certificate.ts'
import { sameBytes } from '../bytes.ts'

/**
 * Whether a path, from the signer to the anchor, has the certificate policies that its authorities require (RFC 5280
 * §6.1 with any-policy as the initial set). Policy mappings are not supported, so a path that needs one fails. Throws
 * DerError for an extension that cannot be read.
 */
export function hasRequiredPolicies(path: PathCertificate[]): boolean {
  const descending = path.slice(0, -1).toReversed()
  let valid: Policies = 'any'
  let [untilExplicit, untilNoAny] = [Infinity, Infinity]
  for (const [index, certificate] of descending.entries()) {
    const isLast = index === descending.length - 1
    const isSelfIssued = sameBytes(certificate.subject, certificate.issuer)
    const mayBeAny = untilNoAny > 0 || (!isLast && isSelfIssued)
    valid = intersection(valid, policiesOf(certificate), mayBeAny)
    if (untilExplicit === 0 && isEmpty(valid)) return false
    if (!isSelfIssued || isLast) {
      untilExplicit = Math.max(0, untilExplicit - 1)
      untilNoAny = Math.max(0, untilNoAny - 1)
    }
    const { requireExplicit, inhibitAny } = constraintsOf(certificate)
    // §6.1.5 (b): in the last certificate only a requirement of 0 counts.
    if (!isLast || requireExplicit === 0) untilExplicit = Math.min(untilExplicit, requireExplicit)
    untilNoAny = Math.min(untilNoAny, inhibitAny)
  }
  return untilExplicit > 0 || !isEmpty(valid)
}

type Policies = 'any' | ReadonlySet<string>

const isEmpty = (policies: Policies) => policies !== 'any' && policies.size === 0

function intersection(valid: Policies, stated: ReadonlySet<string>, mayBeAny: boolean): Policies {
  if (mayBeAny && stated.has(id_ce_certificatePolicies_anyPolicy)) return valid
  const named = [...stated].filter((policy) => policy !== id_ce_certificatePolicies_anyPolicy)
  return new Set(valid === 'any' ? named : named.filter((policy) => valid.has(policy)))
}

function policiesOf({ extensions }: PathCertificate): ReadonlySet<string> {
  const value = extensions.get(id_ce_certificatePolicies)
  return new Set(value && [...readDer(value, CertificatePolicies)].map(({ policyIdentifier }) => policyIdentifier))
}

function constraintsOf({ extensions }: PathCertificate) {
  const constraints = extensions.get(id_ce_policyConstraints)
  const inhibition = extensions.get(id_ce_inhibitAnyPolicy)
  return {
    requireExplicit: countOf(constraints && readDer(constraints, PolicyConstraints).requireExplicitPolicy),
    inhibitAny: countOf(inhibition && readDer(inhibition, InhibitAnyPolicy).value),
  }
}

/** A number of certificates; paths are shorter than a number that does not fit into a byte. */
function countOf(integer: ArrayBuffer | undefined): number {
  const [byte, second] = integer ? new Uint8Array(integer) : []
  return byte !== undefined && second === undefined ? byte : Infinity
}
