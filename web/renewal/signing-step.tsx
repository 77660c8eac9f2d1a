import { useState } from 'react'
import { useNavigate } from 'react-router'
import type { Renewal } from '../../contract/renewal.ts'
import type { CallFailed } from '../api.ts'
import { useText } from '../locale.tsx'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { AgreementDocument } from './agreement-document.tsx'
import { DeclineDialog } from './decline-dialog.tsx'
import { useRenewalWatch } from './renewal-watch.tsx'
import { SignBox } from './sign-box.tsx'
import { SigningProgress } from './signing-progress.tsx'
import './signing-step.css'
import { StepHeading } from './step-heading.tsx'

type Props = { renewal: Renewal; onChanged: (renewal: Renewal) => void }

/** Step 3 (REN-7, REN-8): the agreement on the left, and beside it what signs or declines it. */
export function SigningStep({ renewal, onChanged }: Props) {
  const t = useText()
  const { uid, state, agreement } = renewal
  const [failure, setFailure] = useState<CallFailed>()
  return (
    <div className="wiz wiz--sign">
      <section className="signdocs" aria-labelledby="documents-title">
        <StepHeading step={3}>{t({ pl: 'Podpisz umowę', en: 'Sign the agreement' })}</StepHeading>
        <p className="lede">
          {t({
            pl: 'Przeczytaj umowę. Podpiszesz ją kodem SMS.',
            en: 'Read the agreement. You sign it with a text-message code.',
          })}
        </p>
        <h2 className="vh" id="documents-title">
          {t({ pl: 'Dokumenty do podpisania', en: 'Documents to sign' })}
        </h2>
        {agreement ? <AgreementDocument renewal={renewal} /> : <AgreementComing uid={uid} />}
      </section>
      <section className="card diploma signbox" aria-label={t({ pl: 'Podpis', en: 'Signature' })}>
        {agreement ? (
          // A new version is a new agreement or a new try, whose code is another one.
          <SignBox
            key={`${renewal.version} ${agreement.sha256}`}
            renewal={renewal}
            onChanged={onChanged}
            failure={failure}
            onFailure={setFailure}
          />
        ) : (
          <p className="soft">
            {t({
              pl: 'Kod wyślesz, gdy umowa będzie gotowa.',
              en: 'You can send the code when the agreement is ready.',
            })}
          </p>
        )}
        <WaysOut renewal={renewal} onChanged={onChanged} />
      </section>
      {state === 'authorised' && <SigningProgress uid={uid} />}
    </div>
  )
}

/** The provider makes it within seconds. */
function AgreementComing({ uid }: { uid: string }) {
  const t = useText()
  const { late, again } = useRenewalWatch(uid, true)
  return (
    <div role="status" aria-busy={!late} className="blk">
      {late ? (
        <Notice title={t({ pl: 'Umowa jeszcze powstaje', en: 'The agreement is still being made' })}>
          <p>
            {t({
              pl: 'To trwa dłużej niż zwykle. Wróć później z\u00a0listy podpisów: nic nie zginie.',
              en: 'This takes longer than usual. Come back later from the list of signatures: nothing is lost.',
            })}
          </p>
          <p className="btns">
            <Button size="s" icon="refresh" onClick={again}>
              {t({ pl: 'Sprawdź ponownie', en: 'Check again' })}
            </Button>
          </p>
        </Notice>
      ) : (
        <p className="signing">
          <span className="spin" aria-hidden="true" />
          {t({ pl: 'Przygotowujemy umowę…', en: 'Preparing the agreement…' })}
        </p>
      )}
    </div>
  )
}

function WaysOut({ renewal, onChanged }: Props) {
  const t = useText()
  const navigate = useNavigate()
  const [declining, setDeclining] = useState(false)
  return (
    <>
      <div className="signbox__no">
        {/* Looking back alone costs nothing: that page asks before the agreement is given up. */}
        <Button variant="quiet" icon="back" onClick={() => void navigate('?step=2')}>
          {t({ pl: 'Wstecz', en: 'Back' })}
        </Button>
        <Button variant="quiet" className="is-danger" aria-haspopup="dialog" onClick={() => setDeclining(true)}>
          {t({ pl: 'Odmów podpisania', en: 'Decline to sign' })}
        </Button>
      </div>
      {declining && <DeclineDialog renewal={renewal} onChanged={onChanged} onClose={() => setDeclining(false)} />}
    </>
  )
}
