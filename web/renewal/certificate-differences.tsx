import type { Renewal } from '../../contract/renewal.ts'
import { isNamed } from '../../contract/rules/renewal-rules.ts'
import { useText } from '../locale.tsx'
import { identifierText } from '../text/identifier-text.ts'
import { HiddenNumber } from '../ui/hidden-number.tsx'
import '../ui/table.css'
import './certificate-differences.css'

/** REN-6: the data in the certificate next to those known now, where they differ. */
export function CertificateDifferences({ renewal: { certificate, person } }: { renewal: Renewal }) {
  const t = useText()
  if (person.matches) return null
  const { identifier } = certificate
  const what = t(identifierText(identifier))
  const now = person.identifier?.value
  const rows = [
    {
      what: t({ pl: 'Imię i\u00a0nazwisko', en: 'Name' }),
      was: certificate.name,
      now: person.commonName,
      differs: !isNamed(certificate.name, person),
    },
    {
      what: what.charAt(0).toUpperCase() + what.slice(1),
      was: (
        <HiddenNumber
          value={identifier.value}
          what={t({ pl: `${what} w\u00a0certyfikacie`, en: `${what} in the certificate` })}
        />
      ),
      now: now ? (
        <HiddenNumber value={now} what={t({ pl: `obecny ${what}`, en: `current ${what}` })} />
      ) : (
        t({ pl: 'brak danych', en: 'not known' })
      ),
      differs: now !== identifier.value,
    },
  ].filter(({ differs }) => differs)
  return (
    <div className="card blk differences">
      <h2 className="h-s">{t({ pl: 'Co się różni', en: 'What’s different' })}</h2>
      <table className="table">
        <caption className="vh">{t({ pl: 'Co się różni', en: 'What’s different' })}</caption>
        <thead>
          <tr>
            <th scope="col">
              <span className="vh">{t({ pl: 'Pole', en: 'Field' })}</span>
            </th>
            <th scope="col">{t({ pl: 'W\u00a0certyfikacie', en: 'In the certificate' })}</th>
            <th scope="col">{t({ pl: 'Teraz', en: 'Now' })}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.what}>
              <th scope="row">{row.what}</th>
              <td>{row.was}</td>
              <td>{row.now}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
