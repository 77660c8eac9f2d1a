import type { ColumnType, Generated } from 'kysely'
import type { Device } from '../contract/device.ts'
import type { DocumentStatus, RefusalReason } from '../contract/documents.ts'
import type { EventType } from '../contract/events.ts'
import type { PhoneChangeStep } from '../contract/phone-change.ts'
import type { RenewalState } from '../contract/renewal.ts'
import type { CaseStatus, VoucherProcess } from '../contract/vouchers.ts'

/** The tables of `migrations/`, as kysely sees them. Instants are `Date`, bytea is `Buffer`, bigint is text. */
export type Tables = {
  accounts: {
    id: Generated<string>
    provider_id: string | null
    login: string
    login_key: string | null
    email: string
    email_key: string | null
    unconfirmed_key: string | null
    /** Sealed, as all of `bytea` that is not a hash, a MAC or an index. */
    phone: Buffer
    first_name: string
    second_name: string | null
    surname: string
    locale: 'pl' | 'en'
    password_hash: string | null
    earlier_hashes: Generated<string[]>
    blocked_at: Date | null
    phone_confirmed: Generated<boolean>
    resets_from: Date | null
    blocked_for_strangers: Generated<boolean>
    early_reminders: Generated<boolean>
    created_at: Generated<Date>
  }
  sessions: {
    token_hash: Buffer
    id: Generated<string>
    account_id: string
    stage: 'pending' | 'signed-in'
    started_at: Generated<Date>
    ends_at: Date
    absolute_ends_at: Date
    used_at: Generated<Date>
    address: string | null
    browser: Device['browser']
    system: Device['system']
    country: string | null
  }
  passkeys: {
    id: string
    account_id: string
    name: Buffer
    credential_id: Buffer
    public_key: Buffer
    counter: string
    transports: string[]
    added_at: Generated<Date>
    used_at: Date | null
  }
  passkey_challenges: { session_id: string; purpose: string; object: string; challenge: Buffer; expires_at: Date }
  step_ups: { session_id: string; purpose: string; object: string; confirmed_at: Date }
  codes: {
    id: Generated<string>
    account_id: string
    session_id: string
    purpose: string
    object: string
    code_mac: Buffer
    entries: Generated<number>
    ordinal: Generated<number>
    sent_at: Generated<Date>
    expires_at: Date
    used_at: Date | null
  }
  phone_changes: {
    id: Generated<string>
    session_id: string
    account_id: string
    step: ColumnType<PhoneChangeStep, PhoneChangeStep | undefined, PhoneChangeStep>
    phone: Buffer | null
    started_at: Generated<Date>
  }
  data_exports: {
    id: string
    account_id: string
    locale: 'pl' | 'en'
    requested_at: Generated<Date>
    files: Generated<string[]>
    made_at: Date | null
    json_file: string | null
    json_bytes: number | null
    pdf_file: string | null
    pdf_bytes: number | null
  }
  erasures: { account_id: string; at: Generated<Date> }
  discarded_files: { file: string }
  devices: { token_hash: Buffer; account_id: string; expires_at: Date }
  budgets: { name: string; key: Buffer; spent: Date[]; locked_until: Date | null; forget_at: Date }
  links: {
    token_hash: Buffer
    account_id: string
    purpose: 'set-up' | 'reset'
    created_at: Generated<Date>
    expires_at: Date
    used_at: Date | null
    voided_at: Date | null
  }
  outbox: {
    id: Generated<string>
    channel:
      | 'mail'
      | 'sms'
      | 'password-link'
      | 'registration'
      | 'seal-invitation'
      | 'agreement-signature'
      | 'data-export'
      | 'customer-invitation'
      | 'webhook'
    message: Buffer
    bulk: Generated<boolean>
    created_at: Generated<Date>
    drop_at: Date | null
    tries: Generated<number>
    next_try_at: Generated<Date>
    leased_until: Date | null
    sent_at: Date | null
    outcome: 'sent' | 'dead' | 'expired' | null
    failure: string | null
    webhook_id: string | null
    event: string | null
    lane: string | null
  }
  events: {
    id: Generated<string>
    ordinal: Generated<string>
    position: string | null
    type: EventType
    subject: string
    data: ColumnType<Record<string, unknown>, string, never>
    at: Generated<Date>
  }
  event_feed: { alone: Generated<boolean>; last: Generated<string> }
  webhooks: {
    id: Generated<string>
    provider_id: string
    url: string
    types: EventType[] | null
    position: string
    created_at: Generated<Date>
  }
  webhook_secrets: {
    id: string
    webhook_id: string
    secret: Buffer
    created_at: Generated<Date>
    ends_at: Date | null
  }
  audit: {
    id: Generated<string>
    at: Generated<Date>
    act: string
    account_id: string | null
    actor: 'customer' | 'provider' | 'operator' | 'system'
    address: string | null
    details: ColumnType<Record<string, unknown>, string | undefined, never>
    chain: string
    seq: string
    previous: Buffer
    mac: Buffer
  }
  wordings: { sha256: string; wording: string }
  consents: {
    id: Generated<string>
    account_id: string
    kind: 'terms' | 'privacy' | 'marketing'
    given: boolean
    version: string
    locale: 'pl' | 'en'
    wording_sha256: string
    at: Generated<Date>
  }
  idempotency: { caller: string; key: string; request_hash: Buffer; reply: Buffer | null; created_at: Generated<Date> }
  provider_keys: {
    id: Generated<string>
    key_hash: Buffer
    name: string
    scopes: Generated<string[]>
    per_second: Generated<number>
    created_at: Generated<Date>
    expires_at: Date | null
    revoked_at: Date | null
  }
  signatures: {
    id: Generated<string>
    provider_id: string
    account_id: string
    product: 'app' | 'card' | 'file'
    name: string
    organisation: string | null
    identifier_type: 'PNO' | 'TIN' | 'PAS' | 'IDC' | 'ECN'
    identifier_country: string | null
    identifier_value: Buffer
    identifier_index: Buffer
    years: number
    valid_from: Date
    valid_to: Date
    status: 'good' | 'suspended' | 'revoked'
    certificates: Buffer
    agreement_language: 'pl' | 'en'
    agreement_key: string | null
    agreement_bytes: number | null
    agreement_sha256: string | null
    created_at: Generated<Date>
  }
  seals: {
    id: Generated<string>
    provider_id: string
    product: 'app' | 'card'
    name: string
    organisation: string
    organisation_identifier: string
    years: number
    valid_from: Date
    valid_to: Date
    status: 'good' | 'suspended' | 'revoked'
    certificate: Buffer
    chain: Buffer[]
    agreement_language: 'pl' | 'en'
    agreement_key: string | null
    agreement_bytes: number | null
    agreement_sha256: string | null
    last_number: Generated<number>
    created_at: Generated<Date>
  }
  seal_users: {
    id: Generated<string>
    seal_id: string
    provider_id: string
    number: number
    account_id: string | null
    email: string
    email_key: string
    phone: Buffer
    first_name: string
    surname: string
    role: 'administrator' | 'user'
    status: 'pending' | 'active' | 'deleted'
    locale: 'pl' | 'en'
    invited_at: Generated<Date>
    expires_at: Date
    acquired_at: Date | null
    deleted_at: Date | null
    standing: Generated<number>
  }
  seal_pairings: {
    seal_user_id: string
    secret: Buffer
    created_at: Generated<Date>
    last_step: Generated<string>
    confirmed_at: Date | null
  }
  document_keys: { document: string; sealed: Buffer }
  secrets: { name: string; sealed: Buffer }
  pairings: {
    signature_id: string
    secret: Buffer
    created_at: Generated<Date>
    last_step: Generated<string>
    confirmed_at: Date | null
  }
  document_cases: {
    id: Generated<string>
    provider_id: string
    account_id: string
    application: string
    document: string
    process: ColumnType<{ pl: string; en: string }, string, string>
    signer: Buffer
    status: Generated<DocumentStatus>
    version: Generated<number>
    access_code: Buffer | null
    code_sent_at: Date | null
    document_file: string | null
    upload_file: string | null
    signed_file: string | null
    refusal: ColumnType<{ reason: RefusalReason; note: { pl: string; en: string } | null } | null, string, string>
    finish_asked: Generated<boolean>
    created_at: Generated<Date>
    updated_at: Generated<Date>
  }
  document_files: {
    id: Generated<string>
    case_id: string
    kind: 'document' | 'upload' | 'signed'
    bytes: number | null
    sha256: string | null
    source_sha256: string | null
    clear_bytes: number | null
    clear_sha256: string | null
    verdict: 'accepted' | 'pending' | 'refused' | null
    report: Buffer | null
    created_at: Generated<Date>
  }
  document_signings: {
    id: Generated<string>
    case_id: string
    session_id: string
    signature_id: string
    document_sha256: string
    binding: string
    claimed_at: Date
  }
  voucher_codes: {
    id: Generated<string>
    provider_id: string
    code_mac: Buffer
    code: Buffer
    kind: 'voucher' | 'renewal'
    process: VoucherProcess | null
    account_id: string | null
    signature_id: string | null
    expires_at: Date
    created_at: Generated<Date>
    used_at: Date | null
  }
  voucher_cases: {
    id: Generated<string>
    number: string
    code_id: string
    account_id: string
    status: Generated<CaseStatus>
    provider_status: string | null
    status_known: Generated<boolean>
    note: ColumnType<{ pl: string; en: string } | null, string | null, string | null>
    reported_at: Date | null
    created_at: Generated<Date>
    updated_at: Generated<Date>
  }
  timestamp_accounts: {
    id: Generated<string>
    provider_id: string
    account_id: string
    login: string
    authentication: 'basic' | 'cms'
    server_url: string
    active: boolean
    created_at: Generated<Date>
  }
  timestamp_packages: {
    id: Generated<string>
    provider_id: string
    timestamp_account_id: string
    kind: 'recurring' | 'one-time' | 'unlimited'
    active: boolean
    size: number | null
    refill_day: number | null
    starts_at: Date
    ends_at: Date | null
    spent: number
    counted_from: Date | null
    created_at: Generated<Date>
  }
  timestamp_usage: { timestamp_account_id: string; day: string; spent: number }
  signature_reminders: { signature_id: string; step: number; valid_to: Date; at: Generated<Date> }
  timestamp_notices: { package_id: string; notice: string; about: Date; at: Generated<Date> }
  renewals: {
    id: Generated<string>
    account_id: string
    signature_id: string
    code_id: string
    state: Generated<RenewalState>
    version: Generated<number>
    parameters: Buffer | null
    parameters_sha256: string | null
    shortened_to: Date | null
    identity: Buffer | null
    identity_state: 'asked' | 'confirmed' | 'refused' | null
    terms: Buffer | null
    terms_sha256: string | null
    agreement_key: string | null
    agreement_bytes: number | null
    agreement_sha256: string | null
    signing_failed: Generated<boolean>
    signing_order: string | null
    signed_key: string | null
    signed_bytes: number | null
    signed_sha256: string | null
    signed_at: Date | null
    archive_renew_by: Date | null
    archive_stamped_at: Date | null
    archive_next_try: Date | null
    archive_tries: Generated<number>
    archive_draft: string | null
    issued_signature: string | null
    note: ColumnType<{ pl: string; en: string } | null, string, string>
    opened_at: Generated<Date>
    ends_at: Date
    updated_at: Generated<Date>
  }
  personal_data: { account_id: string; sealed: Buffer }
  software: {
    provider_id: string
    platform: 'windows' | 'macos' | 'linux' | 'android' | 'ios'
    name: string
    purpose: ColumnType<{ pl: string; en: string }, string, string>
    requirements: ColumnType<{ pl: string; en: string }, string, string>
    version: string
    released_at: Date
    bytes: string | null
    sha256: string | null
    url: string
  }
}
