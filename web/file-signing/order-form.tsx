import { useEffect, useReducer, useRef, useState } from 'react'
import * as z from 'zod/mini'
import { listFileSigners, type FileSigner, type UnusableSigner } from '../../contract/file-signing.ts'
import { limits } from '../../contract/limits.ts'
import { pages } from '../../contract/pages.ts'
import { signaturePlaces } from '../../pki/pdf/signature-places.ts'
import { isOff } from '../app/config.ts'
import { valuesOf } from '../app/form-values.ts'
import { useText } from '../app/locale.tsx'
import { useRead } from '../calls/reads.ts'
import { BuyLink } from '../certificates/buy-link.tsx'
import { MaskedPhone } from '../phone/masked-phone.tsx'
import { CodeDialog } from '../step-up/code-dialog.tsx'
import { explainFailure } from '../text/failure-answer.tsx'
import { plural } from '../text/format.ts'
import { ButtonLink } from '../ui/button.tsx'
import { FailureNotice } from '../ui/failure.tsx'
import { Form, Submit } from '../ui/form.tsx'
import { Notice } from '../ui/notice.tsx'
import { Region } from '../ui/region.tsx'
import type { ReadyFile } from './chosen-files.ts'
import { isSameOrder, type Order, type SignaturePosition } from './prepared-files.ts'
import { AppearanceChoice, SignerChoice, UnusableSigners } from './signer-choice.tsx'
import { signingFailures } from './signing-text.ts'
import type { useFileSigning } from './use-file-signing.ts'

const OrderFields = z.strictObject({
  signer: z.string('required'),
  look: z.enum(['invisible', 'visible']),
  // Only of a visible signature.
  page: z.optional(z.enum(['first', 'last'])),
  place: z.optional(z.enum(signaturePlaces)),
  reason: z.optional(z.string().check(z.trim(), z.maxLength(limits.fileSigning.reasonLength, 'too-long'))),
})

type Props = {
  files: readonly ReadyFile[]
  /** Whether a file is still being read, or waits for its password. */
  isReading: boolean
  position: SignaturePosition | undefined
  onPosition: (position: SignaturePosition | undefined) => void
  step: ReturnType<typeof useFileSigning>['step']
  onOrder: (order: Order) => Promise<void>
}

function orderOf(
  files: readonly ReadyFile[],
  signers: readonly FileSigner[],
  shown: SignaturePosition | undefined,
  { signer: id, reason = '' }: z.output<typeof OrderFields>,
): Order | undefined {
  const signer = signers.find((each) => each.id === id)
  return signer && { files, signer, reason, shown }
}

/** Asks who signs, and how. Only the signing service knows the certificates, so the page asks it once there is something to sign. */
export function OrderForm({ files, isReading, position, onPosition, step, onOrder }: Props) {
  const t = useText()
  const found = useRead(listFileSigners)
  const confirmed = step.at === 'choosing' ? step.confirmed : undefined
  const section = useRef<HTMLElement>(null)
  const [isConfirmed, setIsConfirmed] = useState(false)
  const [changes, noteChange] = useReducer((count: number) => count + 1, 0)
  const { data } = found
  useEffect(() => void CodeDialog.preload(), [])
  // After the fields of a choice have come or gone.
  useEffect(() => {
    const form = section.current?.querySelector('form')
    const values = form && OrderFields.safeParse(valuesOf(form)).data
    const order = data && values && orderOf(files, data.signers, position, values)
    setIsConfirmed(!!order && !!confirmed && isSameOrder(order, confirmed))
  }, [confirmed, files, data, position, changes])

  async function send(signers: readonly FileSigner[], values: z.output<typeof OrderFields>) {
    const order = orderOf(files, signers, position, values)
    if (order && files.length) await onOrder(order)
  }

  return (
    <section className="card sign-order" ref={section} onChange={noteChange}>
      <Region
        query={found}
        lines={3}
        label={t({ pl: 'Szukamy Twoich certyfikatów', en: 'Looking for your certificates' })}
      >
        {({ signers, unusable, maskedPhone }) =>
          signers.length ? (
            <Form className="form sign-form" schema={OrderFields} onSubmit={(values) => send(signers, values)}>
              <SignerChoice signers={signers} unusable={unusable} count={files.length} />
              <AppearanceChoice
                position={position}
                onPosition={onPosition}
                areSigned={files.some(({ signatures }) => signatures > 0)}
              />
              {step.at === 'choosing' && (
                <FailureNotice
                  text={
                    step.problem
                      ? t(step.problem)
                      : step.failure && explainFailure(t.locale, step.failure, signingFailures[step.failure.code])
                  }
                />
              )}
              <CodeNotice count={files.length} maskedPhone={maskedPhone} isConfirmed={isConfirmed} />
              <Submit {...(!isConfirmed && { icon: 'send' })} aria-disabled={!files.length || isReading}>
                {isConfirmed ? t({ pl: 'Dalej', en: 'Continue' }) : t({ pl: 'Wyślij kod SMS', en: 'Send code' })}
              </Submit>
            </Form>
          ) : (
            <NoSigner unusable={unusable} />
          )
        }
      </Region>
    </section>
  )
}

type CodeNoticeProps = { count: number; maskedPhone: string; isConfirmed: boolean }

/** Says what will be signed, and where the code will go, or that none is needed any more. */
function CodeNotice({ count, maskedPhone, isConfirmed }: CodeNoticeProps) {
  const t = useText()
  return (
    <>
      {isConfirmed && (
        <Notice role="status">
          {t({
            pl: 'Kod SMS jest już przyjęty. Jeśli niczego nie zmienisz, przez 10\u00a0minut podpiszesz bez nowego kodu.',
            en: 'Your text-message code has been accepted. If you change nothing, you can finish signing without another one for 10\u00a0minutes.',
          })}
        </Notice>
      )}
      <p className="soft" hidden={isConfirmed}>
        {count
          ? t({
              pl: `Podpiszesz ${count} ${plural('pl', count, { one: 'plik', few: 'pliki', other: 'plików' })}. Podpisu nie można cofnąć. Kod wyślemy na numer `,
              en: `You’re signing ${count} ${plural('en', count, { one: 'file', other: 'files' })}. A signature can’t be undone. We’ll send the code to `,
            })
          : t({
              pl: 'Nie ma jeszcze pliku do podpisania. Kod wyślemy na numer ',
              en: 'There’s no file to sign yet. We’ll send the code to ',
            })}
        <MaskedPhone number={maskedPhone} />.
      </p>
    </>
  )
}

function NoSigner({ unusable }: { unusable: readonly UnusableSigner[] }) {
  const t = useText()
  return (
    <div className="stack stack--small">
      <h2 className="small-heading">
        {unusable.length
          ? t({
              pl: 'Żadnym z\u00a0Twoich certyfikatów nie podpiszesz tu plików',
              en: 'None of your certificates can sign files here',
            })
          : t({
              pl: 'Nie masz jeszcze podpisu ani pieczęci do podpisywania tutaj',
              en: 'You don’t have a signature or seal that works here yet',
            })}
      </h2>
      {unusable.length > 0 && <UnusableSigners unusable={unusable} />}
      <p>
        {t({
          pl: 'Tutaj podpiszesz tylko ważnym podpisem w\u00a0aplikacji mobilnej albo pieczęcią, których klucz ma usługa podpisu. Podpisem na karcie lub w\u00a0pliku podpiszesz w\u00a0swoim programie.',
          en: 'Here you can only sign with a valid mobile signature or seal whose key is at the signing service. To sign with a card or a file, use your own software.',
        })}
      </p>
      <p className="buttons">
        {unusable.length > 0 && !isOff('software') && (
          <ButtonLink to={pages.software.path} icon="laptop">
            {t({ pl: 'Oprogramowanie do podpisu', en: 'Signing software' })}
          </ButtonLink>
        )}
        <BuyLink product="newSignature" />
      </p>
    </div>
  )
}
