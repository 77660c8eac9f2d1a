import { Code } from '../ui/verbatim.tsx'

/** An address that breaks before and after its host, and not within it or before its port. */
export function ServerAddress({ url }: { url: string }) {
  const host = url.indexOf('//') + 2
  const path = url.indexOf('/', host)
  const end = path < 0 ? url.length : path
  return (
    <Code className="wrap">
      {url.slice(0, host)}
      <span className="tsa__host">{url.slice(host, end)}</span>
      <wbr />
      {url.slice(end)}
    </Code>
  )
}
