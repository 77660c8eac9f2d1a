import { Icon } from '../art/icons.tsx'

/** Placeholder for the first page, with an optional caption. */
export function PreviewPlaceholder({ text }: { text?: string }) {
  return (
    <figure className="pdf">
      <div className="pdf__page pdf__page--none" aria-hidden="true">
        <Icon name="lock" size="l" />
      </div>
      <figcaption>{text}</figcaption>
    </figure>
  )
}
