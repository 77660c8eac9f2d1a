import { Code } from '../ui/verbatim.tsx'

/** An address that breaks before its path, and not within the host and its port. */
export function ServerAddress({ url }: { url: string }) {
  const path = url.indexOf('/', url.indexOf('//') + 2)
  const origin = path < 0 ? url : url.slice(0, path)
  return (
    <Code className="wrap">
      <span className="tsa__origin">{origin}</span>
      <wbr />
      {url.slice(origin.length)}
    </Code>
  )
}
