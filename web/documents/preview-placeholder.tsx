import { Icon } from '../art/icons.tsx'

/** Where the first page will be; without words while there is nothing to say. */
export function PagePlace({ words }: { words?: string }) {
  return (
    <figure className="pdf">
      <div className="pdf__page pdf__page--none" aria-hidden="true">
        <Icon name="lock" size="l" />
      </div>
      <figcaption>{words}</figcaption>
    </figure>
  )
}
