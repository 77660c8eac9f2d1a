/**
 * Returns the header for a file name (RFC 6266): an ASCII name for old clients, and the real one by RFC 8187. Names are ours, but are
 * quoted all the same (R49).
 */
export function contentDisposition(name: string): string {
  const clean = name.toWellFormed().replace(/[\p{Cc}\p{Cf}/\\]/gu, '')
  const ascii = clean.normalize('NFKD').replace(/[^\w .()-]/g, '') || 'file'
  const extended = encodeURIComponent(clean).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
  return `attachment; filename="${ascii}"; filename*=UTF-8''${extended}`
}
