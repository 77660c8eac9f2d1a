/** Grey shapes in place of what is being read; the region around it says in words that it loads. */
export function Skeleton({ lines = 3, round }: { lines?: number; round?: boolean }) {
  return (
    <div className={round ? 'skels skels--round' : 'skels'} aria-hidden="true">
      {round && <div className="skel skel--c" />}
      <div>
        {Array.from({ length: lines }, (_, line) => (
          <div key={line} className="skel" />
        ))}
      </div>
    </div>
  )
}
