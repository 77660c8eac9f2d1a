import { pages } from '../../contract/pages.ts'
import { listPasskeys } from '../../contract/passkeys.ts'
import { useLocale, useText } from '../locale.tsx'
import { useRead } from '../reads.ts'
import { formatDate, formatDateTime } from '../text/format.ts'
import { TextLink } from '../ui/button.tsx'
import { Region } from '../ui/region.tsx'
import { Skeleton } from '../ui/skeleton.tsx'

/**
 * A passkey is bound to the account on its own, not to the password (NIST SP 800-63B-4 §4.1), and opens nothing without the
 * new one. Whoever changes the password because of a stranger sees here which keys there are. Last on its page, so that
 * nothing moves when they come.
 */
export function PasskeysReview() {
  const t = useText()
  const locale = useLocale()
  const list = useRead(listPasskeys)
  return (
    <section className="card narrow stack stack--s" aria-labelledby="passkeys-review">
      <h2 id="passkeys-review" className="h-s">
        {t({ pl: 'Klucze dostępu', en: 'Passkeys' })}
      </h2>
      <Region
        query={list}
        skeleton={<Skeleton lines={3} />}
        label={t({ pl: 'Wczytujemy klucze dostępu', en: 'Loading your passkeys' })}
      >
        {({ items }) =>
          items.length ? (
            <>
              <p className="soft">
                {t({
                  pl: 'Zmiana hasła nie usuwa kluczy: dalej zastępują kod z\u00a0SMS-a, ale dopiero po nowym haśle. Sprawdź, czy wszystkie są Twoje.',
                  en: 'A password change does not remove them: they still replace the code from a text message, but only after the new password. Check that all of them are yours.',
                })}
              </p>
              <ul className="stack stack--s">
                {items.map(({ id, name, addedAt, usedAt }) => (
                  <li key={id}>
                    <b>{name}</b>
                    <p className="small muted">
                      {t({ pl: 'dodany', en: 'added' })} {formatDate(locale, addedAt, 'short')}
                      {usedAt &&
                        `, ${t({ pl: 'ostatnio użyty', en: 'last used' })} ${formatDateTime(locale, usedAt, 'short')}`}
                    </p>
                  </li>
                ))}
              </ul>
              <p>
                <TextLink to={pages.myData.path}>
                  {t({ pl: 'Przejrzyj klucze w\u00a0Moich danych', en: 'Review the passkeys in My data' })}
                </TextLink>
              </p>
            </>
          ) : (
            <p className="soft">
              {t({
                pl: 'Nie masz kluczy dostępu. Po zmianie hasła logujesz się nim i\u00a0kodem z\u00a0SMS-a.',
                en: 'You have no passkeys. After the change you log in with the new password and a code from a text message.',
              })}
            </p>
          )
        }
      </Region>
    </section>
  )
}
