import { useEffect, useRef, useState } from 'react'
import type { Reply } from '../../contract/endpoint.ts'
import { listSeals } from '../../contract/seals.ts'
import { config } from '../config.ts'
import { useText } from '../locale.tsx'
import { readAgain, useRead } from '../reads.ts'
import { useSession } from '../session.tsx'
import { AgreementWatch } from '../ui/agreement-watch.tsx'
import { ButtonLink } from '../ui/button.tsx'
import { Empty } from '../ui/empty.tsx'
import { ListPages } from '../ui/list-pages.tsx'
import { Region } from '../ui/region.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { SealAdministrators } from './seal-administrators.tsx'
import { SealCard } from './seal-card.tsx'
import { SealInvitationCard } from './seal-invitation-card.tsx'
import { SealUsers } from './seal-users.tsx'

type Page = Reply<typeof listSeals>

/** Access that waits, then the seals, each with its users for whoever administers it. */
export function SealList() {
  const t = useText()
  const [cursors, setCursors] = useState<readonly string[]>([])
  const [size, setSize] = useState('20')
  const heading = useRef<HTMLHeadingElement>(null)
  const cursor = cursors.at(-1)
  const query = { ...(cursor && { cursor }), ...(size !== '20' && { size: size as '50' }) }
  const list = useRead(listSeals, { query })
  const { data } = list

  function turnTo(page: readonly string[]) {
    setCursors(page)
    heading.current!.focus()
  }

  return (
    <>
      <h2 className="vh" tabIndex={-1} ref={heading}>
        {cursors.length
          ? t({ pl: `Twoje pieczęcie, strona ${cursors.length + 1}`, en: `Your seals, page ${cursors.length + 1}` })
          : t({ pl: 'Twoje pieczęcie', en: 'Your seals' })}
      </h2>
      <Region
        query={list}
        skeleton={
          <div className="card">
            <Skeleton round lines={4} />
          </div>
        }
        label={t({ pl: 'Wczytujemy pieczęcie', en: 'Loading seals' })}
      >
        {(page) => (
          <>
            <Seals page={page} />
            <AgreementWatch
              waiting={page.items.some(({ agreement, status }) => agreement === 'generating' && status === 'active')}
              words={t({
                pl: 'To trwa dłużej niż zwykle. Pieczęć działa bez niej, a\u00a0umowa pojawi się tutaj.',
                en: 'This is taking longer than usual. The seal works without it, and the agreement will appear here.',
              })}
              look={() => readAgain(listSeals, { query })}
            />
          </>
        )}
      </Region>
      {(cursors.length > 0 || data?.next || size !== '20') && (
        <ListPages
          page={cursors.length + 1}
          next={data?.next ?? null}
          size={size}
          onBack={() => turnTo(cursors.slice(0, -1))}
          onNext={(next) => turnTo([...cursors, next])}
          onSize={(next) => {
            setSize(next)
            setCursors([])
          }}
        />
      )}
    </>
  )
}

function Seals({ page: { items, invitations } }: { page: Page }) {
  const t = useText()
  const { now } = useSession()
  const [activated, setActivated] = useState<string>()
  const list = useRef<HTMLDivElement>(null)
  const administered = items.filter(({ role }) => role === 'administrator')

  useEffect(() => {
    // The card that was an invitation is a seal now, and the focus goes on with it.
    if (!activated || !items.some(({ id }) => id === activated)) return
    list.current!.querySelector<HTMLElement>(`[data-seal="${activated}"] h3`)?.focus()
    // Once only, or whatever changes in the list later would take the focus from where the customer works.
    setActivated(undefined)
  }, [activated, items])

  return (
    <div ref={list}>
      {invitations.map((invitation, index) => (
        <SealInvitationCard
          key={invitation.id}
          invitation={invitation}
          foremost={index === 0}
          onActivated={setActivated}
        />
      ))}
      {items.length > 0 ? (
        <ul className="seals">
          {items.map((seal) => (
            <li key={seal.id} data-seal={seal.id}>
              <SealCard seal={seal} now={Date.parse(now)} />
              {seal.role === 'administrator' ? (
                <SealUsers
                  seal={seal}
                  startsOpen={administered.length === 1}
                  foremost={administered.length === 1 && !invitations.length}
                />
              ) : (
                <SealAdministrators seal={seal} />
              )}
            </li>
          ))}
        </ul>
      ) : (
        !invitations.length && (
          <div className="card">
            <Empty
              family="seal"
              reason={t({
                pl: 'Nie masz jeszcze dostępu do żadnej pieczęci. Da go administrator pieczęci Twojej organizacji.',
                en: 'You have no access to a seal yet. The administrator of your organisation’s seal can give it to you.',
              })}
              action={
                <ButtonLink variant="primary" href={config.brand.links.seal}>
                  {t({ pl: 'Kup pieczęć', en: 'Buy a seal' })}
                </ButtonLink>
              }
            />
          </div>
        )
      )}
    </div>
  )
}
