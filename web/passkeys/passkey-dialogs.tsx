import {
  base64URLStringToBuffer,
  bufferToBase64URLString,
  startRegistration,
  type PublicKeyCredentialCreationOptionsJSON,
} from '@simplewebauthn/browser'
import { useState } from 'react'
import { deviceName, parseDevice } from '../../contract/device.ts'
import {
  addPasskey,
  PasskeyForm,
  removePasskey,
  renamePasskey,
  startPasskey,
  type Passkey,
  type CreationOptions,
  type NewCredential,
} from '../../contract/passkeys.ts'
import { bytesOf, joined } from '../../pki/bytes.ts'
import { useText } from '../app/locale.tsx'
import { OkEmblem } from '../art/success-mark.tsx'
import { call, onFailure } from '../calls/api.ts'
import { runDeviceRequest } from '../step-up/passkey-device.ts'
import { toast } from '../toast/toast.tsx'
import { Button } from '../ui/button.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'

type Common = { onDone: () => Promise<unknown>; onClose: () => void }

/** Adds a passkey. The name comes first, because the device's own dialog is the last step. */
export function AddPasskeyDialog({ onDone, onClose }: Common) {
  const t = useText()
  const [isAdded, setIsAdded] = useState(false)
  async function add({ name }: PasskeyForm) {
    const credential = await makeKey(await call(startPasskey))
    await call(addPasskey, { body: { name, credential } })
    await onDone()
    setIsAdded(true)
  }
  if (isAdded) return <Added onClose={onClose} />
  return (
    <NameDialog
      title={t({ pl: 'Dodaj klucz dostępu', en: 'Add passkey' })}
      intro={t({
        pl: 'Potwierdź to kodem SMS albo kluczem, który już masz, a\u00a0potem odciskiem palca, twarzą albo PIN-em urządzenia.',
        en: 'Confirm with a text-message code or a passkey you already have, and then with your fingerprint, your face or your device’s PIN.',
      })}
      label={t({ pl: 'Dodaj klucz', en: 'Add passkey' })}
      busyText={t({ pl: 'Czekamy na urządzenie…', en: 'Waiting for your device…' })}
      name={deviceName(parseDevice(navigator.userAgent))}
      onSubmit={add}
      onClose={onClose}
    />
  )
}

/** Explains the use of the new key, because it is used only at the next sign-in. */
function Added({ onClose }: Pick<Common, 'onClose'>) {
  const t = useText()
  return (
    <Dialog
      title={t({ pl: 'Klucz dostępu jest dodany', en: 'Your passkey is ready' })}
      width="s"
      initialFocus="title"
      onClose={onClose}
      footer={
        <Button variant="primary" onClick={onClose}>
          {t({ pl: 'Gotowe', en: 'Done' })}
        </Button>
      }
    >
      <div className="passkey-added">
        <OkEmblem />
        <p>
          {t({
            pl: 'Następnym razem wybierz „Zaloguj się kluczem dostępu”. Nie podasz wtedy hasła ani kodu SMS.',
            en: 'Next time, choose “Sign in with a passkey”. You won’t need your password or a text-message code.',
          })}
        </p>
        <p className="soft">
          {t({
            pl: 'Nie masz klucza przy sobie? Hasło i\u00a0kod SMS działają nadal.',
            en: 'Don’t have it with you? Your password and text-message codes still work.',
          })}
        </p>
      </div>
    </Dialog>
  )
}

export function RenamePasskeyDialog({ passkey, onDone, onClose }: Common & { passkey: Passkey }) {
  const t = useText()
  async function rename(body: PasskeyForm) {
    await call(renamePasskey, { params: { id: passkey.id }, body })
    await onDone()
    onClose()
  }
  return (
    <NameDialog
      title={t({ pl: 'Zmień nazwę klucza', en: 'Rename passkey' })}
      label={t({ pl: 'Zapisz nazwę', en: 'Save name' })}
      busyText={t({ pl: 'Zapisujemy…', en: 'Saving…' })}
      name={passkey.name}
      onSubmit={rename}
      onClose={onClose}
    />
  )
}

type NameProps = {
  title: string
  intro?: string
  label: string
  busyText: string
  name: string
  onSubmit: (values: PasskeyForm) => Promise<unknown>
  onClose: () => void
}

function NameDialog({ title, intro, label, busyText, name, onSubmit, onClose }: NameProps) {
  const t = useText()
  return (
    <FormDialog
      isStacked
      schema={PasskeyForm}
      initial={{ name }}
      failures={{ other: 'name' }}
      onSubmit={onSubmit}
      title={title}
      width="s"
      onClose={onClose}
      submit={label}
      busyText={busyText}
    >
      {intro && <p>{intro}</p>}
      <Field
        name="name"
        label={t({ pl: 'Nazwa klucza', en: 'Passkey name' })}
        hint={t({ pl: 'Po nazwie rozpoznasz urządzenie.', en: 'It helps you recognise the device.' })}
        autoComplete="off"
      />
    </FormDialog>
  )
}

export function RemovePasskeyDialog({
  passkey,
  isLast,
  onDone,
  onClose,
}: Common & { passkey: Passkey; isLast: boolean }) {
  const t = useText()
  async function remove() {
    await call(removePasskey, { params: { id: passkey.id } }).catch(onFailure(['not-found'], () => undefined))
    await onDone()
    toast({ title: t({ pl: 'Klucz dostępu usunięty', en: 'Passkey removed' }) })
  }
  return (
    <ConfirmDialog
      title={t({ pl: 'Usunąć klucz dostępu?', en: 'Remove this passkey?' })}
      label={t({ pl: 'Usuń klucz', en: 'Remove passkey' })}
      onConfirm={remove}
      onClose={onClose}
    >
      <p>
        <b>{passkey.name}</b>
      </p>
      <p>
        {t({
          pl: 'Ten klucz od razu przestanie działać. Usuń go potem także na urządzeniu.',
          en: 'This passkey will stop working immediately. Afterwards, remove it from the device too.',
        })}{' '}
        {isLast &&
          t({
            pl: 'To Twój ostatni klucz. Potem przy logowaniu znów wyślemy kod SMS.',
            en: 'It’s your last passkey. After that, we’ll send a text-message code again when you sign in.',
          })}
      </p>
    </ConfirmDialog>
  )
}

/** Asks the device for a new key. Apart from signing with one, which the login page loads. */
async function makeKey(options: CreationOptions): Promise<NewCredential> {
  const { id, response } = await runDeviceRequest(() =>
    startRegistration({ optionsJSON: options as PublicKeyCredentialCreationOptionsJSON }),
  )
  const { clientDataJSON, authenticatorData, transports = [] } = response
  const attestationObject = authenticatorData ? withoutStatement(authenticatorData) : response.attestationObject
  return { id, clientDataJSON, attestationObject, transports }
}

/**
 * Returns `{ fmt: 'none', attStmt: {}, authData }` in CBOR (WebAuthn §8.7), which is all that the portal accepts (R263). Some devices send
 * a statement by the new key itself although none is asked for (§5.1.3).
 */
function withoutStatement(authenticatorData: string): string {
  const data = new Uint8Array(base64URLStringToBuffer(authenticatorData))
  const length = Uint8Array.of(data.length >> 8, data.length & 0xff)
  return bufferToBase64URLString(joined([bytesOf('\xa3cfmtdnonegattStmt\xa0hauthDataY'), length, data]).buffer)
}
