import { useState, type ReactNode } from 'react'
import type { Renewal } from '../../contract/renewal.ts'
import { config } from '../app/config.ts'
import { useText } from '../app/locale.tsx'
import { SupportLine } from '../app/support-line.tsx'
import { formatDate } from '../text/format.ts'
import { yearsText } from '../text/period-text.ts'
import { TextLink } from '../ui/button.tsx'
import { DateField } from '../ui/date-field.tsx'
import { Field } from '../ui/field.tsx'
import { languageText, RadioCards } from '../ui/radio-cards.tsx'
import { textOptions } from '../ui/select.tsx'
import { canContinue, possibleDays, chosenStartText } from './chosen-parameters.ts'

type Values = Record<string, string | boolean>
type Props = {
  renewal: Renewal
  values: Values
  /** The consequences of the start and the period, which are asked first. */
  children: ReactNode
}

/** Shows the questions of step 1; those that depend on an answer only appear with it, with their last values. */
export function ParametersFields({ renewal, values, children }: Props) {
  const t = useText()
  const hasCompany = renewal.certificate.company !== null
  return (
    <>
      <div className="block">
        <StartField renewal={renewal} values={values} />
      </div>
      <div className="block">
        <RadioCards
          name="years"
          columns={3}
          label={t({ pl: 'Na jak długo?', en: 'For how long?' })}
          options={[1, 2, 3].map((years) => ({ value: String(years), label: yearsText(t.locale, years) }))}
        />
      </div>
      {children}
      {hasCompany ? (
        <div className="block">
          <RadioCards
            name="certificateType"
            label={t({ pl: 'Rodzaj certyfikatu', en: 'Type of certificate' })}
            options={[
              {
                value: 'personal',
                label: t({ pl: 'Osobisty', en: 'Personal' }),
                hint: t({ pl: 'Tylko imię i\u00a0nazwisko', en: 'Only your name' }),
              },
              {
                value: 'company',
                label: t({ pl: 'Z\u00a0danymi firmy', en: 'With company details' }),
                hint: t({ pl: 'Imię, nazwisko, firma i\u00a0stanowisko', en: 'Your name, company and position' }),
              },
            ]}
          />
        </div>
      ) : (
        <PersonalOnly />
      )}
      {hasCompany && values['certificateType'] === 'company' && <CompanyFields values={values} />}
      <div className="block">
        <RadioCards
          name="language"
          label={t({ pl: 'Język umowy', en: 'Language of the agreement' })}
          options={textOptions(t.locale, languageText)}
        />
      </div>
    </>
  )
}

/** Asks when the new certificate starts (REN-5); a start that the identity document does not allow is shown with the reason. */
function StartField({ renewal, values }: Omit<Props, 'children'>) {
  const t = useText()
  const until = formatDate(t.locale, renewal.certificate.validTo)
  const { first, last, isCut } = possibleDays(renewal)
  const [from, to] = [formatDate(t.locale, first), formatDate(t.locale, last)]
  const tooLate = (documentEnd: string) =>
    t({
      pl: `Nie można tego wybrać: dokument tożsamości wygasa wcześniej, ${documentEnd}.`,
      en: `You can’t choose this: your identity document expires earlier, on ${documentEnd}.`,
    })
  return (
    <RadioCards
      name="start"
      columns={1}
      label={t({ pl: 'Od kiedy ma działać nowy certyfikat?', en: 'When should the new certificate start?' })}
      options={[
        {
          value: 'continuity',
          label: t(chosenStartText.continuity),
          disabled: !canContinue(renewal),
          hint: canContinue(renewal)
            ? t({
                pl: `Od ${until}, gdy wygaśnie obecny certyfikat. Nie tracisz opłaconych dni.`,
                en: `On ${until}, without a gap. You don’t lose any days you’ve paid for.`,
              })
            : tooLate(formatDate(t.locale, renewal.person.document!.validTo!)),
        },
        {
          value: 'immediately',
          label: t(chosenStartText.immediately),
          hint: t({ pl: 'Jeszcze dziś, gdy podpiszesz umowę.', en: 'Today, once you’ve signed the agreement.' }),
        },
        {
          value: 'chosen-day',
          label: t(chosenStartText['chosen-day']),
          disabled: last < first,
          hint:
            last < first
              ? tooLate(to)
              : t({
                  pl: `Od ${from} do ${to}${isCut ? ', gdy wygasa dokument tożsamości' : ''}.`,
                  en: `From ${from} to ${to}${isCut ? ', when your identity document expires' : ''}.`,
                }),
          inside: values['start'] === 'chosen-day' && <FirstDay values={values} />,
        },
      ]}
    />
  )
}

/**
 * Shows why there is no choice without a confirmed company in the renewed certificate, and where to get a certificate with one (REN-14).
 */
function PersonalOnly() {
  const t = useText()
  return (
    <div className="block">
      <input type="hidden" name="certificateType" value="personal" />
      <p className="radio-cards__legend">
        {t({ pl: 'Rodzaj certyfikatu: osobisty', en: 'Type of certificate: personal' })}
      </p>
      <p className="hint">
        {t({
          pl: 'Przy odnowieniu nie dodasz firmy, jednostki ani stanowiska: obecny certyfikat ich nie ma, a\u00a0Twój związek z\u00a0firmą trzeba najpierw potwierdzić. ',
          en: 'You can’t add a company, unit or position when you renew: your current certificate has none, and we first need proof of your link to the company. ',
        })}
        <TextLink href={config.brand.links.newSignature}>
          {t({ pl: 'Kup podpis z\u00a0danymi firmy', en: 'Buy a signature with company details' })}
        </TextLink>
        {t({ pl: ' albo zadzwoń: ', en: ' or call ' })}
        <SupportLine />
      </p>
    </div>
  )
}

/** Returns the values that were typed before another answer removed their field, so that they are restored. */
function useLeft(values: Values) {
  const [left] = useState(values)
  return (name: string) => (typeof left[name] === 'string' ? left[name] : '')
}

function FirstDay({ values }: { values: Values }) {
  const t = useText()
  const left = useLeft(values)
  return (
    <DateField
      name="activationDate"
      label={t({ pl: 'Pierwszy dzień', en: 'First day' })}
      initialDay={left('activationDate')}
    />
  )
}

function CompanyFields({ values }: { values: Values }) {
  const t = useText()
  const left = useLeft(values)
  return (
    <div className="block form">
      <Field
        name="company"
        label={t({ pl: 'Nazwa firmy', en: 'Company name' })}
        autoComplete="organization"
        defaultValue={left('company')}
      />
      <div className="two-columns">
        <Field
          name="unit"
          optional
          label={t({ pl: 'Jednostka organizacyjna', en: 'Organisational unit' })}
          autoComplete="off"
          defaultValue={left('unit')}
        />
        <Field
          name="position"
          optional
          label={t({ pl: 'Stanowisko', en: 'Position' })}
          autoComplete="organization-title"
          defaultValue={left('position')}
        />
      </div>
    </div>
  )
}
