export type ChangeKind =
  /** A new signature field, signed or not, with its widget; or an existing field that was signed. */
  | 'signature'
  /** The look of a later signature, where it covers page content: allowed, but the page shows something else. */
  | 'covering'
  /** Certificates, OCSP responses and revocation lists in the document security store (DSS). */
  | 'validation-data'
  /** Titles, dates and extensions, which no page shows. */
  | 'metadata'
  /** Additions to the structure tree, for the new fields. */
  | 'structure'
  /** A form that somebody has filled in; whether that was permitted depends on the signature. */
  | 'filling'
  /** All kinds from here on change what is shown, or may do so. */
  | 'page'
  | 'annotation'
  | 'form'
  | 'catalog'
  | 'trailer'
  | 'object'
  | 'removed'
  /** An object that something referred to before it was added: prepared before signing, shown afterwards. */
  | 'revealed'
  /** Bytes that belong to no object or to two. */
  | 'unaccounted'
  /** Neither a signature nor validation data were added. */
  | 'purposeless'

/** A change by later revisions; `object` is the object's number, `detail` is for logs and experts. */
export type Change = { kind: ChangeKind; allowed: boolean; object?: number; detail: string }
