import { useEffect, useReducer, useRef, useState } from 'react'
import * as z from 'zod/mini'
import { listFileSigners, type FileSigner } from '../../contract/file-signing.ts'
import { limits } from '../../contract/limits.ts'
import { signaturePlaces } from '../../pki/pdf/signature-places.ts'
import { BuyLink } from '../certificates/buy-link.tsx'
import { valuesOf } from '../form-values.ts'
import { useLocale, useText } from '../locale.tsx'
import { MaskedPhone } from '../phone/masked-phone.tsx'
import { useRead } from '../reads.ts'
import { CodeDialog } from '../step-up/code-dialog.tsx'
import { explainFailure } from '../text/failure-answer.tsx'
import { plural } from '../text/format.ts'
import { FailureNotice } from '../ui/failure.tsx'
import { Form, Submit } from '../ui/form.tsx'
import { Notice } from '../ui/notice.tsx'
import { Region } from '../ui/region.tsx'
import type { ReadyFile } from './chosen-files.ts'
import { AppearanceChoice, SignerChoice } from './signer-choice.tsx'
import { isSameOrder, type Order } from './prepared-files.ts'
import { signingFailures } from './signing-text.ts'
import type { useFileSigning } from './use-file-signing.ts'

const OrderFields = z.strictObject({
  signer: z.string('required'),
  look: z.enum(['invisible', 'visible']),
  // Only of a visible signature.
  page: z.optional(z.enum(['first', 'last'])),
  place: z.optional(z.enum(signaturePlaces)),
  reason: z.optional(z.string().check(z.trim(), z.maxLength(limits.fileSigning.reason, 'too-long'))),
})

type Props = {
  files: readonly ReadyFile[]
  /** A file is still being read, or waits for its password. */
  isReading: boolean
  step: ReturnType<typeof useFileSigning>['step']
  onOrder: (order: Order) => Promise<void>
}

function orderOf(
  files: readonly ReadyFile[],
  signers: readonly FileSigner[],
  { signer: id, page, place, reason = '' }: z.output<typeof OrderFields>,
): Order | undefined {
  const signer = signers.find((each) => each.id === id)
  return signer && { files, signer, reason, shown: page && place && { page, place } }
}

/** Who signs, and how. Only the signing service knows the certificates, so the page asks once there is something to sign. */
export function OrderForm({ files, isReading, step, onOrder }: Props) {
  const t = useText()
  const locale = useLocale()
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
    const order = data && values && orderOf(files, data.signers, values)
    setIsConfirmed(!!order && !!confirmed && isSameOrder(order, confirmed))
  }, [confirmed, files, data, changes])

  async function send(signers: readonly FileSigner[], values: z.output<typeof OrderFields>) {
    const order = orderOf(files, signers, values)
    if (order && files.length) await onOrder(order)
  }

  return (
    <section className="card" ref={section} onChange={noteChange}>
      <Region
        query={found}
        lines={3}
        label={t({ pl: 'Szukamy Twoich certyfikatów', en: 'Looking for your certificates' })}
      >
        {({ signers, maskedPhone }) =>
          signers.length ? (
            <Form className="form signform" schema={OrderFields} onSubmit={(values) => send(signers, values)}>
              <SignerChoice signers={signers} count={files.length} />
              <AppearanceChoice />
              {step.at === 'choosing' && (
                <FailureNotice
                  text={
                    step.problem
                      ? t(step.problem)
                      : step.failure && explainFailure(locale, step.failure, signingFailures[step.failure.code])
                  }
                />
              )}
              {isConfirmed && (
                <Notice role="status">
                  {t({
                    pl: 'Kod SMS jest już przyjęty. Jeśli niczego nie zmienisz, przez 10\u00a0minut podpiszesz bez nowego kodu.',
                    en: 'Your text-message code has been accepted. If you change nothing, you can finish signing without another one for 10\u00a0minutes.',
                  })}
                </Notice>
              )}
              <p className="soft" hidden={isConfirmed}>
                {files.length
                  ? t({
                      pl: `Podpiszesz ${files.length} ${plural('pl', files.length, { one: 'plik', few: 'pliki', other: 'plików' })}. Podpisu nie można cofnąć. Kod wyślemy na numer `,
                      en: `You’re signing ${files.length} ${plural('en', files.length, { one: 'file', other: 'files' })}. A signature can’t be undone. We’ll send the code to `,
                    })
                  : t({
                      pl: 'Nie ma jeszcze pliku do podpisania. Kod wyślemy na numer ',
                      en: 'There’s no file to sign yet. We’ll send the code to ',
                    })}
                <MaskedPhone number={maskedPhone} />.
              </p>
              <Submit {...(!isConfirmed && { icon: 'send' })} aria-disabled={!files.length || isReading}>
                {isConfirmed ? t({ pl: 'Dalej', en: 'Continue' }) : t({ pl: 'Wyślij kod SMS', en: 'Send code' })}
              </Submit>
            </Form>
          ) : (
            <div className="stack stack--s">
              <p>
                {t({
                  pl: 'Tutaj podpiszesz tylko ważnym podpisem w\u00a0aplikacji mobilnej albo pieczęcią, której klucz ma usługa podpisu. Teraz nie masz ani takiego podpisu, ani takiej pieczęci albo portal nie obsługuje ich algorytmu. Podpisem na karcie lub w\u00a0pliku podpiszesz w\u00a0swoim programie.',
                  en: 'Here you can only sign with a valid signature in the mobile app, or with a seal whose key the signing service has. You have neither at the moment, or the portal doesn’t support their algorithm. To sign with a card or a file, use your own software.',
                })}
              </p>
              <p className="btns">
                <BuyLink product="newSignature" />
              </p>
            </div>
          )
        }
      </Region>
    </section>
  )
}
