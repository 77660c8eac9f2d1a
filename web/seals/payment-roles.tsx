import type { Text } from '../../contract/enums.ts'
import type { PaymentRole, Psd2 } from '../../contract/seals.ts'
import { useText } from '../locale.tsx'
import { DescriptionList, Row } from '../ui/description-list.tsx'
import { Code } from '../ui/verbatim.tsx'

/** The roles of a payment service provider, for people who do not know the law (SEA-8). */
const roleTexts: Record<PaymentRole, { name: Text; meaning: Text }> = {
  PSP_AS: {
    name: { pl: 'Prowadzenie rachunków', en: 'Account servicing' },
    meaning: {
      pl: 'Prowadzi rachunki płatnicze klientów, tak jak bank.',
      en: 'Holds payment accounts for customers, as a bank does.',
    },
  },
  PSP_PI: {
    name: { pl: 'Inicjowanie płatności', en: 'Payment initiation' },
    meaning: {
      pl: 'Na zlecenie klienta wykonuje przelew z\u00a0jego rachunku w\u00a0innym banku.',
      en: 'Starts a payment from a customer’s account at another bank, at the customer’s request.',
    },
  },
  PSP_AI: {
    name: { pl: 'Informacja o\u00a0rachunkach', en: 'Account information' },
    meaning: {
      pl: 'Za zgodą klienta sprawdza saldo i\u00a0historię jego rachunków w\u00a0innych bankach.',
      en: 'Reads the balance and history of a customer’s accounts at other banks, with the customer’s consent.',
    },
  },
  PSP_IC: {
    name: { pl: 'Wydawanie kart płatniczych', en: 'Issuing of payment cards' },
    meaning: {
      pl: 'Wydaje karty i\u00a0pyta inny bank, czy na rachunku klienta są środki na zapłatę.',
      en: 'Issues cards, and asks another bank whether the customer’s account covers a payment.',
    },
  },
}

/** What the certificate of a PSD2 seal says about its owner. */
export function PaymentRoles({ psd2: { roles, authority } }: { psd2: Psd2 }) {
  const t = useText()
  return (
    <section className="psd2">
      <h4 className="psd2__t">{t({ pl: 'Usługi płatnicze (PSD2)', en: 'Payment services (PSD2)' })}</h4>
      <p className="hint">
        {t({
          pl: 'Tak zapisano w\u00a0certyfikacie. Na tej podstawie banki sprawdzają, co może robić ta organizacja.',
          en: 'As stated in the certificate. Banks rely on it to check what the organisation may do.',
        })}
      </p>
      <DescriptionList>
        {roles.map((role) => (
          <Row
            key={role}
            name={
              <>
                {t(roleTexts[role].name)} <Code>{role}</Code>
              </>
            }
          >
            {t(roleTexts[role].meaning)}
          </Row>
        ))}
        <Row name={t({ pl: 'Organ nadzoru', en: 'Competent authority' })}>
          {authority.name} <Code>{authority.id}</Code>
        </Row>
      </DescriptionList>
    </section>
  )
}
