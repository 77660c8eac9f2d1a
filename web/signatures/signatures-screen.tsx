import { useState } from 'react'
import '../certificates/certificate-list.css'
import type { Reply } from '../../contract/endpoint.ts'
import type { Text } from '../../contract/enums.ts'
import { listSignatures, type Signature, SignatureProduct, SignatureSort } from '../../contract/signatures.ts'
import { isOff, config } from '../app/config.ts'
import { useText } from '../app/locale.tsx'
import { partOnDemand } from '../app/on-demand.tsx'
import { useSession } from '../app/session.tsx'
import { refetch } from '../calls/reads.ts'
import { AgreementWatch } from '../certificates/agreement-button.tsx'
import {
  certificateChoices,
  useOrganisationChoices,
  certificateFiltersOf,
} from '../certificates/certificate-filters.ts'
import { CertificateItems } from '../certificates/certificate-items.tsx'
import { CertificatesHead } from '../certificates/certificates-head.tsx'
import { ListScreen } from '../lists/list-screen.tsx'
import { useAddressFilters, usePagedList } from '../lists/paged-list.tsx'
import { endsSoon } from '../text/validity.ts'
import { Button, ButtonLink } from '../ui/button.tsx'
import { CardSkeletons } from '../ui/skeleton.tsx'
import { SignatureCard } from './signature-card.tsx'
import { isRenewed, isToRenew, validityOfSignature } from './signature-validity.ts'

/** Shows the page of the signatures (SIG-1…SIG-4, and the details of SIG-5). */
export function SignaturesScreen() {
  return (
    <>
      <CertificatesHead page="signatures" action={<UseCodeButton />} />
      <SignatureList />
    </>
  )
}

const RenewalCodeDialog = partOnDemand(() =>
  import('../renewal/renewal-code-dialog.tsx').then((file) => file.RenewalCodeDialog),
)

/** Shows the button for customers with a renewal code, which identifies the signature (SIG-4). */
function UseCodeButton() {
  const t = useText()
  const [isOpen, setIsOpen] = useState(false)
  if (isOff('renewal')) return null
  return (
    <>
      <Button icon="key" aria-haspopup="dialog" onClick={() => setIsOpen(true)}>
        {t({ pl: 'Użyj kodu odnowienia', en: 'Use renewal code' })}
      </Button>
      {isOpen && <RenewalCodeDialog onClose={() => setIsOpen(false)} />}
    </>
  )
}

type Page = Reply<typeof listSignatures>

/** Number of inactive signatures that are shown at first. */
const inactiveShown = 3

/** Shows the signatures page by page, with search and filters once there are many. */
function SignatureList() {
  const t = useText()
  const signatures = usePagedList(listSignatures, useAddressFilters(filtersOf))
  const { list, query, filters, isFiltered, isLong, page: number } = signatures
  const organisations = useOrganisationChoices({ pl: 'Firma', en: 'Company' }, list.data?.organisations)
  return (
    <ListScreen
      paged={signatures}
      heading={{ pl: 'Twoje podpisy', en: 'Your signatures' }}
      search={{ ...search, choices: [...search.choices, ...organisations] }}
      loading={{ pl: 'Wczytujemy podpisy', en: 'Loading signatures' }}
      skeleton={<CardSkeletons lines={4} />}
      empty={{ ...empty, action: <BuySignature /> }}
    >
      {(page) => (
        <>
          <Cards page={page} isLong={isLong} isApart={!filters.sort} mayFold={number === 1 && !isFiltered} />
          <AgreementWatch
            isWaiting={page.items.some(({ agreement }) => agreement === 'generating')}
            message={t({
              pl: 'To trwa dłużej niż zwykle. Podpis działa bez niej, a\u00a0umowa pojawi się tutaj.',
              en: 'This is taking longer than usual. The signature works without it, and the agreement will appear here.',
            })}
            refetchList={() => refetch(listSignatures, { query })}
          />
        </>
      )}
    </ListScreen>
  )
}

type CardsProps = {
  page: Page
  isLong: boolean
  /** Whether the inactive ones are last: only in the order of urgency, because other orders mix them. */
  isApart: boolean
  /** Whether only the first few inactive ones are shown: on the first page without a filter. */
  mayFold: boolean
}

function Cards({ page: { items, next, organisations }, isLong, isApart, mayFold }: CardsProps) {
  const { now } = useSession()
  const at = Date.parse(now)
  const isUrgent = (each: Signature) =>
    each.status === 'active' && !isRenewed(each) && endsSoon(validityOfSignature(each, at))
  // One view has one primary button.
  const foremost = items.find(isUrgent)
  return (
    <CertificateItems
      items={items}
      isLong={isLong}
      isApart={isApart}
      inactiveShown={mayFold && !next ? inactiveShown : Infinity}
      organisations={organisations}
      rules={{
        firstTitle: { pl: 'Do odnowienia', en: 'To renew' },
        isFirst: (signature) => isToRenew(signature, at),
        organisationOf: ({ organisation }) => organisation,
      }}
    >
      {(signature, isGrouped) => (
        <SignatureCard
          signature={signature}
          now={at}
          isForemost={signature === foremost}
          isCompact={isLong}
          isGrouped={isGrouped}
        />
      )}
    </CertificateItems>
  )
}

const empty = {
  noMatch: { pl: 'Nie znaleziono takiego podpisu.', en: 'No matching signatures.' },
  reason: {
    pl: 'Nie masz jeszcze podpisu. Pojawi się tutaj zaraz po wydaniu.',
    en: 'You have no signature yet. You’ll see it here as soon as we’ve issued it.',
  },
}

function BuySignature() {
  const t = useText()
  return (
    <ButtonLink variant="primary" href={config.brand.links.newSignature}>
      {t({ pl: 'Kup podpis', en: 'Buy a signature' })}
    </ButtonLink>
  )
}

const sortText: Record<SignatureSort, Text> = {
  urgency: { pl: 'Najpilniejsze', en: 'Most urgent' },
  'ends-first': { pl: 'Wygasające najwcześniej', en: 'Expiring first' },
  'ends-last': { pl: 'Wygasające najpóźniej', en: 'Expiring last' },
  newest: { pl: 'Od najnowszych', en: 'Newest' },
  name: { pl: 'Nazwa A–Z', en: 'Name A–Z' },
}

/** Reads the filters from the fields of the search, or from the address. */
function filtersOf({ sort, ...values }: Record<string, unknown>) {
  const order = SignatureSort.safeParse(sort).data
  return { ...certificateFiltersOf(SignatureProduct.options, values), sort: order === 'urgency' ? undefined : order }
}

const search = {
  label: { pl: 'Szukaj osoby lub firmy', en: 'Search for a person or company' },
  choices: [
    ...certificateChoices(SignatureProduct.options),
    { name: 'sort', label: { pl: 'Kolejność', en: 'Sort by' }, texts: sortText },
  ],
  filtersOf,
}
