/** Shows grey shapes in place of content that is being read; the region around it announces that it loads. */
export function Skeleton({ lines = 3, isRound }: { lines?: number | undefined; isRound?: boolean }) {
  return (
    <div className={isRound ? 'skeletons skeletons--round' : 'skeletons'} aria-hidden="true">
      {isRound && <div className="skeleton skeleton--centred" />}
      <div>
        {Array.from({ length: lines }, (_, line) => (
          <div key={line} className="skeleton" />
        ))}
      </div>
    </div>
  )
}

/** Shows two placeholder cards for a list that is being read. */
export function CardSkeletons({ lines }: { lines: number }) {
  return (
    <div className="stack">
      {[1, 2].map((card) => (
        <div key={card} className="card">
          <Skeleton isRound lines={lines} />
        </div>
      ))}
    </div>
  )
}
