import { useEffect, useRef, useState, type ReactNode, type RefObject } from 'react'
import type { ListEndpoint, Page } from './paged-list.tsx'
import { useRequest } from './reads.ts'
import { Button } from './ui/button.tsx'
import { Region } from './ui/region.tsx'

type ExtendingListProps<P extends Page> = {
  endpoint: ListEndpoint<P, unknown>
  params?: Record<string, string>
  cursor?: string
  skeleton: ReactNode
  label: string
  /** The button that shows the next page. */
  more: string
  className: string
  /** `first` is the first page; the ref belongs to the element around the items. */
  children: (page: P, first: boolean, items: RefObject<HTMLUListElement | null>) => ReactNode
}

/** A list whose next page appears below once the customer asks for it. */
export function ExtendingList<P extends Page>(props: ExtendingListProps<P>) {
  const { endpoint, params, cursor, skeleton, label, more, className, children } = props
  const list = useRequest<P>(endpoint, { params, query: cursor ? { cursor } : {} })
  const [isExtended, setIsExtended] = useState(false)
  const items = useRef<HTMLUListElement>(null)
  return (
    <Region query={list} skeleton={skeleton} label={label}>
      {(page) => (
        <>
          {children(page, !cursor, items)}
          {cursor && <FocusFirstHeading within={items} />}
          {page.next &&
            (isExtended ? (
              <div className={className}>
                <ExtendingList {...props} cursor={page.next} />
              </div>
            ) : (
              <Button className={className} icon="down" onClick={() => setIsExtended(true)}>
                {more}
              </Button>
            ))}
        </>
      )}
    </Region>
  )
}

/** The button that was pressed is gone, so the focus goes to where the next page begins. */
function FocusFirstHeading({ within }: { within: RefObject<HTMLElement | null> }) {
  useEffect(() => within.current?.querySelector('h3')?.focus(), [within])
  return null
}
