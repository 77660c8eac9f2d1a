import { openStates, type RenewalState } from '../../contract/renewal.ts'

/**
 * A renewal as plain data, and what each call makes of it: the server is held against this, call by call, by two tabs on
 * two nodes that act on what they saw last (R56; issue: the model test).
 */
export type Model = {
  state: RenewalState
  version: number
  years: 1 | 2 | 3
  /** The parameters were stored once; before, the page shows what the renewed certificate has. */
  saved: boolean
  frozen: boolean
  identity: 'asked' | 'confirmed' | null
  /** The hash of the agreement that lies there. */
  agreement: string | null
  /** For which version each tab has a code that is not used. */
  codes: [number | null, number | null]
  signed: boolean
}

export type Seen = Pick<Model, 'state' | 'version' | 'agreement'>

/** `lapse` is no call: its time runs out. */
export type Act =
  | { name: 'save' | 'fix'; years: 1 | 2 | 3 }
  | { name: 'document' | 'confirm' | 'return' | 'start' | 'decline' | 'finish' | 'open' | 'sign' | 'sign-wrong' }
  | { name: 'judge' | 'agree' | 'issue' | 'not-issued' | 'deliver' | 'deliver-refused' | 'lapse' }

export type Outcome = { says: string; next: Model }

/** As its code opens it. */
export const freshModel: Model = {
  state: 'parameters',
  version: 1,
  years: 2,
  saved: false,
  frozen: false,
  identity: null,
  agreement: null,
  codes: [null, null],
  signed: false,
}

const stay = (model: Model, says: string): Outcome => ({ says, next: model })
const go = (model: Model, changes: Partial<Model>): Outcome => ({
  says: 'ok',
  next: { ...model, ...changes, version: model.version + 1 },
})

/** What comes of an act of a tab that has seen the renewal like that. */
export function expected(model: Model, act: Act, tab: 0 | 1, seen: Seen, nextAgreement: string): Outcome {
  const fits = seen.state === model.state && seen.version === model.version
  const from = (...states: RenewalState[]) => fits && states.includes(model.state)
  const passed = stay(model, 'state-passed')
  const isAsked = model.identity === 'asked'
  switch (act.name) {
    case 'open':
      // A code that was used in vain, or not at all, opens another one.
      return model.state === 'expired' ? { says: 'ok', next: freshModel } : stay(model, 'ok')
    case 'save': {
      const isRepeated =
        seen.state === 'parameters' &&
        model.state === 'parameters' &&
        model.version === seen.version + 1 &&
        model.saved &&
        model.years === act.years
      return isRepeated ? stay(model, 'ok') : from('parameters') ? go(model, { years: act.years, saved: true }) : passed
    }
    case 'fix':
      if (!from('parameters')) return passed
      return isAsked
        ? stay(model, 'renewal-refused')
        : go(model, { state: 'personal-data', years: act.years, saved: true, frozen: true })
    case 'document':
      return from('parameters', 'personal-data') ? go(model, { identity: 'asked' }) : passed
    case 'confirm':
      if (!from('personal-data')) return passed
      return isAsked ? stay(model, 'renewal-refused') : go(model, { state: 'signing', agreement: null })
    case 'return':
      return from('signing') ? go(model, { state: 'personal-data', agreement: null }) : passed
    case 'decline':
      return from('signing') ? go(model, { state: 'declined' }) : passed
    case 'finish':
      return from('issued') ? go(model, { state: 'finished' }) : passed
    case 'start':
    case 'sign':
    case 'sign-wrong': {
      if (seen.state !== 'signing' || model.state !== 'signing') return passed
      if (!model.agreement) return stay(model, 'agreement-not-ready')
      if (!fits || seen.agreement !== model.agreement) return stay(model, 'signing-changed')
      const codes = model.codes.with(tab, model.version) as Model['codes']
      if (act.name === 'start') return { says: 'ok', next: { ...model, codes } }
      if (model.codes[tab] !== model.version) return stay(model, 'code-void')
      if (act.name === 'sign-wrong') return stay(model, 'code-wrong')
      return go(model, { state: 'authorised', codes: model.codes.with(tab, null) as Model['codes'] })
    }
    case 'judge':
      return isAsked && (model.state === 'parameters' || model.state === 'personal-data')
        ? go(model, { identity: 'confirmed' })
        : passed
    case 'agree':
      return model.state === 'signing' ? go(model, { agreement: nextAgreement }) : passed
    case 'issue':
      if (model.state === 'issued' || model.state === 'finished') return stay(model, 'ok')
      return model.state === 'signed' ? go(model, { state: 'issued' }) : passed
    case 'not-issued':
      if (model.state === 'failed') return stay(model, 'ok')
      return model.state === 'signed' ? go(model, { state: 'failed' }) : passed
    case 'deliver':
      return model.state === 'authorised' ? go(model, { state: 'signed', signed: true }) : stay(model, 'ok')
    case 'deliver-refused':
      return model.state === 'authorised' ? go(model, { state: 'signing' }) : stay(model, 'ok')
    case 'lapse':
      // Whether or not anybody has written it down yet: that comes with its next code.
      return (openStates as readonly RenewalState[]).includes(model.state)
        ? { says: 'ok', next: { ...model, state: 'expired' } }
        : stay(model, 'ok')
  }
}

/** What is likely to get on from each state, so that walks come to every end. */
export const onwards: Record<RenewalState, readonly Act['name'][]> = {
  parameters: ['fix', 'fix', 'save', 'judge', 'document'],
  'personal-data': ['confirm', 'confirm', 'confirm', 'judge', 'document'],
  signing: ['agree', 'start', 'start', 'sign', 'sign', 'sign', 'return', 'decline'],
  authorised: ['deliver', 'deliver', 'deliver-refused'],
  signed: ['issue', 'issue', 'issue', 'not-issued'],
  issued: ['finish', 'issue'],
  finished: ['issue'],
  declined: ['sign'],
  expired: ['open', 'open', 'confirm', 'sign'],
  failed: ['not-issued', 'issue'],
}
