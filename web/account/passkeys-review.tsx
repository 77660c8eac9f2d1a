import { pages } from '../../contract/pages.ts'
import { listPasskeys } from '../../contract/passkeys.ts'
import { useText } from '../locale.tsx'
import { useRead } from '../reads.ts'
import { formatDate, formatDateTime } from '../text/format.ts'
import { TextLink } from '../ui/button.tsx'
import { ListRegion } from '../ui/region.tsx'
import { SectionCard } from '../ui/section-card.tsx'

const noPasskeys = {
  pl: 'Nie masz kluczy dostępu. Po zmianie zalogujesz się nowym hasłem i\u00a0kodem SMS.',
  en: 'You have no passkeys. After the change, you’ll sign in with the new password and a text-message code.',
}
const passkeysStay = {
  pl: 'Zmiana hasła nie usuwa kluczy: działają nadal, także bez hasła. Sprawdź, czy wszystkie są Twoje.',
  en: 'Changing your password doesn’t remove your passkeys: they still work, even without the password. Check that they’re all yours.',
}

/**
 * A passkey is bound to the account on its own, not to the password (NIST SP 800-63B-4 §4.1), so it still opens the account
 * after a password change (R121). A customer who changes the password because of a stranger sees here which keys exist. Last
 * on its page, so that nothing moves when they are loaded.
 */
export function PasskeysReview() {
  const t = useText()
  const list = useRead(listPasskeys)
  return (
    <SectionCard
      id="passkeys-review"
      title={t({ pl: 'Klucze dostępu', en: 'Passkeys' })}
      className="card stack stack--s"
    >
      <ListRegion
        query={list}
        lines={3}
        label={t({ pl: 'Wczytujemy klucze dostępu', en: 'Loading your passkeys' })}
        empty={
          <>
            <p className="soft">{t(noPasskeys)}</p>
            <p>
              {t({ pl: 'Klucz dodasz na stronie ', en: 'Add a passkey on the ' })}
              <TextLink to={pages.security.path}>{t({ pl: 'Bezpieczeństwo', en: 'Security page' })}</TextLink>.
            </p>
          </>
        }
      >
        {({ items }) => (
          <>
            <p className="soft">{t(passkeysStay)}</p>
            <ul className="stack stack--s">
              {items.map(({ id, name, addedAt, usedAt }) => (
                <li key={id}>
                  <b>{name}</b>
                  <p className="small muted">
                    {t({ pl: 'dodany', en: 'added' })} {formatDate(t.locale, addedAt, 'short')}
                    {usedAt &&
                      `, ${t({ pl: 'ostatnio użyty', en: 'last used' })} ${formatDateTime(t.locale, usedAt, 'short')}`}
                  </p>
                </li>
              ))}
            </ul>
            <p>
              <TextLink to={pages.security.path}>
                {t({
                  pl: 'Przejrzyj klucze na stronie Bezpieczeństwo',
                  en: 'Review your passkeys on the Security page',
                })}
              </TextLink>
            </p>
          </>
        )}
      </ListRegion>
    </SectionCard>
  )
}
