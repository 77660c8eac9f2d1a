import { Fragment, useEffect, useRef, useState } from 'react'
import type { Reply } from '../../contract/endpoint.ts'
import { listSignatures, type Signature } from '../../contract/signatures.ts'
import { config } from '../config.ts'
import { useText } from '../locale.tsx'
import { FoundCount } from '../list-search.tsx'
import { useAddressFilters, usePagedList } from '../paged-list.tsx'
import { refetch } from '../reads.ts'
import { useSession } from '../session.tsx'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Empty, NoMatch } from '../ui/empty.tsx'
import { Region } from '../ui/region.tsx'
import { CardSkeletons } from '../ui/skeleton.tsx'
import { byOrganisation } from '../certificates/certificate-groups.ts'
import { AgreementWatch } from '../certificates/agreement-watch.tsx'
import { filtersOf } from './signature-filters.ts'
import { SignatureCard } from './signature-card.tsx'
import { SignatureSearch } from './signature-search.tsx'
import { validityOf } from '../text/validity.ts'

type Page = Reply<typeof listSignatures>

/** How many inactive signatures are shown at first (ux 8.3). */
const inactiveShown = 3

/** The signatures page by page, with search and filter once there are many. */
export function SignatureList() {
  const t = useText()
  const signatures = usePagedList(
    listSignatures,
    useAddressFilters((params) => filtersOf(Object.fromEntries(params))),
  )
  const { list, query, filters, setFilters, isFiltered, isLong, page: number, heading, pageButtons } = signatures

  return (
    <>
      {isLong && <SignatureSearch organisations={list.data?.organisations} filters={filters} setFilters={setFilters} />}
      <h2 className="vh" tabIndex={-1} ref={heading}>
        {number > 1
          ? t({ pl: `Twoje podpisy, strona ${number}`, en: `Your signatures, page ${number}` })
          : t({ pl: 'Twoje podpisy', en: 'Your signatures' })}
      </h2>
      <Region
        query={list}
        skeleton={<CardSkeletons lines={4} />}
        label={t({ pl: 'Wczytujemy podpisy', en: 'Loading signatures' })}
      >
        {(page) => (
          <>
            <FoundCount page={page} isFiltered={isFiltered} />
            {page.items.length > 0 || number > 1 ? (
              <Cards page={page} isLong={isLong} isApart={!filters.sort} mayFold={number === 1 && !isFiltered} />
            ) : (
              <NoSignatures filtered={isFiltered} onClear={() => setFilters(filtersOf({ sort: filters.sort }))} />
            )}
            <AgreementWatch
              waiting={page.items.some(({ agreement }) => agreement === 'generating')}
              message={t({
                pl: 'To trwa dłużej niż zwykle. Podpis działa bez niej, a\u00a0umowa pojawi się tutaj.',
                en: 'This is taking longer than usual. The signature works without it, and the agreement will appear here.',
              })}
              refetchList={() => refetch(listSignatures, { query })}
            />
          </>
        )}
      </Region>
      {pageButtons}
    </>
  )
}

type CardsProps = {
  page: Page
  isLong: boolean
  /** Only the order of urgency puts the inactive ones last; other orders mix them. */
  isApart: boolean
  /** On the first page without a filter only the first few inactive ones are shown. */
  mayFold: boolean
}

function Cards({ page: { items, next, organisations }, isLong, isApart, mayFold }: CardsProps) {
  const t = useText()
  const { now } = useSession()
  const at = Date.parse(now)
  const [all, setAll] = useState(false)
  const revealed = useRef<HTMLLIElement>(null)
  const inactive = items.filter(({ status }) => isApart && status === 'inactive')
  const leading = items.filter((each) => !inactive.includes(each))
  const shown = mayFold && !next && !all ? inactiveShown : inactive.length
  const hidden = inactive.length - shown
  const isUrgent = (each: Signature) =>
    each.status === 'active' && each.renewal !== 'signed' && validityOf(each, at).urgency !== 'none'
  // One view has one primary button.
  const foremost = items.find(isUrgent)
  const groups =
    isLong && isApart && organisations.length > 1
      ? byOrganisation(leading, { isUrgent, organisationOf: ({ organisation }) => organisation })
      : [{ items: leading }]

  useEffect(() => {
    if (all) revealed.current?.querySelector<HTMLElement>('h3')?.focus()
  }, [all])

  return (
    <>
      {leading.length > 0 && (
        <div className={isLong ? 'card crows' : undefined}>
          {groups.map(({ title, isOwner, items: grouped }) => (
            <Fragment key={title?.en}>
              {title && <h2 className="crows__group">{t(title)}</h2>}
              <ul className={isLong ? 'crows__items' : 'stack'}>
                {grouped.map((signature) => (
                  <li key={signature.id}>
                    <SignatureCard
                      signature={signature}
                      now={at}
                      foremost={signature === foremost}
                      isCompact={isLong}
                      isGrouped={isOwner}
                    />
                  </li>
                ))}
              </ul>
            </Fragment>
          ))}
        </div>
      )}
      {inactive.length > 0 && (
        <>
          <h2 className="h-s cert__group">{t({ pl: 'Nieaktywne', en: 'Inactive' })}</h2>
          <ul className={isLong ? 'card crows' : 'stack'}>
            {inactive.slice(0, shown).map((signature, index) => (
              <li key={signature.id} ref={index === inactiveShown ? revealed : undefined}>
                <SignatureCard signature={signature} now={at} isCompact={isLong} />
              </li>
            ))}
          </ul>
        </>
      )}
      {hidden > 0 && (
        <Button className="cert__more" icon="down" onClick={() => setAll(true)}>
          {t({ pl: `Pokaż pozostałe nieaktywne (${hidden})`, en: `Show the other inactive ones (${hidden})` })}
        </Button>
      )}
    </>
  )
}

function NoSignatures({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  const t = useText()
  return (
    <div className="card">
      {filtered ? (
        <NoMatch
          reason={t({
            pl: 'Nie znaleziono takiego podpisu.',
            en: 'No matching signatures.',
          })}
          onClear={onClear}
        />
      ) : (
        <Empty
          reason={t({
            pl: 'Nie masz jeszcze podpisu. Pojawi się tutaj zaraz po wydaniu.',
            en: 'You have no signature yet. You’ll see it here as soon as we’ve issued it.',
          })}
          action={
            <ButtonLink variant="primary" href={config.brand.links.newSignature}>
              {t({ pl: 'Kup podpis', en: 'Buy a signature' })}
            </ButtonLink>
          }
        />
      )}
    </div>
  )
}
