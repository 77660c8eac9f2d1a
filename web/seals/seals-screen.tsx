import { useEffect, useRef, useState, type ReactNode } from 'react'
import '../certificates/certificate-list.css'
import './seals.css'
import type { Reply } from '../../contract/endpoint.ts'
import { listSeals, onlyAdministered, SealProduct, type Seal } from '../../contract/seals.ts'
import { useText } from '../app/locale.tsx'
import { useSession } from '../app/session.tsx'
import { refetch } from '../calls/reads.ts'
import { AgreementWatch } from '../certificates/agreement-button.tsx'
import { BuyLink } from '../certificates/buy-link.tsx'
import {
  certificateChoices,
  certificateFiltersOf,
  useOrganisationChoices,
} from '../certificates/certificate-filters.ts'
import { CertificateItems } from '../certificates/certificate-items.tsx'
import { CertificatesHead } from '../certificates/certificates-head.tsx'
import { ListScreen } from '../lists/list-screen.tsx'
import { useAddressFilters, usePagedList } from '../lists/paged-list.tsx'
import { endsSoon, validityOf } from '../text/validity.ts'
import { Notice } from '../ui/notice.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { MailLink, Verbatim } from '../ui/verbatim.tsx'
import { SealCard } from './seal-card.tsx'
import { SealInvitationCard } from './seal-invitation-card.tsx'
import { SealUsers } from './seal-users.tsx'

/** Shows the page of the seals (SEA-1…SEA-6). */
export function SealsScreen() {
  return (
    <>
      <CertificatesHead page="seals" />
      <SealList />
    </>
  )
}

type Page = Reply<typeof listSeals>

const filtersOf = (values: Record<string, unknown>) => certificateFiltersOf(SealProduct.options, values)

const search = {
  label: { pl: 'Szukaj organizacji lub pieczęci', en: 'Search for an organisation or seal' },
  choices: certificateChoices(SealProduct.options),
  filtersOf,
}

const empty = {
  family: 'seal',
  noMatch: { pl: 'Nie znaleziono takiej pieczęci.', en: 'No matching seals.' },
  reason: {
    pl: 'Nie masz jeszcze dostępu do żadnej pieczęci. Poproś o\u00a0niego administratora pieczęci w\u00a0Twojej organizacji.',
    en: 'You don’t have access to any seals yet. Ask your organisation’s seal administrator for access.',
  },
  action: <BuyLink product="seal" variant="primary" />,
  answer: 'seal-or-signature',
} as const

/** Shows the invitations, then the seals, each with its users for its administrators. */
function SealList() {
  const t = useText()
  const seals = usePagedList(listSeals, useAddressFilters(filtersOf))
  const { list, query, isFiltered, isLong } = seals
  const organisations = useOrganisationChoices({ pl: 'Organizacja', en: 'Organisation' }, list.data?.organisations)
  return (
    <ListScreen
      paged={seals}
      heading={{ pl: 'Twoje pieczęcie', en: 'Your seals' }}
      search={{ ...search, choices: [...search.choices, ...organisations] }}
      loading={{ pl: 'Wczytujemy pieczęcie', en: 'Loading seals' }}
      skeleton={
        <div className="card">
          <Skeleton isRound lines={4} />
        </div>
      }
      empty={empty}
      showsWithoutItems={({ invitations }) => invitations.length > 0}
    >
      {(page, none) => (
        <>
          <Seals page={page} isLong={isLong} none={isFiltered && none} />
          <AgreementWatch
            isWaiting={page.items.some(({ agreement, status }) => agreement === 'generating' && status === 'active')}
            message={t({
              pl: 'To trwa dłużej niż zwykle. Pieczęć działa bez niej, a\u00a0umowa pojawi się tutaj.',
              en: 'This is taking longer than usual. The seal works without it, and the agreement will appear here.',
            })}
            refetchList={() => refetch(listSeals, { query })}
          />
        </>
      )}
    </ListScreen>
  )
}

type SealsProps = {
  page: Page
  isLong: boolean
  /** The content in place of the seals, where the filters match none. */
  none: ReactNode
}

function Seals({ page, isLong, none }: SealsProps) {
  const { items, invitations, organisations } = page
  const { now } = useSession()
  const at = Date.parse(now)
  const [activated, setActivated] = useState<string>()
  const list = useRef<HTMLDivElement>(null)
  const only = onlyAdministered(items)
  const isUrgent = (seal: Seal) => seal.status === 'active' && endsSoon(validityOf(seal, at))
  // One view has one primary button.
  const foremost = invitations.length ? undefined : items.find(isUrgent)

  useEffect(() => {
    // The invitation's card is a seal now, and the focus moves to it.
    if (!activated || !items.some(({ id }) => id === activated)) return
    list.current?.querySelector<HTMLElement>(`[data-certificate="${activated}"] h3`)?.focus()
    // Once only, or a later change in the list would take the focus away from the customer.
    setActivated(undefined)
  }, [activated, items])

  return (
    <div ref={list}>
      {invitations.map((invitation, index) => (
        <SealInvitationCard
          key={invitation.id}
          invitation={invitation}
          isForemost={index === 0}
          onActivated={setActivated}
        />
      ))}
      {items.length > 0 ? (
        <CertificateItems
          items={items}
          className="seals"
          isLong={isLong}
          isApart={isLong}
          organisations={organisations}
          rules={{
            firstTitle: { pl: 'Wkrótce wygasają', en: 'Expiring soon' },
            isFirst: isUrgent,
            organisationOf: ({ organisation }) => organisation.name,
          }}
        >
          {(seal, isGrouped) => (
            <SealCard
              seal={seal}
              now={at}
              isForemost={seal === foremost}
              isCompact={isLong}
              isGrouped={isGrouped}
              users={
                seal.role === 'admin' ? (
                  <SealUsers
                    seal={seal}
                    startsOpen={seal === only}
                    isForemost={seal === only && !invitations.length && !foremost}
                  />
                ) : (
                  <SealAdministrators seal={seal} />
                )
              }
            />
          )}
        </CertificateItems>
      ) : (
        none
      )}
    </div>
  )
}

/** Shows a user without administration rights whom to ask. */
function SealAdministrators({ seal: { administrators } }: { seal: Seal }) {
  const t = useText()
  return (
    <Notice title={t({ pl: 'Dostępem zarządza administrator', en: 'The administrator manages access' })}>
      <p>
        {t({
          pl: 'Administrator tej pieczęci nie widzi, jakie dokumenty nią opatrujesz. Zmianę dostępu zgłoś tutaj:',
          en: 'The administrator of this seal can’t see which documents you seal. For anything about access, contact:',
        })}
      </p>
      <ul className="administrators">
        {administrators.map(({ name, email }) => (
          <li key={email}>
            <Verbatim>{name}</Verbatim>, <MailLink to={email} />
          </li>
        ))}
      </ul>
    </Notice>
  )
}
