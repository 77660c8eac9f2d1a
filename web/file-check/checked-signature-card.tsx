import type { Locale, Text } from '../../contract/enums.ts'
import type { RevocationStatus } from '../../pki/asn1/revocation-status.ts'
import { isSuspended } from '../../pki/asn1/suspended-status.ts'
import { useText } from '../app/locale.tsx'
import { DateTimeText } from '../text/date-text.tsx'
import { capitalise, formatDateTime } from '../text/format.ts'
import { LookBadge, type StatusLook } from '../ui/badge.tsx'
import { Check, Checks } from '../ui/checks.tsx'
import { DescriptionList, Row } from '../ui/description-list.tsx'
import { Notice } from '../ui/notice.tsx'
import { Verbatim } from '../ui/verbatim.tsx'
import { ExpertDetails, validityText } from './expert-details.tsx'
import {
  certificateOf,
  isOfSeal,
  isCovered,
  isSignerKnown,
  isUnchanged,
  nameIn,
  organisationIn,
  standingOf,
  type ReportedSignature,
  type Standing,
} from './file-report.ts'
import { LaterAdditions, laterAdditions } from './later-additions.tsx'
import { isDoubted } from './signature-level.ts'
import { problemTexts, sameContent } from './signature-problems.ts'
import { SignedRevision } from './signed-revision.tsx'

const looks: Record<Standing, Omit<StatusLook, 'text'>> = {
  valid: { kind: 'ok', icon: 'check-circle' },
  unknown: { kind: 'warning', icon: 'help' },
  invalid: { kind: 'error-strong', icon: 'alert' },
}
const standingText: Record<Standing, Text> = {
  valid: { pl: 'Prawidłowy', en: 'Valid' },
  unknown: { pl: 'Niepotwierdzony', en: 'Not confirmed' },
  invalid: { pl: 'Nieprawidłowy', en: 'Not valid' },
}
/** A seal is feminine in Polish. */
const standingOfSeal: Record<Standing, Text> = {
  valid: { pl: 'Prawidłowa', en: 'Valid' },
  unknown: { pl: 'Niepotwierdzona', en: 'Not confirmed' },
  invalid: { pl: 'Nieprawidłowa', en: 'Not valid' },
}

type Props = {
  signature: ReportedSignature
  /** The signatures after it in the file. */
  later: readonly ReportedSignature[]
  file: File
  password: string
  number: number
  revisions: number
  /** Whether the signature is the only one: the verdict above has its problems then. */
  isOnly: boolean
  /** Whether the verdict above says that nothing was changed. */
  isUnchangedSaid: boolean
}

/** Shows who signed, when, and what of it is certain (CHK-4). */
export function CheckedSignatureCard(props: Props) {
  const { signature, file, password, number, revisions, isOnly, isUnchangedSaid } = props
  const t = useText()
  const { end, coversWholeDocument } = signature
  const certificate = certificateOf(signature)
  const isSeal = certificate !== undefined && isOfSeal(certificate)
  const name = nameIn(certificate?.subject)
  const standing = standingOf(signature)
  const problems = isOnly ? [] : problemTexts(signature)
  const additions = laterAdditions(signature, props.later)
  const isSame = additions !== undefined && isUnchanged(signature) === true
  const id = `signature-${number}`
  /** Tells the controls of several signatures apart. */
  const which = (
    <span className="unseen">{t({ pl: `, podpis nr\u00a0${number}`, en: `, signature no.\u00a0${number}` })}</span>
  )
  return (
    <section className="card file-report__signature" aria-labelledby={id}>
      <div className="file-report__head">
        <h3 className="small-heading" id={id}>
          {name === undefined ? t({ pl: 'Podpisujący nieznany', en: 'Unknown signer' }) : <Verbatim>{name}</Verbatim>}
        </h3>
        <LookBadge look={{ ...looks[standing], text: (isSeal ? standingOfSeal : standingText)[standing] }} />
        <p className="soft">{t(kindText(signature))}</p>
        {certificate && !isSignerKnown(signature) && <p className="soft">{t(unverifiedSigner)}</p>}
      </div>
      {problems.length > 0 && (
        <Notice kind={standing === 'invalid' ? 'error' : 'warning'} className="file-report__wide">
          {problems.map((problem) => (
            <p key={problem.en}>{t(problem)}</p>
          ))}
        </Notice>
      )}
      <WhoAndWhen signature={signature} isOnly={isOnly} />
      <Checks aria-label={t({ pl: 'Co sprawdziliśmy', en: 'What we checked' })}>
        {factsOf(signature, isUnchangedSaid, t.locale).map(({ holds, text }) => (
          <Check key={text.en} hasPassed={holds}>
            {t(text)}
          </Check>
        ))}
      </Checks>
      {end !== undefined && (
        <div className="file-report__wide file-report__later">
          {!coversWholeDocument && (
            <p className="soft">
              {additions ? (
                <LaterAdditions additions={additions} />
              ) : (
                t({ pl: 'Później coś dodano.', en: 'Something was added later.' })
              )}
              {!isUnchangedSaid && isSame && ` ${t(sameContent)}`}
            </p>
          )}
          <SignedRevision
            file={file}
            password={password}
            end={end}
            number={number}
            isNewest={coversWholeDocument}
            additions={additions}
            isUnchanged={isSame}
            which={which}
          />
        </div>
      )}
      <ExpertDetails signature={signature} revisions={revisions} which={which} />
    </section>
  )
}

function WhoAndWhen({ signature, isOnly }: Pick<Props, 'signature' | 'isOnly'>) {
  const t = useText()
  const { kind, claimedAt, provenAt } = signature
  const certificate = certificateOf(signature)
  const organisation = organisationIn(certificate?.subject)
  const at = provenAt ?? claimedAt
  const notKnown = t({ pl: 'Nie wiadomo', en: 'Unknown' })
  return (
    <DescriptionList>
      {organisation !== undefined && organisation !== nameIn(certificate?.subject) && (
        <Row
          name={
            certificate && isOfSeal(certificate)
              ? t({ pl: 'Organizacja', en: 'Organisation' })
              : t({ pl: 'W\u00a0imieniu', en: 'On behalf of' })
          }
        >
          <Verbatim>{organisation}</Verbatim>
        </Row>
      )}
      <Row name={t({ pl: 'Kiedy', en: 'When' })}>
        {at ? (
          <>
            <DateTimeText at={at} />{' '}
            {kind === 'signature' && (
              <span className="soft">
                {provenAt
                  ? t({ pl: '(potwierdza to znacznik czasu)', en: '(confirmed by a timestamp)' })
                  : t({
                      pl: '(według zegara podpisującego, bez potwierdzenia)',
                      en: '(by the signer’s clock, not confirmed)',
                    })}
              </span>
            )}
          </>
        ) : (
          notKnown
        )}
      </Row>
      <Row name={t({ pl: 'Certyfikat wydał', en: 'Certificate issued by' })}>
        {certificate ? <Verbatim>{nameIn(certificate.issuer) ?? notKnown}</Verbatim> : notKnown}
      </Row>
      {/* Of several, the details for experts have it. */}
      {isOnly && certificate && (
        <Row name={t({ pl: 'Ważność certyfikatu', en: 'Certificate validity' })}>
          {t(validityText(t.locale, certificate))}
        </Row>
      )}
    </DescriptionList>
  )
}

/** The name and the issuer of an unverified signature are only what a certificate in the file states. */
const unverifiedSigner: Text = {
  pl: 'Dane według certyfikatu w\u00a0pliku, niepotwierdzone',
  en: 'According to the certificate in the file, not verified',
}

/** Returns the kind of a signature, as far as its certificate and the trust in it tell. */
function kindText({ kind, signer, claimedSigner, trusted, doubts }: ReportedSignature): Text {
  if (kind === 'document-timestamp')
    return { pl: 'Znacznik czasu całego dokumentu', en: 'Timestamp of the whole document' }
  if (!signer)
    return claimedSigner && isOfSeal(claimedSigner)
      ? { pl: 'Pieczęć elektroniczna', en: 'Electronic seal' }
      : { pl: 'Podpis elektroniczny', en: 'Electronic signature' }
  const [noun, feminine] = isOfSeal(signer) ? (['pieczęć', true] as const) : (['podpis', false] as const)
  const english = feminine ? 'seal' : 'signature'
  const electronic = feminine ? 'elektroniczna' : 'elektroniczny'
  const { compliance, device } = signer.qualified
  if (!compliance)
    return {
      pl: `${capitalise(noun)} ${electronic}, niekwalifikowan${feminine ? 'a' : 'y'}`,
      en: `Electronic ${english}, not qualified`,
    }
  if (!trusted || isDoubted({ signer, doubts }))
    return {
      pl: `${capitalise(noun)} ${electronic} (niepotwierdzon${feminine ? 'a jako kwalifikowana' : 'y jako kwalifikowany'})`,
      en: `Electronic ${english} (not confirmed as qualified)`,
    }
  return device
    ? { pl: `Kwalifikowan${feminine ? 'a' : 'y'} ${noun} ${electronic}`, en: `Qualified electronic ${english}` }
    : {
        pl: `${capitalise(noun)} ${electronic} z\u00a0certyfikatem kwalifikowanym, bez kwalifikowanego urządzenia`,
        en: `Electronic ${english} with a qualified certificate, without a qualified device`,
      }
}

type Fact = { holds: boolean | undefined; text: Text }

function changeText(signature: ReportedSignature, unchanged: boolean | undefined): Text {
  const { problems, intact } = signature
  if (unchanged)
    return { pl: 'Dokument nie zmienił się od podpisania', en: 'The document hasn’t changed since it was signed' }
  if (unchanged === false)
    return intact || problems.some(({ code }) => code === 'cms-digest')
      ? { pl: 'Dokument zmieniono po podpisaniu', en: 'The document was changed after it was signed' }
      : { pl: 'Podpis jest naruszony', en: 'The signature isn’t intact' }
  if (!intact)
    return { pl: 'Nie wiadomo, czy dokument się zmienił', en: 'We can’t tell whether the document has changed' }
  return isCovered(signature)
    ? { pl: 'Późniejszy podpis zasłania część strony', en: 'A later signature covers part of a page' }
    : { pl: 'Po podpisaniu wypełniono formularz', en: 'The form was filled in after it was signed' }
}

function factsOf(signature: ReportedSignature, isUnchangedSaid: boolean, locale: Locale): Fact[] {
  const { kind, trusted, revocation, problems, intact } = signature
  const unchanged = isUnchanged(signature)
  const change: Fact = { holds: unchanged, text: changeText(signature, unchanged) }
  // Without an intact signature nothing is known of its certificate.
  if (!intact) return [change]
  const document = isUnchangedSaid ? [] : [change]
  if (kind === 'document-timestamp')
    return [
      ...document,
      trusted
        ? { holds: true, text: { pl: 'Wystawca znacznika jest zaufany', en: 'The timestamp’s issuer is trusted' } }
        : {
            holds: undefined,
            text: { pl: 'Nie możemy potwierdzić wystawcy znacznika', en: 'We can’t confirm the timestamp’s issuer' },
          },
    ]
  const wasValid = !problems.some(({ code }) => code === 'path-expired' || code === 'path-not-granted')
  const certificate: Fact = trusted
    ? {
        holds: true,
        text: {
          pl: 'Certyfikat jest zaufany i\u00a0był wtedy ważny',
          en: 'The certificate is trusted and was valid at the time',
        },
      }
    : {
        holds: undefined,
        text: wasValid
          ? { pl: 'Nie możemy potwierdzić wystawcy certyfikatu', en: 'We can’t confirm the certificate’s issuer' }
          : {
              pl: 'Nie możemy potwierdzić, że certyfikat był wtedy ważny i\u00a0zaufany',
              en: 'We can’t confirm that the certificate was valid and trusted at the time',
            },
      }
  if (!trusted) return [...document, certificate]
  // Without a timestamp the time is that of the check, and all evidence is from before it.
  const own = signature.provenAt ? signature.revocations[0] : undefined
  return [...document, certificate, revocationFact(revocation, own, locale)]
}

/**
 * Returns the fact about the revocation of the certificate (CHK-13). `signer`: revocation status of the signer's own certificate, if its
 * date is to be stated.
 */
function revocationFact(worst: RevocationStatus, signer: RevocationStatus | undefined, locale: Locale): Fact {
  if (isSuspended(worst))
    return { holds: false, text: { pl: 'Certyfikat był zawieszony', en: 'The certificate was suspended' } }
  const source = worst.status === 'good' && signer?.status === 'good' ? signer.source : undefined
  if (!source?.isEarlier) return revocationFacts[worst.status]
  const at = formatDateTime(locale, source.issuedAt)
  return {
    holds: true,
    text: {
      pl: `Certyfikat nie był unieważniony (stan na ${at}, nowszych danych nie mamy)`,
      en: `The certificate wasn’t revoked (as of ${at}; we have no newer data)`,
    },
  }
}

const revocationFacts: Record<RevocationStatus['status'], Fact> = {
  good: { holds: true, text: { pl: 'Certyfikat nie był unieważniony', en: 'The certificate wasn’t revoked' } },
  revoked: { holds: false, text: { pl: 'Certyfikat był unieważniony', en: 'The certificate was revoked' } },
  unknown: {
    holds: undefined,
    text: {
      pl: 'Nie wiadomo, czy certyfikat był unieważniony',
      en: 'We don’t know whether the certificate was revoked',
    },
  },
}
