-- Signed files, what signing services ask of customers, requests about certificates, and trusted lists.

-- Files that a customer signs in the browser (SGN-20): their digests, which one code confirms, and then what was signed. Kept for a day, so
-- that a lost answer can be read again. The files, their names and the certificate are not here.
create table file_signings (
  id uuid primary key,
  account_id uuid not null references accounts on delete cascade,
  session_id uuid not null,
  signature_id uuid references signatures on delete cascade,
  seal_id uuid references seals on delete cascade,
  -- Of what the signature in each file covers.
  digests bytea[] not null,
  -- SHA-256 of everything that the code is for: the customer, the certificate, and the digests in their order (R202).
  binding text not null,
  started_at timestamptz not null default portal_now(),
  -- When the code was entered.
  confirmed_at timestamptz,
  -- A request is at the service until then; another one has to wait.
  busy_until timestamptz,
  signed_at timestamptz,
  -- The raw signatures and the timestamps over them, in the order of the digests.
  signatures bytea[],
  timestamps bytea[],
  check (num_nonnulls(signature_id, seal_id) = 1),
  check (signed_at is null or confirmed_at is not null),
  check (num_nulls(signatures, timestamps) in (0, 2)),
  check (signatures is null or confirmed_at is not null),
  check (signed_at is null or timestamps is not null and array_position(timestamps, null) is null)
);
create index file_signings_by_account on file_signings (account_id);
create index file_signings_by_signature on file_signings (signature_id);
create index file_signings_by_seal on file_signings (seal_id);
create index file_signings_by_start on file_signings (started_at);

-- A signature that the customer has confirmed with the portal's code, and that the signing service wants authorised by the customer
-- too: by its own codes, or at its own page (SGN-10 … SGN-15). It belongs to one session and one object, and ends soon.
create table service_authorisations (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references accounts on delete cascade,
  session_id uuid not null,
  case_id uuid references document_cases on delete cascade,
  renewal_id uuid references renewals on delete cascade,
  signature_id uuid references signatures on delete cascade,
  kind text not null check (kind in ('codes', 'redirect')),
  otp text not null check (otp in ('none', 'sent', 'generated')),
  pin boolean not null,
  -- SHA-256 of everything that the portal's code was for (R33).
  binding text not null,
  -- Of the signed attributes, in hexadecimal: what the service signs.
  hash text not null,
  -- The time that the signature claims, a part of what it covers.
  claimed_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz,
  -- A request is at the service until then; another one has to wait.
  busy_until timestamptz,
  tries int not null default 0,
  otp_sends int not null default 0,
  otp_sent_at timestamptz,
  -- Of the parameter `state` of the service's page; used once.
  state_hash bytea unique,
  state_used boolean not null default false,
  -- Of the page to which the customer comes back.
  locale text check (locale in ('pl', 'en')),
  file_signing_id uuid references file_signings on delete cascade,
  check (num_nonnulls(case_id, renewal_id, file_signing_id) = 1),
  check (signature_id is not null or file_signing_id is not null)
);
create index service_authorisations_by_account on service_authorisations (account_id);
create index service_authorisations_by_case on service_authorisations (case_id);
create index service_authorisations_by_renewal on service_authorisations (renewal_id);
-- One is open at a time.
create unique index service_authorisations_open_case on service_authorisations (case_id) where ended_at is null;
create unique index service_authorisations_open_renewal on service_authorisations (renewal_id) where ended_at is null;
create index service_authorisations_by_signature on service_authorisations (signature_id);
create index service_authorisations_by_expiry on service_authorisations (expires_at);
create index service_authorisations_by_file_signing on service_authorisations (file_signing_id);
create unique index service_authorisations_open_file_signing on service_authorisations (file_signing_id) where ended_at is null;

-- No other order is possible, for any caller. The table is statusRequestMoves of contract/status-requests.ts, and a test compares them.
create function refuse_status_request_move() returns trigger language plpgsql as $$
begin
  if new.state = old.state or (old.state, new.state) in (
    ('requested', 'done'), ('requested', 'refused'), ('requested', 'replaced')
  ) then
    return new;
  end if;
  raise exception 'a request for another status cannot go from % to %', old.state, new.state using errcode = 'check_violation';
end $$;

create table status_requests (
  id uuid primary key,
  -- Who requested it: of a seal, the Administrator.
  account_id uuid not null references accounts on delete cascade,
  signature_id uuid references signatures on delete cascade,
  seal_id uuid references seals on delete cascade,
  change text not null check (change in ('suspend', 'resume', 'revoke')),
  reason text check (reason in ('compromised', 'data-changed', 'superseded', 'not-needed', 'phone-lost')),
  state text not null default 'requested' check (state in ('requested', 'done', 'refused', 'replaced')),
  note jsonb,
  requested_at timestamptz not null default portal_now(),
  deadline timestamptz not null,
  decided_at timestamptz,
  -- When the operator was alarmed that nobody had decided it.
  alarmed_at timestamptz,
  check ((signature_id is null) <> (seal_id is null)),
  check ((reason is null) = (change = 'resume')),
  check ((decided_at is null) = (state = 'requested'))
);
-- One open request for each certificate.
create unique index status_requests_open_of_signature on status_requests (signature_id) where state = 'requested';
create unique index status_requests_open_of_seal on status_requests (seal_id) where state = 'requested';
create index status_requests_of_signature on status_requests (signature_id, id) where signature_id is not null;
create index status_requests_of_seal on status_requests (seal_id, id) where seal_id is not null;
create index status_requests_of_account on status_requests (account_id, id);
create index status_requests_by_state on status_requests (state, id);
create index status_requests_by_deadline on status_requests (deadline) where state = 'requested' and alarmed_at is null;
create trigger status_request_moves before update of state on status_requests for each row execute function refuse_status_request_move();

-- CHK-10, CHK-11: the trusted lists as they were last accepted (ETSI TS 119 612), by the address of the list of lists that leads to them.
create table trusted_lists (
  source text,
  -- EU for the list of lists itself.
  territory text check (territory ~ '^[A-Z]{2}$'),
  sequence_number int not null check (sequence_number > 0),
  -- SHA-256 of what is signed, and of the file.
  digest bytea not null,
  file_digest bytea not null,
  -- DER.
  signer bytea not null,
  issued_at timestamptz not null,
  -- Null for a list that is closed for good.
  next_update timestamptz,
  -- The pointers of the list of lists, or the anchors of a country.
  content jsonb not null,
  accepted_at timestamptz not null default portal_now(),
  primary key (source, territory)
);

-- When the lists are fetched next, by the first node to find it; `id` is a hash of the settings.
create table trusted_list_rounds (
  id text primary key,
  next_at timestamptz not null
);
