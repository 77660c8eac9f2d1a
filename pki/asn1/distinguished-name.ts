import { AttributeTypeAndValue, AttributeValue, Name, RelativeDistinguishedName } from '@peculiar/asn1-x509'

/** One attribute of a distinguished name, e.g. `{ name: 'CN', value: 'Anna Nowak' }`. */
export type NameAttribute = { name: string; value: string }

/** Attribute types by their usual names: RFC 4514 §3, RFC 4519, X.520 and ETSI EN 319 412-1. */
const attributeTypes = {
  C: '2.5.4.6',
  ST: '2.5.4.8',
  L: '2.5.4.7',
  street: '2.5.4.9',
  postalCode: '2.5.4.17',
  O: '2.5.4.10',
  organizationIdentifier: '2.5.4.97',
  OU: '2.5.4.11',
  title: '2.5.4.12',
  SN: '2.5.4.4',
  GN: '2.5.4.42',
  initials: '2.5.4.43',
  pseudonym: '2.5.4.65',
  serialNumber: '2.5.4.5',
  CN: '2.5.4.3',
  UID: '0.9.2342.19200300.100.1.1',
  DC: '0.9.2342.19200300.100.1.25',
  E: '1.2.840.113549.1.9.1',
} as const

export type AttributeName = keyof typeof attributeTypes

const namesByType = new Map<string, string>(Object.entries(attributeTypes).map(([name, type]) => [type, name]))

/** The attributes in the order of the certificate; an unknown type keeps its dotted number. */
export function readName(name: Name): NameAttribute[] {
  return [...name]
    .flatMap((relative) => [...relative])
    .map(({ type, value }) => ({ name: namesByType.get(type) ?? type, value: value.toString() }))
}

/** PrintableString according to X.520; every other attribute is UTF8String, as RFC 5280 §4.1.2.4 requires. */
const printable: ReadonlySet<string> = new Set(['C', 'serialNumber'])

/** A name with one attribute per relative distinguished name, in the given order. */
export function writeName(attributes: { name: AttributeName; value: string }[]) {
  const relativeNames = attributes.map(({ name, value }) => {
    const text = printable.has(name) ? { printableString: value } : { utf8String: value }
    return new RelativeDistinguishedName([
      new AttributeTypeAndValue({ type: attributeTypes[name], value: new AttributeValue(text) }),
    ])
  })
  return new Name(relativeNames)
}
