import { useEffect } from 'react'
import * as z from 'zod/mini'
import type { Locale } from '../../contract/enums.ts'
import { listFileSigners, type FileSigner } from '../../contract/file-signing.ts'
import { limits } from '../../contract/limits.ts'
import { signaturePlaces } from '../../pki/pdf/signature-places.ts'
import { useLocale, useText } from '../locale.tsx'
import { MaskedPhone } from '../phone/masked-phone.tsx'
import { useRead } from '../reads.ts'
import { CodeDialog } from '../step-up/code-dialog.tsx'
import { explainFailure } from '../text/failure-answer.tsx'
import { formatDateTime, plural } from '../text/format.ts'
import { FailureNotice } from '../ui/failure.tsx'
import { Form, Submit } from '../ui/form.tsx'
import { Region } from '../ui/region.tsx'
import type { ReadyFile } from './chosen-files.ts'
import { AppearanceChoice, SignerChoice } from './signer-choice.tsx'
import type { Order, useFileSigning } from './use-file-signing.ts'

const OrderFields = z.strictObject({
  signer: z.string('required'),
  look: z.enum(['invisible', 'visible']),
  // Only of a visible signature.
  page: z.optional(z.enum(['first', 'last'])),
  place: z.optional(z.enum(signaturePlaces)),
  reason: z.optional(z.string().check(z.trim(), z.maxLength(limits.fileSigning.reason, 'too-long'))),
})

/** An image of the signature shows these lines. */
function orderOf(
  locale: Locale,
  files: readonly ReadyFile[],
  signer: FileSigner,
  { page, place, reason = '' }: z.output<typeof OrderFields>,
): Order {
  const at = new Date()
  const lines = [signer.name, formatDateTime(locale, at), reason].filter(Boolean)
  return { files, signer, reason, at, shown: page && place && { page, place, lines } }
}

type Props = {
  files: readonly ReadyFile[]
  /** A file is still being read, or waits for its password. */
  isReading: boolean
  step: ReturnType<typeof useFileSigning>['step']
  onOrder: (order: Order) => Promise<void>
}

/** Who signs, and how. Only the signing service knows the certificates, so the page asks once there is something to sign. */
export function OrderForm({ files, isReading, step, onOrder }: Props) {
  const t = useText()
  const locale = useLocale()
  const found = useRead(listFileSigners)
  useEffect(() => void CodeDialog.preload(), [])

  async function send(signers: readonly FileSigner[], values: z.output<typeof OrderFields>) {
    const signer = signers.find(({ id }) => id === values.signer)
    if (signer && files.length) await onOrder(orderOf(locale, files, signer, values))
  }

  return (
    <section className="card">
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
                  text={step.problem ? t(step.problem) : step.failure && explainFailure(locale, step.failure)}
                />
              )}
              <p className="soft">
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
              <Submit icon="send" aria-disabled={!files.length || isReading}>
                {t({ pl: 'Wyślij kod SMS', en: 'Send code' })}
              </Submit>
            </Form>
          ) : (
            <p>
              {t({
                pl: 'Tutaj podpiszesz tylko ważnym podpisem w\u00a0aplikacji mobilnej albo pieczęcią, której klucz ma usługa podpisu. Teraz takich nie masz. Podpisem na karcie lub w\u00a0pliku podpiszesz w\u00a0swoim programie.',
                en: 'Here you can only sign with a valid signature in the mobile app, or with a seal whose key the signing service has. You don’t have one now. You can sign with a signature on a card or in a file in your own software.',
              })}
            </p>
          )
        }
      </Region>
    </section>
  )
}
