/** What the copy of all own data tells of each table, and what not, with the reason (DAT-6, R87). A new table or column joins by a line. */

export type Row = Record<string, unknown>
type Told = {
  /** The rows of the account `$1`, as `t`. */
  from: string
  /** Where the file has them. */
  rows: Row[]
  /** Each column that is told, by its name in the file. */
  told: Record<string, string>
  /** Columns that rest sealed and are told opened. */
  opened?: Record<string, string>
  /** Each that is not, with the reason. */
  not?: Record<string, string>
}

const canonical = 'the same in the form that it is compared by'
const secret = 'opens something, or is a hash of what does'
const owner = 'the customer, whom the file is about'
const stored = 'a name in the store, which says nothing'
const inner = 'a count or mark of the portal’s own'

/** Tables of which nothing is told, with the reason. */
export const wholeTables: Record<string, string> = {
  migrations: 'nobody’s',
  software: 'nobody’s',
  provider_keys: 'the provider’s',
  secrets: 'keys of the portal',
  document_keys: 'keys of the portal',
  budgets: 'counts under a MAC, which tells nobody whose they are; they pass within days',
  outbox: 'messages on their way, emptied when they are sent',
  idempotency: 'answers of one day, of what stands elsewhere',
  codes: 'hashes of codes, of which the history tells',
  links: 'hashes of links, of which the history tells',
  step_ups: 'confirmations of five minutes, of which the history tells',
  passkey_challenges: 'random numbers of five minutes',
  document_signings: 'hashes of a signing under way, of which the history tells',
  data_exports: 'this very file',
  discarded_files: 'names of files that are about to go',
  erasures: 'of accounts that nobody can enter',
  events: 'ids and states that the provider was told of, from acts that the history tells of',
  event_feed: 'one counter of the portal',
  webhooks: 'the provider’s',
  webhook_secrets: 'the provider’s',
}

const camel = (column: string) => column.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
const same = (...columns: string[]) => Object.fromEntries(columns.map((column) => [column, camel(column)]))
/** Each other table: where the file has its rows and columns. `data`: the file. */
export function toldOf(data: Record<string, Row[]> & { account: Row; identification: Row }): Record<string, Told> {
  const flat = (rows: Row[], part: string): Row[] => rows.flatMap((row) => row[part] as Row[])
  const { signatures, seals, timestampAccounts, documents, vouchers, renewals } = data as Record<string, Row[]>
  return {
    accounts: {
      from: 'accounts t where t.id = $1',
      rows: [data.account],
      told: {
        ...same(
          'id',
          'provider_id',
          'login',
          'email',
          'first_name',
          'second_name',
          'surname',
          'blocked_at',
          'created_at',
        ),
        locale: 'language',
        blocked_for_strangers: 'blockedForUnknownDevices',
        early_reminders: 'earlyReminders',
        phone_confirmed: 'phoneConfirmed',
        resets_from: 'resetsFrom',
      },
      opened: { phone: 'phone' },
      not: {
        login_key: canonical,
        email_key: canonical,
        unconfirmed_key: canonical,
        password_hash: secret,
        earlier_hashes: secret,
      },
    },
    personal_data: {
      from: 'personal_data t where t.account_id = $1',
      rows: [{ all: data.identification }],
      told: {},
      opened: { sealed: 'all' },
      not: { account_id: owner },
    },
    consents: {
      from: 'consents t where t.account_id = $1',
      rows: data['consents']!,
      told: { ...same('kind', 'given', 'version', 'locale', 'at'), wording_sha256: 'sha256' },
      not: { id: inner, account_id: owner },
    },
    wordings: {
      from: 'consents c join wordings t on t.sha256 = c.wording_sha256 where c.account_id = $1',
      rows: data['consents']!.map(({ wording, ...row }) => ({ ...row, wording: JSON.stringify(wording) })),
      told: same('sha256', 'wording'),
    },
    sessions: {
      from: 'sessions t where t.account_id = $1',
      rows: data['sessions']!,
      told: same(
        'id',
        'stage',
        'browser',
        'system',
        'address',
        'country',
        'started_at',
        'used_at',
        'ends_at',
        'absolute_ends_at',
      ),
      not: { token_hash: secret, account_id: owner },
    },
    devices: {
      from: 'devices t where t.account_id = $1',
      rows: data['knownDevices']!,
      told: { expires_at: 'knownUntil' },
      not: { token_hash: secret, account_id: owner },
    },
    passkeys: {
      from: 'passkeys t where t.account_id = $1',
      rows: data['passkeys']!,
      told: same('id', 'transports', 'added_at', 'used_at'),
      opened: { name: 'name' },
      not: { account_id: owner, credential_id: secret, public_key: secret, counter: inner },
    },
    phone_changes: {
      from: 'phone_changes t where t.account_id = $1',
      rows: data['phoneChanges']!,
      told: same('id', 'step', 'started_at'),
      opened: { phone: 'phone' },
      not: { account_id: owner, session_id: inner },
    },
    signatures: {
      from: 'signatures t where t.account_id = $1',
      rows: signatures!.map(({ identifier, agreement, ...row }) => ({
        ...row,
        ...Object.fromEntries(Object.entries(identifier as Row).map(([key, value]) => [`identifier ${key}`, value])),
        ...Object.fromEntries(Object.entries(agreement as Row).map(([key, value]) => [`agreement ${key}`, value])),
      })),
      told: {
        ...same('id', 'provider_id', 'product', 'name', 'organisation', 'years', 'valid_from', 'valid_to', 'status'),
        identifier_type: 'identifier type',
        identifier_country: 'identifier country',
        agreement_language: 'agreement language',
        agreement_bytes: 'agreement bytes',
        agreement_sha256: 'agreement sha256',
        created_at: 'storedAt',
      },
      opened: { identifier_value: 'identifier value', certificates: 'certificate' },
      not: { account_id: owner, identifier_index: canonical, agreement_key: stored },
    },
    pairings: {
      from: 'pairings t join signatures s on s.id = t.signature_id where s.account_id = $1',
      rows: signatures!.filter(({ pairedAt }) => pairedAt),
      told: { signature_id: 'id', confirmed_at: 'pairedAt' },
      not: { secret, last_step: inner, created_at: 'the history tells of it' },
    },
    signature_reminders: {
      from: 'signature_reminders t join signatures s on s.id = t.signature_id where s.account_id = $1',
      rows: signatures!.flatMap(({ id, reminders }) =>
        (reminders as Row[]).map((one) => ({ ...one, signatureId: id })),
      ),
      told: same('signature_id', 'step', 'valid_to', 'at'),
    },
    seal_users: {
      from: `seal_users t where t.account_id = $1 or (t.status = 'pending' and t.email_key = (select email_key from accounts where id = $1))`,
      rows: seals!,
      told: {
        ...same(
          'id',
          'provider_id',
          'number',
          'email',
          'first_name',
          'surname',
          'role',
          'invited_at',
          'expires_at',
          'acquired_at',
          'deleted_at',
        ),
        seal_id: 'seal',
        status: 'access',
        locale: 'language',
      },
      opened: { phone: 'phone' },
      not: { account_id: owner, email_key: canonical, standing: 'follows from the access' },
    },
    seal_pairings: {
      from: 'seal_pairings t join seal_users u on u.id = t.seal_user_id where u.account_id = $1',
      rows: seals!.filter(({ pairedAt }) => pairedAt),
      told: { seal_user_id: 'id', confirmed_at: 'pairedAt' },
      not: { secret, last_step: inner, created_at: 'the history tells of it' },
    },
    seals: {
      from: `seals t join seal_users u on u.seal_id = t.id where u.account_id = $1
        or (u.status = 'pending' and u.email_key = (select email_key from accounts where id = $1))`,
      rows: seals!,
      told: {
        id: 'seal',
        ...same('product', 'name', 'organisation', 'organisation_identifier', 'valid_from', 'valid_to'),
      },
      not: Object.fromEntries(
        ['provider_id', 'years', 'status', 'certificate', 'chain', 'last_number', 'created_at']
          .concat(['agreement_language', 'agreement_key', 'agreement_bytes', 'agreement_sha256'])
          .map((column) => [column, 'the organisation’s']),
      ),
    },
    timestamp_accounts: {
      from: 'timestamp_accounts t where t.account_id = $1',
      rows: timestampAccounts!,
      told: { ...same('id', 'provider_id', 'login', 'authentication', 'server_url', 'active'), created_at: 'storedAt' },
      not: { account_id: owner },
    },
    timestamp_packages: {
      from: 'timestamp_packages t join timestamp_accounts a on a.id = t.timestamp_account_id where a.account_id = $1',
      rows: flat(timestampAccounts!, 'packages'),
      told: {
        ...same(
          'id',
          'provider_id',
          'kind',
          'active',
          'size',
          'refill_day',
          'starts_at',
          'ends_at',
          'spent',
          'counted_from',
        ),
        created_at: 'storedAt',
      },
      not: { timestamp_account_id: 'it stands in its account' },
    },
    timestamp_usage: {
      from: 'timestamp_usage t join timestamp_accounts a on a.id = t.timestamp_account_id where a.account_id = $1',
      rows: flat(timestampAccounts!, 'usage'),
      told: same('day', 'spent'),
      not: { timestamp_account_id: 'it stands in its account' },
    },
    timestamp_notices: {
      from: `timestamp_notices t join timestamp_packages p on p.id = t.package_id
        join timestamp_accounts a on a.id = p.timestamp_account_id where a.account_id = $1`,
      rows: flat(timestampAccounts!, 'notices'),
      told: { package_id: 'package', ...same('notice', 'about', 'at') },
    },
    document_cases: {
      from: 'document_cases t where t.account_id = $1',
      rows: documents!,
      told: same(
        'id',
        'provider_id',
        'application',
        'document',
        'process',
        'status',
        'refusal',
        'code_sent_at',
        'created_at',
        'updated_at',
      ),
      opened: { signer: 'signer' },
      not: {
        account_id: owner,
        version: inner,
        finish_asked: inner,
        access_code: secret,
        document_file: stored,
        upload_file: stored,
        signed_file: stored,
      },
    },
    document_files: {
      from: 'document_files t join document_cases c on c.id = t.case_id where c.account_id = $1 and t.sha256 is not null',
      rows: flat(documents!, 'files'),
      told: same('kind', 'bytes', 'sha256', 'source_sha256', 'verdict', 'created_at'),
      opened: { report: 'report' },
      not: { id: stored, case_id: 'it stands in its case', clear_bytes: canonical, clear_sha256: canonical },
    },
    voucher_codes: {
      from: 'voucher_codes t left join voucher_cases c on c.code_id = t.id where t.account_id = $1 or c.account_id = $1',
      rows: vouchers!,
      told: {
        ...same('provider_id', 'kind', 'process', 'expires_at', 'used_at'),
        signature_id: 'signature',
        created_at: 'storedAt',
      },
      not: {
        id: inner,
        account_id: owner,
        code: 'told once it is used: until then it is as good as money',
        code_mac: secret,
      },
    },
    voucher_cases: {
      from: 'voucher_cases t where t.account_id = $1',
      rows: vouchers!.filter(({ number }) => number),
      told: same('number', 'status', 'provider_status', 'note', 'reported_at', 'created_at', 'updated_at'),
      not: { id: inner, code_id: inner, account_id: owner, status_known: inner },
    },
    renewals: {
      from: 'renewals t where t.account_id = $1',
      rows: renewals!,
      told: {
        ...same(
          'id',
          'state',
          'shortened_to',
          'identity_state',
          'agreement_bytes',
          'agreement_sha256',
          'signing_failed',
        ),
        ...same(
          'signed_bytes',
          'signed_sha256',
          'signed_at',
          'issued_signature',
          'note',
          'opened_at',
          'ends_at',
          'updated_at',
        ),
        signature_id: 'signature',
      },
      opened: { parameters: 'parameters', identity: 'identity', terms: 'terms' },
      not: {
        account_id: owner,
        code_id: inner,
        version: inner,
        parameters_sha256: 'follows from what is told',
        terms_sha256: 'follows from what is told',
        agreement_key: stored,
        signing_order: 'an id in the outbox',
        signed_key: stored,
        archive_renew_by: inner,
        archive_stamped_at: 'it stands in the file',
        archive_next_try: inner,
        archive_tries: inner,
        archive_draft: stored,
      },
    },
    audit: {
      from: `audit t where t.account_id = $1 and t.act not in ('data-export-made', 'data-export-downloaded')`,
      rows: data['history']!,
      told: same('id', 'at', 'act', 'actor'),
      not: {
        account_id: owner,
        address: 'told of what was done from the customer’s side',
        details: 'told of what was done from the customer’s side',
        chain: inner,
        seq: inner,
        previous: inner,
        mac: inner,
      },
    },
  }
}
