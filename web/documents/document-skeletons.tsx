/** Rows of the list while it is read: the name with the numbers, the date, the status and an action. */
export const DocumentSkeletons = () => (
  <div className="docskels" aria-hidden="true">
    {Array.from({ length: 4 }, (_, row) => (
      <div key={row} className="docskel">
        <span className="skel docskel__name" />
        <span className="skel docskel__numbers" />
        <span className="skel docskel__day" />
        <span className="skel docskel__status" />
        <span className="skel docskel__action" />
      </div>
    ))}
  </div>
)
