import './blank-page.css'

/** Shows placeholder lines for a page that is not drawn yet. */
export const BlankPage = () => (
  <div className="pdf__lines" aria-hidden="true">
    {Array.from({ length: 12 }, (_, line) => (
      <i key={line} />
    ))}
  </div>
)
