import type { Renewal } from '../../contract/renewal.ts'
import { isNamed } from '../../contract/rules/renewal-rules.ts'
import { useText } from '../app/locale.tsx'
import { capitalise } from '../text/format.ts'
import { identifierText } from '../text/identifier-text.ts'
import { HiddenNumber } from '../ui/hidden-number.tsx'
import { DataTable } from '../ui/table.tsx'
import './renewal.css'

const title = { pl: 'Co się różni', en: 'What’s different' }

/** Shows the data in the certificate next to those known now, where they differ (REN-6). */
export function CertificateDifferences({ renewal: { certificate, person } }: { renewal: Renewal }) {
  const t = useText()
  if (person.isMatching) return null
  const before = certificate.identifier
  const now = person.identifier
  const [kind, kindNow] = [t(identifierText(before)), now && t(identifierText(now))]
  // A number of another kind is no other number, so each is named.
  const isOtherKind = kindNow !== null && kindNow !== kind
  const rows = [
    {
      what: t({ pl: 'Imię i\u00a0nazwisko', en: 'Name' }),
      was: certificate.name,
      now: person.commonName,
      differs: !isNamed(certificate.name, person),
    },
    {
      what: isOtherKind ? t({ pl: 'Identyfikator', en: 'Identifier' }) : capitalise(kind),
      was: (
        <>
          {isOtherKind && <>{capitalise(kind)} </>}
          <HiddenNumber
            value={before.value}
            what={t({ pl: `${kind} w\u00a0certyfikacie`, en: `${kind} in the certificate` })}
          />
        </>
      ),
      now:
        now && kindNow ? (
          <>
            {isOtherKind && <>{capitalise(kindNow)} </>}
            <HiddenNumber value={now.value} what={t({ pl: `obecny ${kindNow}`, en: `current ${kindNow}` })} />
          </>
        ) : (
          t({ pl: 'brak danych', en: 'not known' })
        ),
      differs: now?.value !== before.value || isOtherKind,
    },
  ].filter(({ differs }) => differs)
  return (
    <div className="card block differences">
      <h2 className="small-heading">{t(title)}</h2>
      <DataTable
        caption={title}
        columns={[
          { title: { pl: 'Pole', en: 'Field' }, cell: ({ what }) => what },
          { title: { pl: 'W\u00a0certyfikacie', en: 'In the certificate' }, cell: ({ was }) => <div>{was}</div> },
          { title: { pl: 'Teraz', en: 'Now' }, cell: (row) => <div>{row.now}</div> },
        ]}
        rows={rows}
        keyOf={({ what }) => what}
      />
    </div>
  )
}
