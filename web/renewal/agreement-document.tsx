import { useEffect, useState } from 'react'
import { agreementName } from '../../contract/legal/agreement-name.ts'
import { downloadRenewalAgreement, type Renewal } from '../../contract/renewal.ts'
import { Icon } from '../art/icons.tsx'
import { callFile, onFailure, type ApiError } from '../api.ts'
import { useLocale, useText } from '../locale.tsx'
import { explainFailure } from '../text/failure-answer.tsx'
import { formatBytes } from '../text/bytes-text.ts'
import { FirstPage } from '../pdf-preview/first-page.tsx'
import { Notice } from '../ui/notice.tsx'
import { partOnDemand } from '../on-demand.tsx'
import { Button } from '../ui/button.tsx'
import { useOnPhone } from '../pairing/on-phone.ts'
import { RetryButton } from '../ui/retry-button.tsx'
import type { AgreementReaderProps } from './agreement-reader.tsx'

const AgreementReader = partOnDemand<AgreementReaderProps>(() =>
  import('./agreement-reader.tsx').then((part) => part.AgreementReader),
)

type Loaded = { file: Blob; address: string } | { failure: ApiError }

/** REN-7: the agreement, to be read as a whole, seen by its first page and saved, all from one and the same file. */
export function AgreementDocument({ renewal: { uid, agreement, parameters } }: { renewal: Renewal }) {
  const t = useText()
  const locale = useLocale()
  const { loaded, again } = useAgreement(uid, agreement!.sha256)
  const name = t(agreementName)
  const fileName = parameters.language === 'pl' ? 'umowa.pdf' : 'agreement.pdf'
  const onPhone = useOnPhone()
  const file = loaded && 'file' in loaded ? loaded : undefined
  const [isOpen, setIsOpen] = useState(false)
  const open = () => setIsOpen(true)
  return (
    <>
      <ul className="doclist">
        <li className="docrow">
          <Icon name="doc" size="l" />
          <span className="docrow__name">
            <b>{name}</b>
            <span>{`PDF, ${formatBytes(locale, agreement!.bytes)}`}</span>
          </span>
          {file && (
            <span className="docrow__act">
              <Button variant="quiet" size="s" icon="eye" aria-haspopup="dialog" onClick={open}>
                <span>
                  {t({ pl: 'Przeczytaj', en: 'Read' })}
                  <span className="vh">{t({ pl: ' umowę', en: ' the agreement' })}</span>
                </span>
              </Button>
              <a className="btn btn--quiet btn--sm" href={file.address} download={fileName}>
                <Icon name="download" />
                <span>
                  {t({ pl: 'Pobierz', en: 'Download' })}
                  <span className="vh">{t({ pl: ' umowę', en: ' the agreement' })}</span>
                </span>
              </a>
            </span>
          )}
        </li>
      </ul>
      {loaded && 'failure' in loaded && (
        <Notice kind="err" role="alert">
          <p>{explainFailure(locale, loaded.failure)}</p>
          <p className="btns">
            <RetryButton size="s" onClick={again} />
          </p>
        </Notice>
      )}
      {file && !onPhone && (
        <FirstPage file={file.file} name={name}>
          <button type="button" className="link" aria-haspopup="dialog" onClick={open}>
            {t({ pl: 'Przeczytaj całą umowę', en: 'Read the whole agreement' })}
          </button>
        </FirstPage>
      )}
      {file && isOpen && <AgreementReader file={file.file} name={name} onClose={() => setIsOpen(false)} />}
    </>
  )
}

/** One file for opening, saving and the preview; another hash is another file. */
function useAgreement(uid: string, sha256: string) {
  const [loaded, setLoaded] = useState<Loaded>()
  const [round, setRound] = useState(0)

  useEffect(() => {
    let left = false
    let address: string | undefined
    setLoaded(undefined)
    const loading = callFile(downloadRenewalAgreement, { params: { uid } })
    loading.then(
      (file) => {
        if (left) return
        address = URL.createObjectURL(file)
        setLoaded({ file, address })
      },
      onFailure([], (failure) => void (left || setLoaded({ failure }))),
    )
    return () => {
      left = true
      if (address) URL.revokeObjectURL(address)
    }
  }, [uid, sha256, round])

  return { loaded, again: () => setRound((before) => before + 1) }
}
