import { deviceName, deviceOf } from '../../contract/device.ts'
import {
  addPasskey,
  PasskeyForm,
  removePasskey,
  renamePasskey,
  startPasskey,
  type Passkey,
} from '../../contract/passkeys.ts'
import { call } from '../api.ts'
import { useText } from '../locale.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { Form, Submit } from '../ui/form.tsx'
import { makeKey } from '../ui/passkey-device.ts'
import { toast } from '../ui/toast.tsx'
import { ConfirmDialog, unlessGone } from './confirm-dialog.tsx'

type Common = { onDone: () => Promise<unknown>; onClose: () => void }

/** A name first, because the device's own dialog comes after it and ends it all. */
export function AddPasskeyDialog({ onDone, onClose }: Common) {
  const t = useText()
  async function add({ name }: PasskeyForm) {
    const credential = await makeKey(await call(startPasskey))
    await call(addPasskey, { body: { name, credential } })
    await onDone()
    toast({ title: t({ pl: 'Klucz dostępu dodany', en: 'Passkey added' }) })
    onClose()
  }
  return (
    <NameDialog
      title={t({ pl: 'Dodaj klucz dostępu', en: 'Add a passkey' })}
      intro={t({
        pl: 'Potwierdzisz to kodem SMS albo kluczem, który już masz, a\u00a0potem odciskiem palca, twarzą albo PIN-em urządzenia.',
        en: 'You confirm it with a text-message code or a passkey you have already, and then with the fingerprint, face or PIN of the device.',
      })}
      label={t({ pl: 'Dodaj klucz', en: 'Add the passkey' })}
      busyText={t({ pl: 'Czekamy na urządzenie…', en: 'Waiting for the device…' })}
      name={deviceName(deviceOf(navigator.userAgent))}
      onSubmit={add}
      onClose={onClose}
    />
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
      title={t({ pl: 'Zmień nazwę klucza', en: 'Rename the passkey' })}
      label={t({ pl: 'Zapisz nazwę', en: 'Save the name' })}
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
    <Form
      className="bare"
      schema={PasskeyForm}
      initial={{ name }}
      summary={false}
      failures={{ other: 'name' }}
      onSubmit={onSubmit}
    >
      <Dialog
        title={title}
        width="s"
        onClose={onClose}
        footer={
          <>
            <Button variant="quiet" onClick={onClose}>
              {t({ pl: 'Anuluj', en: 'Cancel' })}
            </Button>
            <Submit busyText={busyText}>{label}</Submit>
          </>
        }
      >
        <div className="stack stack--s">
          {intro && <p>{intro}</p>}
          <Field
            name="name"
            label={t({ pl: 'Nazwa klucza', en: 'Name of the passkey' })}
            hint={t({ pl: 'Po niej rozpoznasz urządzenie.', en: 'By it you will recognise the device.' })}
            autoComplete="off"
          />
        </div>
      </Dialog>
    </Form>
  )
}

export function RemovePasskeyDialog({ passkey, last, onDone, onClose }: Common & { passkey: Passkey; last: boolean }) {
  const t = useText()
  async function remove() {
    await call(removePasskey, { params: { id: passkey.id } }).catch(unlessGone)
    await onDone()
    toast({ title: t({ pl: 'Klucz dostępu usunięty', en: 'Passkey removed' }) })
  }
  return (
    <ConfirmDialog
      title={t({ pl: 'Usunąć klucz dostępu?', en: 'Remove the passkey?' })}
      label={t({ pl: 'Usuń klucz', en: 'Remove the passkey' })}
      onConfirm={remove}
      onClose={onClose}
    >
      <p>
        <b>{passkey.name}</b>
      </p>
      <p>
        {t({
          pl: 'Ten klucz od razu przestanie otwierać Twoje konto. Usuń go potem także na urządzeniu.',
          en: 'This passkey stops opening your account at once. Remove it from the device too afterwards.',
        })}{' '}
        {last &&
          t({
            pl: 'To Twój ostatni klucz: przy logowaniu znów wyślemy kod SMS.',
            en: 'It is your last one: when you log in, we will send a text-message code again.',
          })}
      </p>
    </ConfirmDialog>
  )
}
