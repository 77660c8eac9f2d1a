/** A digest of bytes that arrive in parts. */
export type RunningDigest = {
  update: (bytes: Uint8Array) => RunningDigest
  copy: () => RunningDigest
  digest: () => Uint8Array<ArrayBuffer>
}
