import type { Renewal } from '../../contract/renewal.ts'
import { useText } from '../locale.tsx'
import { Badge } from '../ui/badge.tsx'
import { identifierText } from '../text/identifier-text.ts'
import '../ui/table.css'
import { CoveredValue } from './covered-value.tsx'

const plain = (text: string) => text.normalize('NFC').toLowerCase().replace(/\s+/gu, ' ').trim()

/** REN-6: what stands in the certificate beside what is known now, where that is not the same. */
export function CertificateDifferences({ renewal: { certificate, person } }: { renewal: Renewal }) {
  const t = useText()
  if (person.matches) return null
  const names = [`${person.firstName} ${person.surname}`]
  if (person.secondName) names.push(`${person.firstName} ${person.secondName} ${person.surname}`)
  const { identifier } = certificate
  const what = t(identifierText(identifier))
  const now = numberNow(identifier.type, person)
  const rows = [
    {
      what: t({ pl: 'Imię i\u00a0nazwisko', en: 'Name' }),
      was: certificate.name,
      now: names.at(-1)!,
      differs: !names.map(plain).includes(plain(certificate.name)),
    },
    {
      what: what.charAt(0).toUpperCase() + what.slice(1),
      was: (
        <CoveredValue
          value={identifier.value}
          what={t({ pl: `${what} w\u00a0certyfikacie`, en: `${what} in the certificate` })}
        />
      ),
      now: now ? (
        <CoveredValue value={now} what={t({ pl: `obecny ${what}`, en: `present ${what}` })} />
      ) : (
        t({ pl: 'nie znamy', en: 'not known' })
      ),
      differs: now !== identifier.value,
    },
  ]
  return (
    <div className="card blk differences">
      <h2 className="h-s">{t({ pl: 'Co się różni', en: 'What differs' })}</h2>
      <table className="table">
        <caption className="vh">{t({ pl: 'Co się różni', en: 'What differs' })}</caption>
        <thead>
          <tr>
            <th scope="col">
              <span className="vh">{t({ pl: 'Dana', en: 'Item' })}</span>
            </th>
            <th scope="col">{t({ pl: 'W\u00a0certyfikacie', en: 'In the certificate' })}</th>
            <th scope="col">{t({ pl: 'Teraz', en: 'Now' })}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.what} className={row.differs ? 'differs' : undefined}>
              <th scope="row">
                {row.what}
                {row.differs && (
                  <span className="sub">
                    <Badge kind="warn" icon="warn">
                      {t({ pl: 'Różni się', en: 'Differs' })}
                    </Badge>
                  </span>
                )}
              </th>
              <td>{row.was}</td>
              <td>{row.now}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** The number of the kind that the certificate has, where it is known. */
function numberNow(type: Renewal['certificate']['identifier']['type'], { pesel, document }: Renewal['person']) {
  if (type === 'PNO') return pesel
  if (type === 'IDC') return document?.type === 'DO' ? document.number : null
  if (type === 'PAS') return document?.type === 'PA' ? document.number : null
  return null
}
