import type { ComponentProps } from 'react'
import type { Text } from '../../contract/enums.ts'
import { pages } from '../../contract/pages.ts'
import { Contacts } from '../calls/call-button.tsx'
import { config, isOff } from '../app/config.ts'
import { useText } from '../app/locale.tsx'
import { faqTitle } from '../app/support-line.tsx'
import { TextLink } from '../ui/button.tsx'
import { SectionCard } from '../ui/section-card.tsx'
import { VoucherBox } from './voucher-box.tsx'

type Target = { label: Text } & ({ href: string; to?: never } | { to: string; href?: never })

/** HOM-1: shops, help pages and contacts. Suspension is for emergencies, so it is always first. */
export function HomeLinks({ onCodeStep }: ComponentProps<typeof VoucherBox>) {
  const t = useText()
  const { links } = config.brand
  const shop: Target[] = [
    { label: { pl: 'Odnowienie podpisu', en: 'Signature renewal' }, href: links.renewal },
    { label: { pl: 'Nowy podpis', en: 'New signature' }, href: links.newSignature },
    { label: { pl: 'Pieczęć', en: 'Seal' }, href: links.seal },
    { label: { pl: 'Znacznik czasu', en: 'Timestamp' }, href: links.timestamp },
    { label: { pl: 'Znajdź punkt obsługi', en: 'Find a branch' }, href: links.salesPoints },
  ]
  const useful: Target[] = [
    {
      label: { pl: 'Zawieś lub unieważnij certyfikat', en: 'Suspend or revoke a certificate' },
      // The list has its own dialog, unless one of them is off.
      ...(isOff('/api/certificates') || isOff('signatures')
        ? { href: links.suspension }
        : { to: pages.signatures.path }),
    },
    { label: { pl: 'Baza wiedzy: pierwsze kroki', en: 'Knowledge base: first steps' }, href: links.knowledgeStart },
    { label: { pl: 'Baza wiedzy: podpis w\u00a0PDF', en: 'Knowledge base: signing a PDF' }, href: links.knowledgePdf },
    { label: { pl: 'Dokumenty i\u00a0regulaminy', en: 'Documents and terms' }, href: links.documents },
  ]
  return (
    <div className="home__foot sec">
      {!isOff('vouchers') && <VoucherBox onCodeStep={onCodeStep} />}
      <SectionCard id="shop" title={t({ pl: 'Kup usługę', en: 'Buy a service' })}>
        <Links targets={shop} />
      </SectionCard>
      <SectionCard id="useful" title={t({ pl: 'Przydatne', en: 'Useful links' })}>
        <Links targets={useful} />
      </SectionCard>
      <SectionCard
        id="contact"
        className="card home__contact"
        title={t({ pl: 'Porozmawiaj z\u00a0nami', en: 'Talk to us' })}
      >
        <p className="soft">
          {t({ pl: 'Odpowiedź może już czekać na stronie ', en: 'Your answer may already be in the ' })}
          <TextLink to="/faq">{t(faqTitle)}</TextLink>.
        </p>
        <Contacts />
      </SectionCard>
    </div>
  )
}

function Links({ targets }: { targets: readonly Target[] }) {
  const t = useText()
  return (
    <ul className="links">
      {targets.map(({ label, ...target }) => (
        <li key={label.en}>
          <TextLink {...target}>{t(label)}</TextLink>
        </li>
      ))}
    </ul>
  )
}
