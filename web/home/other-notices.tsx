import { useEffect, useId, useRef, useState, type Ref } from 'react'
import { useText } from '../app/locale.tsx'
import { Button } from '../ui/button.tsx'
import { isStopped, type HomeNotice } from './home-notice.ts'
import { moreText } from './home-text.ts'
import { Detail, NoticeBadge, StepButton } from './notice-parts.tsx'

type Props = { notices: readonly HomeNotice[] }

/** Smallest number of notices shown at first: with the two large ones the first five are seen at once. */
const minShown = 3

/**
 * Shows the notices besides the large ones: the first few and all products that do not work now, and the rest once the customer asks for
 * it.
 */
export function OtherNotices({ notices }: Props) {
  const t = useText()
  const id = useId()
  const [showsAll, setShowsAll] = useState(false)
  const revealed = useRef<HTMLElement>(null)
  const shownAtFirst = Math.max(minShown, notices.findLastIndex(isStopped) + 1)
  const hidden = notices.length - shownAtFirst
  // A button for one row would be as high as the row.
  const isLong = hidden > 1

  useEffect(() => {
    if (showsAll) revealed.current?.focus()
  }, [showsAll])

  if (!notices.length) return null
  return (
    <div className="card home__more">
      <h3>{moreText(t.locale, notices.length)}</h3>
      <ul id={id} className="home__notices">
        {(isLong && !showsAll ? notices.slice(0, shownAtFirst) : notices).map((notice, index) => (
          <NoticeRow key={notice.id} notice={notice} title={index === shownAtFirst ? revealed : undefined} />
        ))}
      </ul>
      {isLong && (
        <Button
          variant="quiet"
          icon="down"
          className="home__rest"
          aria-expanded={showsAll}
          aria-controls={id}
          onClick={() => setShowsAll(!showsAll)}
        >
          {showsAll
            ? t({ pl: 'Pokaż mniej', en: 'Show fewer' })
            : t({ pl: `Pokaż jeszcze ${hidden}`, en: `Show ${hidden} more` })}
        </Button>
      )}
    </div>
  )
}

/** Shows the processes that run without the customer, apart from what waits for them. */
export function UnderWay({ notices }: Props) {
  const t = useText()
  if (!notices.length) return null
  return (
    <div className="card home__more">
      <h3>{t({ pl: 'W\u00a0toku – nie musisz nic robić', en: 'In progress – nothing for you to do' })}</h3>
      <ul className="home__notices">
        {notices.map((notice) => (
          <NoticeRow key={notice.id} notice={notice} />
        ))}
      </ul>
    </div>
  )
}

type RowProps = {
  notice: HomeNotice
  /** Takes the focus. */
  title?: Ref<HTMLElement> | undefined
}

const NoticeRow = ({ notice, title }: RowProps) => (
  <li>
    <div>
      <b ref={title} tabIndex={title ? -1 : undefined}>
        {notice.title}
      </b>
      <Detail notice={notice} />
    </div>
    <NoticeBadge notice={notice} />
    <StepButton notice={notice} size="s" />
  </li>
)
